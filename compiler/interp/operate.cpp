// Operations on values whose arguments are known.
#include <cmath>
#include <limits>

#include "compiler/interp/evaluate.h"
#include "compiler/interp/wide.h"

namespace weir::interp {
namespace {

using flow::Expr;
using flow::Op;
using types::Kind;

using Outcome = std::expected<Value, int>;

constexpr std::int64_t kTimeMin = -62'135'596'800'000'000;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kTimeMax = 253'402'300'799'999'999;  // 9999-12-31T23:59:59.999999Z

Outcome integers(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  bool overflow = false;
  switch (op) {
    case Op::kAdd:
      overflow = __builtin_add_overflow(a, b, &out);
      break;
    case Op::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &out);
      break;
    case Op::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &out);
      break;
    default:
      if (b == 0) return std::unexpected(division_by_zero);
      if (op == Op::kRemainder) return Value{b == -1 ? std::int64_t(0) : a % b};
      overflow = b == -1 && a == std::numeric_limits<std::int64_t>::min();
      if (!overflow) out = a / b;
  }
  if (overflow) return std::unexpected(integer_overflow);
  return Value{out};
}

Outcome floats(Op op, double a, double b) {
  switch (op) {
    case Op::kAdd:
      return Value{a + b};
    case Op::kSubtract:
      return Value{a - b};
    case Op::kMultiply:
      return Value{a * b};
    case Op::kDivide:
      return Value{a / b};
    default:
      return Value{std::fmod(a, b)};
  }
}

Outcome timestamps(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  const bool overflow =
      op == Op::kAdd ? __builtin_add_overflow(a, b, &out) : __builtin_sub_overflow(a, b, &out);
  if (overflow || out < kTimeMin || out > kTimeMax) return std::unexpected(timestamp_range);
  return Value{out};
}

Outcome arithmetic_on(const Expr& expr, std::span<const Value> args) {
  const types::Type& a = *expr.args[0]->type;
  const types::Type& b = *expr.args[1]->type;
  switch (expr.type->kind) {
    case Kind::kFloat:
      return floats(expr.op, args[0].floating(), args[1].floating());
    case Kind::kDecimal: {
      const auto result = arithmetic(expr.op, {args[0].decimal(), a.scale}, {args[1].decimal(), b.scale},
                                     expr.type->scale, expr.type->precision);
      if (!result.has_value()) return std::unexpected(result.error());
      return Value{*result};
    }
    case Kind::kTimestamp:
      return timestamps(expr.op, args[0].integer(), args[1].integer());
    case Kind::kDuration:
      if (a.kind == Kind::kTimestamp) return Value{args[0].integer() - args[1].integer()};
      return integers(expr.op, args[0].integer(), args[1].integer());
    default:
      return integers(expr.op, args[0].integer(), args[1].integer());
  }
}

Outcome negate(const Value& value) {
  if (const auto* number = std::get_if<double>(&value.data)) return Value{-*number};
  if (const auto* number = std::get_if<Int128>(&value.data)) return Value{-*number};
  return integers(Op::kSubtract, 0, value.integer());
}

Outcome compare_values(Op op, const Value& a, const Value& b) {
  if (op == Op::kEqual) return Value{equal(a, b)};
  if (op == Op::kNotEqual) return Value{!equal(a, b)};
  const int order = compare(a, b);
  switch (op) {
    case Op::kLess:
      return Value{order == -1};
    case Op::kLessEqual:
      return Value{order == -1 || order == 0};
    case Op::kGreater:
      return Value{order == 1};
    default:
      return Value{order == 1 || order == 0};
  }
}

Outcome to_decimal(const Value& value, const types::Type& from, const types::Type& to) {
  const Scaled number =
      from.kind == Kind::kInt ? Scaled{value.integer(), 0} : Scaled{value.decimal(), from.scale};
  const auto result = rescale(number, to.scale, to.precision);
  if (!result.has_value()) return std::unexpected(result.error());
  return Value{*result};
}

Outcome to_record(const Value& value, const types::Type& from, const types::Type& to) {
  Values out;
  for (std::size_t i = 0; i < to.fields.size(); ++i) {
    Outcome field = convert(value.values()[i], *from.fields[i].type, *to.fields[i].type);
    if (!field.has_value()) return field;
    out.push_back(std::move(*field));
  }
  return list_of(std::move(out));
}

}  // namespace

std::expected<Value, int> convert(const Value& value, const types::Type& from, const types::Type& to) {
  if (value.absent()) return value;
  if (from.kind == Kind::kOptional) return convert(value, *from.element, to);
  if (to.kind == Kind::kOptional) return convert(value, from, *to.element);
  if (types::same(from, to)) return value;
  switch (to.kind) {
    case Kind::kDecimal:
      return to_decimal(value, from, to);
    case Kind::kFloat:
      if (from.kind == Kind::kInt) return Value{static_cast<double>(value.integer())};
      return Value{to_float({value.decimal(), from.scale})};
    case Kind::kRecord:
      return to_record(value, from, to);
    default:
      return value;
  }
}

std::expected<Value, int> operate(const Expr& expr, std::span<const Value> args) {
  switch (expr.op) {
    case Op::kNegate:
      return negate(args[0]);
    case Op::kConvert:
      return convert(args[0], *expr.args[0]->type, *expr.type);
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      return compare_values(expr.op, args[0], args[1]);
    default:
      return arithmetic_on(expr, args);
  }
}

}  // namespace weir::interp
