#include "compiler/analyse/identity/identity.h"

#include <algorithm>

#include "compiler/flow/text.h"

namespace weir::analyse {
namespace {

Identity of_source(const flow::Node& node, const flow::Source& source, const flow::Program& program) {
  Identity out;
  out.name = node.stream;
  out.stable = source.replayable;
  if (source.identity.empty()) return out;
  out.kind = Identity::Kind::declared;
  out.stable = true;
  out.unique = false;
  for (const flow::ExprRef& part : source.identity) out.parts.push_back(expr_text(*part, program, node.row));
  return out;
}

Identity position_of(const std::vector<flow::NodeId>& sources, const flow::Program& program) {
  Identity out;
  for (flow::NodeId id : sources) {
    const flow::Node& node = program.nodes[static_cast<std::size_t>(id)];
    out.name = sources.size() == 1 ? node.stream : "source";
    out.stable = out.stable && std::get<flow::Source>(node.op).replayable;
  }
  return out;
}

Identity made_of(Identity::Kind kind, const Identity& of, std::vector<std::string> parts) {
  Identity out;
  out.kind = kind;
  out.of = std::make_shared<const Identity>(of);
  out.parts = std::move(parts);
  out.stable = of.stable;
  out.unique = of.unique;
  return out;
}

Identity of_group(const flow::Node& node, const flow::Aggregate& aggregate) {
  Identity out;
  out.kind = Identity::Kind::group;
  out.name = node.stage;
  for (const flow::Key& key : aggregate.keys) out.parts.push_back(key.name);
  if (aggregate.window.has_value()) out.parts.emplace_back("window");
  return out;
}

// Of the record that is rejected: the least that all sources have in common.
Identity of_rejected(const flow::Rejected& rejected, const std::vector<Identity>& known,
                     const flow::Program& program) {
  if (rejected.sources.size() == 1) return known[static_cast<std::size_t>(rejected.sources[0])];
  Identity out = position_of(rejected.sources, program);
  out.unique = std::all_of(rejected.sources.begin(), rejected.sources.end(),
                           [&](flow::NodeId id) { return known[static_cast<std::size_t>(id)].unique; });
  return out;
}

}  // namespace

std::string expr_text(const flow::Expr& expr, const flow::Program& program, const flow::TypeRef& row) {
  if (!expr.text.empty()) return expr.text;
  std::string text = flow::print(expr, program, row, {.spans = false, .texts = false});
  return text.starts_with("row.") ? text.substr(4) : text;
}

std::vector<Identity> find_identities(const flow::Program& program) {
  std::vector<Identity> out;
  for (const flow::Node& node : program.nodes) {
    Identity here;
    if (!node.inputs.empty()) here = out[static_cast<std::size_t>(node.inputs[0])];
    if (const auto* source = std::get_if<flow::Source>(&node.op)) here = of_source(node, *source, program);
    if (const auto* rejected = std::get_if<flow::Rejected>(&node.op)) {
      here = made_of(Identity::Kind::rejected, of_rejected(*rejected, out, program), {"stage"});
    }
    if (const auto* late = std::get_if<flow::Late>(&node.op)) {
      here = made_of(Identity::Kind::late, position_of(late->sources, program), {"operator"});
    }
    if (std::holds_alternative<flow::Flatten>(node.op)) {
      here = made_of(Identity::Kind::element, here, {node.row->fields.back().name});
    }
    if (const auto* aggregate = std::get_if<flow::Aggregate>(&node.op)) here = of_group(node, *aggregate);
    out.push_back(std::move(here));
  }
  return out;
}

std::string to_string(const Identity& identity) {
  std::string out = "(";
  switch (identity.kind) {
    case Identity::Kind::position:
      return "(" + identity.name + ", split, byte)";
    case Identity::Kind::declared:
      for (const std::string& part : identity.parts) {
        out += (out.size() > 1 ? ", " : "") + identity.name + "." + part;
      }
      return out + ")";
    case Identity::Kind::element:
      return "(" + to_string(*identity.of) + ", ordinal of " + identity.parts[0] + ")";
    case Identity::Kind::group:
      out += identity.name;
      for (const std::string& part : identity.parts) out += ", " + part;
      return out + ")";
    case Identity::Kind::rejected:
    case Identity::Kind::late:
      return "(" + to_string(*identity.of) + ", " + identity.parts[0] + ")";
  }
  return out;
}

}  // namespace weir::analyse
