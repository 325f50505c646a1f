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

// Whether the operator's expression already uses the record's own time: then `now()` measures an age, and the record's own
// time in its place would make that zero.
bool measures_age(const Taint::Found& found, const RowNames& names) {
  bool uses = false;
  flow::walk(*found.root, [&](const Expr& expr) {
    if (expr.op == Op::kField) uses = uses || column_text(expr) == names.event_time;
    return !uses;
  });
  return uses && !names.event_time.empty();
}

void suggest_event_time(Diagnostic& d, const Taint::Found& found, const RowNames& names) {
  const std::string name = found.origin.call->op == Op::kCall ? "`" + found.origin.call->name + "()`"
                                                              : std::string("`meta.received`");
  if (measures_age(found, names)) {
    d.help("the age of a record depends on when it is read; compare times that the data carries, such as `" +
           names.event_time + "` and the end of a window");
  } else if (!found.origin.through.empty()) {
    d.help("pass the record's own time as an argument instead of " + name);
  } else if (names.event_time.empty()) {
    d.help("use a time that the record carries; a source declares it with `time`");
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

// Whether a row that the operator reads, or something of the program, has the name.
bool is_taken(const std::string& name, const flow::Program& program, const flow::Node& at) {
  for (const flow::Param& param : program.params) {
    if (param.name == name) return true;
  }
  for (const flow::Function& function : program.functions) {
    if (function.name == name) return true;
  }
  for (const flow::Node& node : program.nodes) {
    if (node.stream == name) return true;
  }
  const flow::TypeRef& row =
      at.inputs.empty() ? at.row : program.nodes[static_cast<std::size_t>(at.inputs[0])].row;
  return types::find_field(*row, name) != nullptr;
}

// The name of the variable in lower case, for a parameter: "REGION" gives "region". Empty if it cannot be one.
std::string parameter_name(const Expr& call, const flow::Program& program, const flow::Node& at) {
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
  return is_taken(out, program, at) ? "the_" + out : out;
}

// `env("REGION") ?? "none"`: the whole, and the text that stands in for what is not set. nullptr if it is not so.
const Expr* with_default(const Taint::Found& found, std::string& otherwise) {
  const Expr* whole = nullptr;
  flow::walk(*found.root, [&](const Expr& expr) {
    if (expr.op != Op::kCoalesce || expr.args[0].get() != found.origin.call) return true;
    const auto* text = std::get_if<std::string>(&expr.args[1]->literal.value);
    if (expr.args[1]->op != Op::kLiteral || text == nullptr ||
        text->find_first_of("\"\\$\n") != std::string::npos) {
      return true;
    }
    otherwise = *text;
    whole = &expr;
    return false;
  });
  return whole;
}

void suggest_parameter(Diagnostic& d, const Taint::Found& found, const flow::Program& program) {
  const Expr& call = *found.origin.call;
  const std::string name = parameter_name(call, program, program.nodes[static_cast<std::size_t>(found.node)]);
  std::string otherwise;
  const Expr* whole = sees_row(found.origin) ? with_default(found, otherwise) : nullptr;
  if (name.empty() || whole == nullptr || !whole->span.is_known()) {
    d.help(
        "give it at start, with a `param`: then it is part of what the program is, and the same after a "
        "restart");
    return;
  }
  const source::Span start{whole->span.file, 0, 0};
  const std::string declaration = "param " + name + ": string = \"" + otherwise + "\"\n";
  d.suggest("give it at start, with `--set " + name + "=…`", {{start, declaration}, {whole->span, name}});
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
