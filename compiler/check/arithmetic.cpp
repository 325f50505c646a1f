// + - * / % and the sign.
#include <algorithm>
#include <limits>

#include "compiler/check/constant.h"
#include "compiler/check/elaborator.h"

namespace weir::check {
namespace {

Op op_of(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::add:
      return Op::kAdd;
    case ast::BinaryOp::subtract:
      return Op::kSubtract;
    case ast::BinaryOp::multiply:
      return Op::kMultiply;
    case ast::BinaryOp::divide:
      return Op::kDivide;
    default:
      return Op::kRemainder;
  }
}

const char* sign_of(Op op) {
  switch (op) {
    case Op::kAdd:
      return "+";
    case Op::kSubtract:
      return "-";
    case Op::kMultiply:
      return "*";
    case Op::kDivide:
      return "/";
    default:
      return "%";
  }
}

bool is_number(const TypeRef& type) {
  return type->kind == Kind::kInt || type->kind == Kind::kFloat || type->kind == Kind::kDecimal;
}

bool is_time(const TypeRef& type) {
  return type->kind == Kind::kTimestamp || type->kind == Kind::kDuration;
}

// The type of the result; precision may be above 38.
struct Digits {
  int precision;
  int scale;
};

Digits result_digits(Op op, const types::Type& a, const types::Type& b, int scale) {
  const int a_whole = a.precision - a.scale;
  const int b_whole = b.precision - b.scale;
  switch (op) {
    case Op::kMultiply:
      return {a.precision + b.precision, a.scale + b.scale};
    case Op::kDivide: {
      const int digits = scale >= 0 ? scale : std::max({6, a.scale, b.scale});
      return {std::max(a_whole + b.scale + digits, 1), digits};
    }
    case Op::kRemainder: {
      const int digits = std::max(a.scale, b.scale);
      return {std::max(std::min(a_whole, b_whole) + digits, 1), digits};
    }
    default: {
      const int digits = std::max(a.scale, b.scale);
      return {std::max(a_whole, b_whole) + 1 + digits, digits};
    }
  }
}

}  // namespace

ExprRef Elaborator::folded(Op op, const TypeRef& type, const ExprRef& left, const ExprRef& right, Span span) {
  const Folded result = fold(op, type, left, right, span);
  if (result.failure.empty()) return result.value;
  if (scope_.tried) return nullptr;
  report(Code::constant_fails, span, "this always fails: " + result.failure)
      .label("known before any record is read");
  return poison(span);
}

ExprRef Elaborator::divide_integers(const ExprRef& left, const ExprRef& right, const ast::Expr& at) {
  if (ExprRef constant = folded(Op::kDivide, types::integer(), left, right, at.span)) return constant;
  return node(Op::kDivide, types::integer(), at, {left, right});
}

ExprRef Elaborator::arithmetic(const ast::BinaryExpr& expr, const TypeRef& hint) {
  // The hint reaches literals only where it is a float: decimals take their digits from what is written.
  const TypeRef wanted =
      hint != nullptr && types::strip_optional(hint)->kind == Kind::kFloat ? hint : nullptr;
  ExprRef left = check(*expr.left, wanted);
  ExprRef right = check(*expr.right, wanted);
  if (is_poison(left) || is_poison(right)) return poison(expr.span);
  const TypeRef a = types::strip_optional(left->type);
  const TypeRef b = types::strip_optional(right->type);
  const auto fits = [](const TypeRef& type) {
    return type->kind == Kind::kNull || is_number(type) || is_time(type);
  };
  if (fits(a) && fits(b)) {
    for (const auto& [value, at] : {std::pair{&left, expr.left}, std::pair{&right, expr.right}}) {
      const TypeRef& type = (*value)->type;
      if (type->kind == Kind::kNull || types::is_optional(type)) {
        return report_absent(*value, *at, "an operand of `" + std::string(sign_of(op_of(expr.op))) + "`");
      }
    }
  }
  const Op op = op_of(expr.op);
  if (is_number(left->type) && is_number(right->type))
    return numbers(op, std::move(left), std::move(right), expr);
  bool matched = false;
  ExprRef result = times(op, left, right, expr, matched);
  if (matched) return result;

  auto& finding =
      report(Code::wrong_type, expr.op_span, "`" + std::string(sign_of(op)) + "` does not go between these")
          .label("not for these types")
          .also(expr.left->span, "this is " + types::to_string(left->type))
          .also(expr.right->span, "this is " + types::to_string(right->type));
  const auto text_like = [](const TypeRef& type) {
    return type->kind == Kind::kString || type->kind == Kind::kInt || type->kind == Kind::kDecimal ||
           type->kind == Kind::kBool;
  };
  if (op == Op::kAdd && (left->type->kind == Kind::kString || right->type->kind == Kind::kString) &&
      text_like(left->type) && text_like(right->type)) {
    const auto part = [&](const ast::Expr& at) {
      if (const auto* literal = ast::try_as<ast::StringLiteral>(&at)) {
        const std::string raw = context_.raw(literal->span);
        if (raw.size() >= 2 && raw.front() == '"') return raw.substr(1, raw.size() - 2);
      }
      const bool number = at.kind == ast::ExprKind::int_literal || at.kind == ast::ExprKind::decimal_literal;
      return number ? context_.raw(at.span) : "${" + context_.raw(at.span) + "}";
    };
    finding.suggest("put texts together by interpolation", expr.span,
                    "\"" + part(*expr.left) + part(*expr.right) + "\"");
  }
  return poison(expr.span);
}

