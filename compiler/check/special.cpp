#include "compiler/check/special.h"

#include <algorithm>
#include <functional>

#include "compiler/check/constant.h"
#include "compiler/check/elaborator.h"
#include "compiler/check/pattern.h"

namespace weir::check {
namespace {

// A call as its rule sees it. Arguments that were not given are null.
struct Call {
  Elaborator& elaborator;
  const ast::CallExpr& expr;
  std::vector<const ast::Expr*> at;
  std::vector<ExprRef> args;

  Diagnostic& report(Code code, Span span, std::string message) {
    return elaborator.context().out.report(code, span, std::move(message));
  }
  ExprRef failed() const { return poison(expr.span); }
  std::string what(const std::string& parameter) const {
    return "the argument `" + parameter + "` of `" + expr.function.text + "`";
  }
  NewExpr make_call(std::string name, TypeRef type, std::vector<ExprRef> arguments, bool can_fail) {
    auto made = make(Op::kCall, std::move(type), expr.span, std::move(arguments));
    made->name = std::move(name);
    made->can_fail = can_fail;
    made->text = elaborator.context().text(expr.span);
    return made;
  }
  // A whole number from `low` to `high` that stands in the script; -1 if not (reported).
  int constant(std::size_t i, const std::string& parameter, int low, int high) {
    const ExprRef& value = args[i];
    if (!is_literal(value) || value->type->kind != Kind::kInt) {
      report(Code::constant_expected, at[i]->span,
             what(parameter) + " decides the type, so it is a number in the script")
          .label("not a constant");
      return -1;
    }
    const std::int64_t number = std::get<std::int64_t>(value->literal.value);
    if (number < low || number > high) {
      report(Code::literal_range, at[i]->span,
             what(parameter) + " is a number from " + std::to_string(low) + " to " + std::to_string(high))
          .label("not in that range");
      return -1;
    }
    return static_cast<int>(number);
  }
  // Reports an argument that may be absent; one of another type than `kinds` is left to the message about its type.
  bool absent(std::size_t i, const std::string& parameter, std::initializer_list<Kind> kinds = {}) {
    if (args[i]->type->kind != Kind::kNull && !types::is_optional(args[i]->type)) return false;
    const Kind inner = types::strip_optional(args[i]->type)->kind;
    if (inner != Kind::kNull && kinds.size() != 0 &&
        std::find(kinds.begin(), kinds.end(), inner) == kinds.end())
      return false;
    elaborator.report_absent(args[i], *at[i], what(parameter));
    return true;
  }
  ExprRef wrong(std::size_t i, const std::string& parameter, const std::string& wanted) {
    report(Code::wrong_type, at[i]->span, what(parameter) + " must be " + wanted)
        .label("this is " + types::to_string(args[i]->type));
    return failed();
  }
  // An int becomes a decimal of 19 digits, a literal one of its own.
  ExprRef as_decimal(const ExprRef& value) const {
    if (value->type->kind != Kind::kInt) return value;
    if (!is_literal(value)) return make_convert(value, types::decimal(19, 0));
    const std::int64_t number = std::get<std::int64_t>(value->literal.value);
    return make_decimal(number, types::decimal(digit_count(number), 0), value->span);
  }
};

// round(x, digits): decimal(p, s) -> decimal(p - s + n + 1, n), half to even.
ExprRef round(Call& call) {
  if (call.absent(0, "x", {Kind::kInt, Kind::kDecimal, Kind::kFloat})) return call.failed();
  const ExprRef value = call.as_decimal(call.args[0]);
  const int digits = call.constant(1, "digits", 0, 38);
  if (digits < 0) return call.failed();
  if (value->type->kind == Kind::kFloat) {
    call.report(Code::mixed_numbers, call.at[0]->span, "a float is rounded on its way to a decimal")
        .label("this is float")
        .suggest("say which decimal it becomes", call.expr.span,
                 "to_decimal(" + call.elaborator.context().raw(call.at[0]->span) + ", 18, " +
                     std::to_string(digits) + ")");
    return call.failed();
  }
  if (value->type->kind != Kind::kDecimal) return call.wrong(0, "x", "a decimal");
  const int whole = value->type->precision - value->type->scale;
  const bool carries = digits < value->type->scale;
  int precision = whole + digits + 1;
  if (precision > 38 && !carries) --precision;
  if (precision > 38) {
    call.report(Code::decimal_too_wide, call.expr.span,
                "the result could need " + std::to_string(precision) + " digits")
        .label("a decimal keeps 38");
    return call.failed();
  }
  const TypeRef type = types::decimal(precision, digits);
  if (!carries) return call.elaborator.convert(value, type);
  if (is_literal(value)) {
    const auto rounded =
        divide_decimal(std::get<flow::Int128>(value->literal.value), value->type->scale, 1, 0, digits);
    if (rounded) return make_decimal(*rounded, type, call.expr.span);
  }
  return call.make_call("round", type, {value, make_int(digits, call.expr.span)}, false);
}

// floor(x), ceil(x): of a float a float; decimal(p, s) -> decimal(p - s + 1, 0).
ExprRef whole(Call& call, const std::string& name) {
  if (call.absent(0, "x")) return call.failed();
  const ExprRef& value = call.args[0];
  if (value->type->kind == Kind::kFloat) return call.make_call(name, types::floating(), {value}, false);
  if (value->type->kind != Kind::kDecimal) return call.wrong(0, "x", "a decimal or a float");
  if (value->type->scale == 0) return value;
  return call.make_call(name, types::decimal(value->type->precision - value->type->scale + 1, 0), {value},
                        false);
}

// div(a, b): the whole part, towards zero.
ExprRef div(Call& call) {
  if (call.absent(0, "a", {Kind::kInt}) || call.absent(1, "b", {Kind::kInt})) return call.failed();
  for (std::size_t i = 0; i < 2; ++i) {
    if (call.args[i]->type->kind != Kind::kInt) return call.wrong(i, i == 0 ? "a" : "b", "int");
  }
  return call.elaborator.divide_integers(call.args[0], call.args[1], call.expr);
}

// ratio(a, b, scale): a / b with so many digits after the point, half to even.
ExprRef ratio(Call& call) {
  if (call.absent(0, "a", {Kind::kInt, Kind::kDecimal}) || call.absent(1, "b", {Kind::kInt, Kind::kDecimal}))
    return call.failed();
  const int scale = call.constant(2, "scale", 0, 38);
  if (scale < 0) return call.failed();
  for (std::size_t i = 0; i < 2; ++i) {
    call.args[i] = call.as_decimal(call.args[i]);
    if (call.args[i]->type->kind != Kind::kDecimal)
      return call.wrong(i, i == 0 ? "a" : "b", "an int or a decimal");
  }
  return call.elaborator.divide(call.args[0], call.args[1], call.expr, scale);
}

// to_decimal(x, precision, scale): what does not fit is a record error; digits after the point are never lost.
ExprRef to_decimal(Call& call) {
  const int precision = call.constant(1, "precision", 1, 38);
  const int scale = precision < 0 ? -1 : call.constant(2, "scale", 0, precision);
  if (scale < 0 || call.absent(0, "x")) return call.failed();
  const TypeRef type = types::decimal(precision, scale);
  const ExprRef& value = call.args[0];
  switch (value->type->kind) {
    case Kind::kInt:
    case Kind::kDecimal:
      if (ExprRef converted = call.elaborator.convert(value, type)) return converted;
      if (value->type->kind == Kind::kInt && !is_literal(value)) {
        return make_convert(value, type);
      }
      return call.elaborator.coerce(value, type, *call.at[0], call.what("x"));
    case Kind::kString:
    case Kind::kFloat:
      return call.make_call("to_decimal", type,
                            {value, make_int(precision, call.expr.span), make_int(scale, call.expr.span)},
                            true);
    default:
      return call.wrong(0, "x", "an int, decimal, float or string");
  }
}

ExprRef to_text(Call& call) {
  return call.elaborator.to_text(call.args[0], *call.at[0]);
}

// min(a, b), max(a, b): of two values with an order; the first of equals.
ExprRef extreme(Call& call, Op keep_first) {
  if (call.absent(0, "a") || call.absent(1, "b")) return call.failed();
  std::vector<ExprRef> sides = {call.args[0], call.args[1]};
  for (std::size_t i = 0; i < 2; ++i) {
    if (sides[1 - i]->type->kind == Kind::kDecimal) sides[i] = call.as_decimal(sides[i]);
  }
  if (!call.elaborator.unify(sides)) {
    call.report(Code::no_common_type, call.expr.span,
                "the two arguments of `" + call.expr.function.text + "` have different types")
        .label("one of the two is the result")
        .also(call.at[0]->span, "this is " + types::to_string(call.args[0]->type))
        .also(call.at[1]->span, "this is " + types::to_string(call.args[1]->type));
    return call.failed();
  }
  const int a = call.elaborator.new_local();
  const int b = call.elaborator.new_local();
  const ExprRef first = make_local(a, sides[0]->type, sides[0]->span);
  const ExprRef second = make_local(b, sides[1]->type, sides[1]->span);
  const ExprRef test = call.elaborator.compare(keep_first, first, second, call.expr, *call.at[0], *call.at[1],
                                               call.expr.function.span);
  if (is_poison(test)) return test;
  return make_let(a, sides[0], make_let(b, sides[1], make_if(test, first, second, call.expr.span)));
}

struct Rule {
  std::string name;
  std::vector<std::string> parameters;
  std::string signature;
  std::function<ExprRef(Call&)> apply;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"round", {"x", "digits"}, "`round(x: decimal, digits: int)`", round},
      {"floor", {"x"}, "`floor(x: decimal)`", [](Call& call) { return whole(call, "floor"); }},
      {"ceil", {"x"}, "`ceil(x: decimal)`", [](Call& call) { return whole(call, "ceil"); }},
      {"div", {"a", "b"}, "`div(a: int, b: int) -> int`", div},
      {"ratio", {"a", "b", "scale"}, "`ratio(a, b, scale: int) -> decimal`", ratio},
      {"to_decimal",
       {"x", "precision", "scale"},
       "`to_decimal(x, precision: int, scale: int) -> decimal(precision, scale)`",
       to_decimal},
      {"to_text", {"x"}, "`to_text(x) -> string`", to_text},
      {"min", {"a", "b"}, "`min(a: T, b: T) -> T`", [](Call& call) { return extreme(call, Op::kLessEqual); }},
      {"max",
       {"a", "b"},
       "`max(a: T, b: T) -> T`",
       [](Call& call) { return extreme(call, Op::kGreaterEqual); }},
  };
  return all;
}

