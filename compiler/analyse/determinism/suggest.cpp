#include "compiler/analyse/determinism/suggest.h"

#include <cmath>
#include <string>

#include "compiler/catalog/functions.h"
#include "compiler/flow/walk.h"

namespace weir::analyse {
namespace {

using diagnostics::Diagnostic;
using flow::Expr;
using flow::Op;
using types::Kind;

bool library_has(const std::string& name) {
  return catalog::Functions::library().find(name) != nullptr;
}

// Names of the row can be written where the call stands.
bool sees_row(const Origin& origin) {
  return origin.through.empty() && origin.in_scope;
}

RowNames names_at(const flow::Program& program, flow::NodeId node, const std::vector<RowNames>& names) {
  const flow::Node& at = program.nodes[static_cast<std::size_t>(node)];
  if (at.inputs.empty()) return names[static_cast<std::size_t>(node)];
  return names[static_cast<std::size_t>(at.inputs[0])];
}

void suggest_event_time(Diagnostic& d, const Taint::Found& found, const RowNames& names) {
  const std::string name =
      found.origin.call->op == Op::kCall ? found.origin.call->name + "()" : std::string("meta.received");
  if (!found.origin.through.empty()) {
    d.help("pass the record's own time as an argument instead of " + name);
  } else if (names.event_time.empty()) {
    d.help("use a time that the record carries, and declare it: `time FIELD` in the source");
  } else if (!found.origin.in_scope || found.origin.call->type->kind != Kind::kTimestamp) {
    d.help("use the record's own time, `" + names.event_time + "`");
  } else {
    d.suggest("use the record's own time", found.origin.call->span, names.event_time);
  }
}

void suggest_uuid(Diagnostic& d, const Taint::Found& found, const RowNames& names) {
  const std::string identity = identity_text(names);
  if (!sees_row(found.origin)) {
    d.help("pass the record's identity as an argument, and make the UUID of it: `uuid_from(…)`");
  } else if (identity.empty() || !library_has("uuid_from")) {
    d.help("make it of what names the record: `uuid_from(…)`");
  } else {
    d.suggest("make it of the record's identity", found.origin.call->span, "uuid_from(" + identity + ")");
  }
}

// `random() < 0.1`: the comparison and the share in thousandths; nullptr if there is no such comparison.
const Expr* sampling(const Taint::Found& found, long& thousandths) {
  const Expr* comparison = nullptr;
  flow::walk(*found.root, [&](const Expr& expr) {
    if ((expr.op != Op::kLess && expr.op != Op::kLessEqual) || expr.args[0].get() != found.origin.call)
      return true;
    const auto* share = std::get_if<double>(&expr.args[1]->literal.value);
    if (expr.args[1]->op != Op::kLiteral || share == nullptr || *share < 0 || *share > 1) return true;
    thousandths = std::lround(*share * 1000);
    comparison = &expr;
    return false;
  });
  return comparison;
}

void suggest_sample(Diagnostic& d, const Taint::Found& found, const RowNames& names) {
  const std::string identity = identity_text(names);
  long thousandths = 0;
  const Expr* comparison = sees_row(found.origin) ? sampling(found, thousandths) : nullptr;
  if (comparison == nullptr || identity.empty() || !library_has("hash") || !library_has("modulo")) {
    d.help(
        "draw from what names the record: `modulo(hash(…), 1000) < 100` keeps the same tenth on every "
        "replay");
    return;
  }
  d.suggest("keep the same share of the records on every replay", comparison->span,
            "modulo(hash(" + identity + "), 1000) < " + std::to_string(thousandths));
}

// The name of the variable in lower case, for a parameter: "REGION" gives "region".
std::string parameter_name(const Expr& call, const flow::Program& program) {
  if (call.args.empty() || call.args[0]->op != Op::kLiteral) return "";
  const auto* text = std::get_if<std::string>(&call.args[0]->literal.value);
  if (text == nullptr || text->empty()) return "";
  std::string out;
  for (char c : *text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool letter = (c >= 'a' && c <= 'z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !(digit && !out.empty())) return "";
    out += c;
  }
  const auto taken = [&](const std::string& name) {
    for (const flow::Param& param : program.params) {
      if (param.name == name) return true;
    }
    for (const flow::Node& node : program.nodes) {
      if (node.stream == name || types::find_field(*node.row, name) != nullptr) return true;
    }
    return false;
  };
  return taken(out) ? "the_" + out : out;
}

void suggest_parameter(Diagnostic& d, const Taint::Found& found, const flow::Program& program) {
  const Expr& call = *found.origin.call;
  const std::string name = parameter_name(call, program);
  const bool is_optional = types::is_optional(call.type);
  const bool is_text = types::strip_optional(call.type)->kind == Kind::kString;
  if (name.empty() || !is_text || !call.span.is_known()) {
    d.help(
        "give it at start, with a `param`: then it is part of what the program is, and the same after a "
        "restart");
    return;
  }
  const source::Span start{call.span.file, 0, 0};
  const std::string declaration =
      "param " + name + (is_optional ? ": string? = null\n" : ": string = \"\"\n");
  d.suggest("give it at start, with `--set " + name + "=…`", {{start, declaration}, {call.span, name}});
}

}  // namespace

void suggest(Diagnostic& diagnostic, const flow::Program& program, const Taint::Found& found,
             const std::vector<RowNames>& names) {
  const RowNames here = names_at(program, found.node, names);
  const Expr& call = *found.origin.call;
  switch (found.origin.effect) {
    case Effect::clock:
      return suggest_event_time(diagnostic, found, here);
    case Effect::random:
      if (call.name.starts_with("uuid")) return suggest_uuid(diagnostic, found, here);
      return suggest_sample(diagnostic, found, here);
    case Effect::host:
      return suggest_parameter(diagnostic, found, program);
    case Effect::order:
      diagnostic.help("use the record's own order: event time, ties broken by identity");
      return;
    case Effect::external:
    case Effect::pinned:
    case Effect::opaque:
      return;
  }
}

}  // namespace weir::analyse