ExprRef Elaborator::numbers(Op op, ExprRef left, ExprRef right, const ast::BinaryExpr& expr) {
  const auto kind = [](const ExprRef& value) { return value->type->kind; };
  if (kind(left) == Kind::kFloat || kind(right) == Kind::kFloat) {
    for (ExprRef* side : {&left, &right}) {
      if (kind(*side) == Kind::kFloat) continue;
      if (is_number_literal(*side)) {
        *side = convert(*side, types::floating());
        continue;
      }
      const ast::Expr& at = side == &left ? *expr.left : *expr.right;
      const ExprRef& other = side == &left ? right : left;
      auto& finding =
          report(Code::mixed_numbers, expr.op_span,
                 "a float and " + std::string(kind(*side) == Kind::kInt ? "an int" : "a decimal") +
                     " do not mix")
              .label("which of the two is meant?")
              .also(at.span, "this is " + types::to_string((*side)->type))
              .also((side == &left ? expr.right : expr.left)->span,
                    "this is " + types::to_string(other->type))
              .note("a float is not exact, and digits are only given up where the script says so");
      if (context_.library.overload("to_float", {(*side)->type}) != nullptr) {
        finding.suggest("compute with floats", at.span, "to_float(" + context_.raw(at.span) + ")");
      }
      return poison(expr.span);
    }
    return node(op, types::floating(), expr, {left, right});
  }
  if (kind(left) == Kind::kDecimal || kind(right) == Kind::kDecimal) {
    for (ExprRef* side : {&left, &right}) {
      if (kind(*side) != Kind::kInt) continue;
      if (is_literal(*side)) {
        const std::int64_t value = std::get<std::int64_t>((*side)->literal.value);
        *side = make_decimal(value, types::decimal(digit_count(value), 0), (*side)->span);
      } else {
        *side = make_convert(*side, types::decimal(19, 0));
      }
    }
    return decimals(op, left, right, expr, -1);
  }
  if (op == Op::kDivide) {
    const std::string a = context_.raw(expr.left->span);
    const std::string b = context_.raw(expr.right->span);
    report(Code::integer_division, expr.op_span, "`/` between integers has no one meaning")
        .label("both sides are int")
        .note("cutting off the fraction silently is a wrong value to some, a decimal to others")
        .suggest("the whole part", expr.span, "div(" + a + ", " + b + ")")
        .suggest("a decimal with 4 digits after the point", expr.span,
                 "ratio(" + a + ", " + b + ", scale: 4)");
    return poison(expr.span);
  }
  if (ExprRef constant = folded(op, types::integer(), left, right, expr.span)) return constant;
  return node(op, types::integer(), expr, {left, right});
}

ExprRef Elaborator::decimals(Op op, const ExprRef& left, const ExprRef& right, const ast::Expr& at,
                             int scale) {
  const Digits digits = result_digits(op, *left->type, *right->type, scale);
  if (digits.precision > 38 || digits.scale > 38) {
    auto& finding = report(Code::decimal_too_wide, at.span,
                           "the result of `" + std::string(sign_of(op)) + "` could need " +
                               std::to_string(digits.precision) + " digits")
                        .label("a decimal keeps 38");
    finding.also(left->span, "this is " + types::to_string(left->type))
        .also(right->span, "this is " + types::to_string(right->type));
    const ExprRef& wider = left->type->scale >= right->type->scale ? left : right;
    if (wider->type->scale > 2) {
      finding.help("`round(x, n)` gives digits after the point up: `round(" + context_.text(wider->span) +
                   ", 2)`");
    } else {
      const ExprRef& longer = left->type->precision >= right->type->precision ? left : right;
      finding.help("fewer digits before the point, checked for every record: `to_decimal(" +
                   context_.text(longer->span) + ", 18, " + std::to_string(longer->type->scale) +
                   ")`; fewer after it: `round(x, n)`");
    }
    return poison(at.span);
  }
  const TypeRef type = types::decimal(digits.precision, digits.scale);
  if (ExprRef constant = folded(op, type, left, right, at.span)) return constant;
  return node(op, type, at, {left, right});
}