const Rule* find_rule(const std::string& name) {
  for (const Rule& rule : rules()) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace

bool is_special(const std::string& name) {
  return find_rule(name) != nullptr;
}

const std::vector<std::string>& special_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Rule& rule : rules()) all.push_back(rule.name);
    return all;
  }();
  return names;
}

ExprRef Elaborator::call_compiled(const catalog::Function& function, const ast::CallExpr& expr) {
  const ExprRef value = call_library(function, expr);
  if (is_poison(value)) return value;
  std::string pattern;
  for (std::size_t i = 0; i < value->args.size() && i < function.overloads[0].parameters.size(); ++i) {
    const std::string& name = function.overloads[0].parameters[i].name;
    if (name != "pattern" && name != "zone") continue;
    if (is_literal(value->args[i])) {
      if (name == "pattern") {
        pattern = std::get<std::string>(value->args[i]->literal.value);
        const bool time = function.name == "parse_time" || function.name == "format_time";
        if (const auto problem = time ? time_pattern_problem(pattern, function.name == "parse_time")
                                      : regex_problem(pattern)) {
          auto& finding = report(Code::bad_pattern, value->args[i]->span, problem->message);
          finding.label("in this pattern");
          if (!problem->help.empty()) finding.help(problem->help);
          return poison(expr.span);
        }
      }
      if (name == "zone" && !zone_exists(std::get<std::string>(value->args[i]->literal.value))) {
        report(Code::bad_pattern, value->args[i]->span, "there is no time zone of this name")
            .label("not in the zone files of this machine")
            .help("zones are named as in \"Europe/Berlin\" and \"UTC\"");
        return poison(expr.span);
      }
      const bool zoneless = name == "zone" && function.name == "parse_time" &&
                            std::get<std::string>(value->args[i]->literal.value).empty();
      if (zoneless && !names_zone(pattern)) {
        auto& finding = report(Code::wrong_arguments, expr.span, "this pattern names no time zone")
                            .label("no %z in it, and no `zone`");
        finding.note("without a zone the same text is another instant on another machine");
        if (!expr.args.empty())
          finding.suggest("say which zone the texts are in", source::after(expr.args.back().span),
                          ", zone: \"UTC\"");
        return poison(expr.span);
      }
      continue;
    }
    report(Code::constant_expected, value->args[i]->span,
           "the " + name + " of `" + function.name + "` is compiled once, so it is a text in the script")
        .label("not a constant");
    return poison(expr.span);
  }
  return value;
}

