#include "compiler/check/constant.h"

#include <limits>

namespace weir::check {
namespace {

using flow::Int128;

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

Folded integers(Op op, const TypeRef& type, std::int64_t a, std::int64_t b, Span span) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Op::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Op::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Op::kDivide:
    case Op::kRemainder:
      if (b == 0) return {nullptr, "division by zero"};
      if (a == kMin && b == -1) {
        overflow = op == Op::kDivide;
        result = 0;
      } else {
        result = op == Op::kDivide ? a / b : a % b;
      }
      break;
    default:
      return {};
  }
  if (overflow)
    return {nullptr, type->kind == Kind::kInt ? "the result does not fit an int" : "the result does not fit"};
  auto expr = make(Op::kLiteral, type, span);
  expr->literal.value = result;
  return {expr, ""};
}

Folded decimals(Op op, const TypeRef& type, const ExprRef& left, const ExprRef& right, Span span) {
  const Int128 a = std::get<Int128>(left->literal.value);
  const Int128 b = std::get<Int128>(right->literal.value);
  const int a_scale = left->type->scale;
  const int b_scale = right->type->scale;
  const int scale = type->scale;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract: {
      const Int128 x = a * power_of_ten(scale - a_scale);
      const Int128 y = b * power_of_ten(scale - b_scale);
      return {make_decimal(op == Op::kAdd ? x + y : x - y, type, span), ""};
    }
    case Op::kMultiply:
      return {make_decimal(a * b, type, span), ""};
    case Op::kDivide: {
      if (b == 0) return {nullptr, "division by zero"};
      const std::optional<Int128> quotient = divide_decimal(a, a_scale, b, b_scale, scale);
      if (!quotient) return {};
      return {make_decimal(*quotient, type, span), ""};
    }
    case Op::kRemainder: {
      if (b == 0) return {nullptr, "division by zero"};
      const Int128 x = a * power_of_ten(scale - a_scale);
      const Int128 y = b * power_of_ten(scale - b_scale);
      return {make_decimal(x % y, type, span), ""};
    }
    default:
      return {};
  }
}

}  // namespace

bool is_zero(const ExprRef& expr) {
  if (!is_literal(expr)) return false;
  if (expr->type->kind == Kind::kInt) return std::get<std::int64_t>(expr->literal.value) == 0;
  if (expr->type->kind == Kind::kDecimal) return std::get<Int128>(expr->literal.value) == 0;
  return false;
}

std::optional<Int128> divide_decimal(Int128 a, int a_scale, Int128 b, int b_scale, int scale) {
  if (b == 0) return std::nullopt;
  Int128 numerator = a;
  Int128 denominator = b;
  const int shift = scale - a_scale + b_scale;
  if (shift >= 0 ? (shift > 38 || __builtin_mul_overflow(a, power_of_ten(shift), &numerator))
                 : (-shift > 38 || __builtin_mul_overflow(b, power_of_ten(-shift), &denominator))) {
    return std::nullopt;
  }
  Int128 quotient = numerator / denominator;
  const Int128 rest = numerator % denominator;
  const bool negative = (numerator < 0) != (denominator < 0);
  const Int128 twice_rest = rest < 0 ? -rest : rest;
  const Int128 half = denominator < 0 ? -denominator : denominator;
  const bool up = twice_rest > half - twice_rest || (twice_rest == half - twice_rest && quotient % 2 != 0);
  if (up) quotient += negative ? -1 : 1;
  return quotient;
}

Folded fold(Op op, const TypeRef& type, const ExprRef& left, const ExprRef& right, Span span) {
  const bool divides = op == Op::kDivide || op == Op::kRemainder;
  if (divides && is_zero(right)) return {nullptr, "division by zero"};
  if (!is_literal(left) || !is_literal(right)) return {};
  const Kind a = left->type->kind;
  const Kind b = right->type->kind;
  if (a == Kind::kDecimal && b == Kind::kDecimal && type->kind == Kind::kDecimal)
    return decimals(op, type, left, right, span);
  const bool whole = (a == Kind::kInt || a == Kind::kDuration || a == Kind::kTimestamp) &&
                     (b == Kind::kInt || b == Kind::kDuration || b == Kind::kTimestamp);
  if (whole && type->kind != Kind::kTimestamp) {
    return integers(op, type, std::get<std::int64_t>(left->literal.value),
                    std::get<std::int64_t>(right->literal.value), span);
  }
  return {};
}

}  // namespace weir::check