ExprRef Elaborator::divide(const ExprRef& left, const ExprRef& right, const ast::Expr& at, int scale) {
  return decimals(Op::kDivide, left, right, at, scale);
}

ExprRef Elaborator::times(Op op, const ExprRef& left, const ExprRef& right, const ast::BinaryExpr& expr,
                          bool& matched) {
  const Kind a = left->type->kind;
  const Kind b = right->type->kind;
  if (!is_time(left->type) && !is_time(right->type)) return nullptr;
  TypeRef type;
  if (a == Kind::kTimestamp && b == Kind::kDuration && (op == Op::kAdd || op == Op::kSubtract))
    type = types::timestamp();
  if (a == Kind::kTimestamp && b == Kind::kTimestamp && op == Op::kSubtract) type = types::duration();
  if (a == Kind::kDuration && b == Kind::kDuration && (op == Op::kAdd || op == Op::kSubtract))
    type = types::duration();
  if (a == Kind::kDuration && b == Kind::kInt && (op == Op::kMultiply || op == Op::kDivide))
    type = types::duration();
  if (a == Kind::kInt && b == Kind::kDuration && op == Op::kMultiply) {
    // The operation has the duration on the left; evaluate in the written order all the same.
    matched = true;
    if (ExprRef constant = folded(op, types::duration(), left, right, expr.span)) return constant;
    const int id = new_local();
    const ExprRef local = make_local(id, left->type, left->span);
    return make_let(id, left, node(op, types::duration(), expr, {right, local}));
  }
  if (type == nullptr) return nullptr;
  matched = true;
  if (ExprRef constant = folded(op, type, left, right, expr.span)) return constant;
  return node(op, type, expr, {left, right});
}

ExprRef Elaborator::unary(const ast::UnaryExpr& expr, const TypeRef& hint) {
  if (expr.op == ast::UnaryOp::negate) return negate(expr, hint);
  const ExprRef operand = condition(*expr.operand, "the operand of `not`");
  return is_poison(operand) ? poison(expr.span) : make_not(operand, expr.span);
}

ExprRef Elaborator::negate(const ast::UnaryExpr& expr, const TypeRef& hint) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  if (const auto* number = ast::try_as<ast::IntLiteral>(expr.operand)) {
    const TypeRef wanted = hint == nullptr ? nullptr : types::strip_optional(hint);
    const bool other = wanted != nullptr && (wanted->kind == Kind::kFloat || wanted->kind == Kind::kDecimal);
    if (number->value && *number->value == 9'223'372'036'854'775'808ull && !other)
      return make_int(kMin, expr.span);
  }
  const ExprRef operand = check(*expr.operand, hint);
  if (is_poison(operand)) return poison(expr.span);
  const TypeRef inner = types::strip_optional(operand->type);
  const bool fits = inner->kind == Kind::kNull || is_number(inner) || inner->kind == Kind::kDuration;
  if (fits && (inner->kind == Kind::kNull || types::is_optional(operand->type))) {
    return report_absent(operand, *expr.operand, "the operand of `-`");
  }
  switch (operand->type->kind) {
    case Kind::kInt:
    case Kind::kDuration:
      if (is_literal(operand)) {
        const std::int64_t value = std::get<std::int64_t>(operand->literal.value);
        if (value == kMin && scope_.tried) break;
        if (value == kMin) {
          report(Code::constant_fails, expr.span, "this always fails: the result does not fit an int")
              .label("known before any record is read");
          return poison(expr.span);
        }
        return operand->type->kind == Kind::kInt ? make_int(-value, expr.span)
                                                 : make_duration(-value, expr.span);
      }
      break;
    case Kind::kDecimal:
      if (is_literal(operand))
        return make_decimal(-std::get<flow::Int128>(operand->literal.value), operand->type, expr.span);
      break;
    case Kind::kFloat:
      if (is_literal(operand)) return make_float(-std::get<double>(operand->literal.value), expr.span);
      break;
    default:
      report(Code::wrong_type, expr.operand->span, "`-` needs a number or a duration")
          .label("this is " + types::to_string(operand->type));
      return poison(expr.span);
  }
  return node(Op::kNegate, operand->type, expr, {operand});
}

}  // namespace weir::check