bool takes_literals(const std::string& name) {
  return name == "matches" || name == "regex_extract" || name == "regex_replace" || name == "parse_time" ||
         name == "format_time";
}

ExprRef Elaborator::call_special(const ast::CallExpr& expr) {
  const Rule& rule = *find_rule(expr.function.text);
  const auto arranged = arrange(expr, rule.parameters, rule.parameters.size(), rule.signature);
  if (!arranged) {
    for (const ast::Arg& arg : expr.args) {
      if (arg.value != nullptr && arg.value->kind != ast::ExprKind::lambda) check(*arg.value);
    }
    return poison(expr.span);
  }
  Call call{*this, expr, *arranged, {}};
  bool failed = false;
  for (const ast::Expr* arg : *arranged) {
    call.args.push_back(check(*arg));
    failed |= is_poison(call.args.back());
  }
  return failed ? poison(expr.span) : rule.apply(call);
}

ExprRef Elaborator::to_text(const ExprRef& value, const ast::Expr& at) {
  if (value->type->kind == Kind::kNull || types::is_optional(value->type))
    return report_absent(value, at, "what becomes text");
  switch (value->type->kind) {
    case Kind::kString:
      return value;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kDecimal:
    case Kind::kTimestamp:
    case Kind::kDuration: {
      auto made = node(Op::kCall, types::string(), at, {value});
      made->name = "to_text";
      made->can_fail = value->type->kind == Kind::kFloat;
      return made;
    }
    default:
      report(Code::wrong_type, at.span, "only single values become text")
          .label("this is " + types::to_string(value->type));
      return poison(at.span);
  }
}

}  // namespace weir::check
