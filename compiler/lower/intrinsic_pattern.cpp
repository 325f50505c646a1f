// Functions whose pattern is a literal: the plan carries it, the runtime compiles it once, the code passes its index.
#include "compiler/lower/expr.h"
#include "compiler/lower/intrinsic.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;

namespace {

const std::string& literal_text(const Expr& expr, std::size_t index) {
  const Expr& arg = *expr.args[index];
  if (arg.op != flow::Op::kLiteral || !std::holds_alternative<std::string>(arg.literal.value)) {
    throw Unsupported("a pattern of `" + expr.name + "` that is not a literal");
  }
  return std::get<std::string>(arg.literal.value);
}

Value matches(Emitter& e, const Expr& expr) {
  const int pattern = static_cast<int>(e.unit.regex(literal_text(expr, 1)));
  return call_native(e, expr, "weir_fn_matches", {}, {{1, pattern}});
}

Value regex_extract(Emitter& e, const Expr& expr) {
  const int pattern = static_cast<int>(e.unit.regex(literal_text(expr, 1)));
  return call_native(e, expr, "weir_fn_regex_extract", {}, {{1, pattern}});
}

Value regex_replace(Emitter& e, const Expr& expr) {
  const int pattern = static_cast<int>(e.unit.regex(literal_text(expr, 1)));
  return call_native(e, expr, "weir_fn_regex_replace", {}, {{1, pattern}});
}

int time_pattern(Emitter& e, const Expr& expr) {
  const std::string zone = expr.args.size() > 2 ? literal_text(expr, 2) : "";
  return static_cast<int>(e.unit.time_pattern(literal_text(expr, 1), zone));
}

Value format_time(Emitter& e, const Expr& expr) {
  return call_native(e, expr, "weir_fn_format_time", {}, {{1, time_pattern(e, expr)}, {2, -1}});
}

Value parse_time(Emitter& e, const Expr& expr) {
  return call_native(e, expr, "weir_fn_parse_time", {5010, 5016}, {{1, time_pattern(e, expr)}, {2, -1}});
}

}  // namespace

const Intrinsics& pattern_intrinsics() {
  static const Intrinsics table = {
      {"matches", matches},         {"regex_extract", regex_extract}, {"regex_replace", regex_replace},
      {"format_time", format_time}, {"parse_time", parse_time},
  };
  return table;
}

}  // namespace weir::lower
