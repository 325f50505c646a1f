// Checked arithmetic. Nothing wraps, nothing traps: what does not fit is a record error.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using flow::Op;
using types::Kind;

namespace {

llvm::Value* checked(Emitter& e, llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b, int code,
                     const Expr& expr) {
  llvm::Value* pair = e.ir.CreateBinaryIntrinsic(operation, a, b);
  e.fail_if(e.ir.CreateExtractValue(pair, 1), code, message_of(code, expr));
  return e.ir.CreateExtractValue(pair, 0);
}

void refuse_zero(Emitter& e, llvm::Value* divisor, const Expr& expr) {
  e.fail_if(e.ir.CreateICmpEQ(divisor, llvm::Constant::getNullValue(divisor->getType())), 5007,
            message_of(5007, expr));
}

llvm::Intrinsic::ID overflow_operation(Op op) {
  switch (op) {
    case Op::kAdd:
      return llvm::Intrinsic::sadd_with_overflow;
    case Op::kSubtract:
      return llvm::Intrinsic::ssub_with_overflow;
    default:
      return llvm::Intrinsic::smul_with_overflow;
  }
}

// int op int, duration op duration, duration op int.
llvm::Value* integers(Emitter& e, const Expr& expr, llvm::Value* a, llvm::Value* b) {
  llvm::Value* minus_one = e.unit.constant(-1);
  switch (expr.op) {
    case Op::kDivide: {
      refuse_zero(e, b, expr);
      llvm::Value* overflow =
          e.ir.CreateAnd(e.ir.CreateICmpEQ(b, minus_one), e.ir.CreateICmpEQ(a, e.unit.constant(INT64_MIN)));
      e.fail_if(overflow, 5006, message_of(5006, expr));
      return e.ir.CreateSDiv(a, b);
    }
    case Op::kRemainder: {
      refuse_zero(e, b, expr);
      // The smallest integer has remainder 0 by -1, but the machine's division traps.
      llvm::Value* divisor = e.ir.CreateSelect(e.ir.CreateICmpEQ(b, minus_one), e.unit.constant(1), b);
      return e.ir.CreateSRem(a, divisor);
    }
    default:
      return checked(e, overflow_operation(expr.op), a, b, 5006, expr);
  }
}

llvm::Value* floats(Emitter& e, const Expr& expr, llvm::Value* a, llvm::Value* b) {
  switch (expr.op) {
    case Op::kAdd:
      return e.ir.CreateFAdd(a, b);
    case Op::kSubtract:
      return e.ir.CreateFSub(a, b);
    case Op::kMultiply:
      return e.ir.CreateFMul(a, b);
    case Op::kDivide:
      return e.ir.CreateFDiv(a, b);
    default:
      return e.ir.CreateFRem(a, b);
  }
}

Value timestamps(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  const bool swapped = a.type->kind == Kind::kDuration;  // duration + timestamp
  llvm::Value* time = e.first(swapped ? b : a);
  llvm::Value* distance = e.first(swapped ? a : b);
  llvm::Value* pair = e.ir.CreateBinaryIntrinsic(overflow_operation(expr.op), time, distance);
  llvm::Value* result = e.ir.CreateExtractValue(pair, 0);
  llvm::Value* outside = e.ir.CreateOr(e.ir.CreateICmpSLT(result, e.unit.constant(time_min)),
                                       e.ir.CreateICmpSGT(result, e.unit.constant(time_max)));
  e.fail_if(e.ir.CreateOr(e.ir.CreateExtractValue(pair, 1), outside), 5010, message_of(5010, expr));
  return Value::scalar(expr.type, result);
}

// ---- Decimals

llvm::Value* digits_constant(Emitter& e, int value) {
  return e.unit.constant32(static_cast<std::uint32_t>(value));
}

// The operand at another scale, in 128 bits. Only where that could leave the 38 digits is it checked.
llvm::Value* at_scale(Emitter& e, const Value& value, int scale, const Expr& expr) {
  llvm::Value* number = wide(e, value);
  const int up = scale - value.type->scale;
  if (up <= 0) return number;
  if (value.type->precision + up <= 38) return e.ir.CreateMul(number, e.unit.constant128(power10(up)));
  llvm::Value* result = e.frame(16, "rescaled");
  e.fail_with_status(e.call("weir_decimal_rescale", e.unit.i32,
                            {number, digits_constant(e, value.type->scale), digits_constant(e, scale),
                             digits_constant(e, 38), result}),
                     {5008}, quoted(expr));
  return e.load(e.unit.i128, result);
}

Value decimal_by_helper(Emitter& e, const Expr& expr, const char* helper, std::vector<llvm::Value*> args,
                        const std::vector<int>& codes = {5008}) {
  llvm::Value* result = e.frame(16, "result");
  args.push_back(result);
  e.fail_with_status(e.call(helper, e.unit.i32, args), codes, quoted(expr));
  return narrow(e, expr.type, e.load(e.unit.i128, result));
}

// What the declared type cannot hold is a record error, where the language's result type does not rule it out.
Value fitted(Emitter& e, const Expr& expr, llvm::Value* value) {
  if (flow::own_fallible(expr)) {
    e.fail_with_status(
        e.call("weir_decimal_check", e.unit.i32, {value, digits_constant(e, expr.type->precision)}), {5008},
        quoted(expr));
  }
  return narrow(e, expr.type, value);
}

Value decimal_sum(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  const bool add = expr.op == Op::kAdd;
  const int scale = std::max({expr.type->scale, a.type->scale, b.type->scale});
  // Everything below 18 digits stays in one register.
  if (!is_wide(*expr.type) && scale == expr.type->scale && !flow::own_fallible(expr)) {
    const auto narrow_operand = [&](const Value& value) {
      llvm::Value* number = e.first(value);
      const int up = scale - value.type->scale;
      return up == 0 ? number
                     : e.ir.CreateMul(number, e.unit.constant(static_cast<std::int64_t>(power10(up))));
    };
    llvm::Value* left = narrow_operand(a);
    llvm::Value* right = narrow_operand(b);
    return Value::scalar(expr.type, add ? e.ir.CreateAdd(left, right) : e.ir.CreateSub(left, right));
  }
  llvm::Value* left = at_scale(e, a, scale, expr);
  llvm::Value* right = at_scale(e, b, scale, expr);
  // 38 digits and 38 digits stay below 2^128 / 2.
  llvm::Value* sum = flow::own_fallible(expr)
                         ? checked(e, overflow_operation(expr.op), left, right, 5008, expr)
                     : add ? e.ir.CreateAdd(left, right)
                           : e.ir.CreateSub(left, right);
  if (scale > expr.type->scale) {
    return decimal_by_helper(e, expr, "weir_decimal_rescale",
                             {sum, digits_constant(e, scale), digits_constant(e, expr.type->scale),
                              digits_constant(e, expr.type->precision)});
  }
  return fitted(e, expr, sum);
}

Value decimal_product(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  const int scale = a.type->scale + b.type->scale;
  const int precision = a.type->precision + b.type->precision;
  if (precision <= 18 && scale == expr.type->scale && !flow::own_fallible(expr) && !is_wide(*expr.type)) {
    return Value::scalar(expr.type, e.ir.CreateMul(e.first(a), e.first(b)));
  }
  if (precision <= 38 && scale == expr.type->scale)
    return fitted(e, expr, e.ir.CreateMul(wide(e, a), wide(e, b)));
  return decimal_by_helper(e, expr, "weir_decimal_multiply",
                           {wide(e, a), wide(e, b), digits_constant(e, scale),
                            digits_constant(e, expr.type->scale), digits_constant(e, expr.type->precision)});
}

Value decimal_quotient(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  return decimal_by_helper(
      e, expr, "weir_decimal_divide",
      {wide(e, a), digits_constant(e, a.type->scale), wide(e, b), digits_constant(e, b.type->scale),
       digits_constant(e, expr.type->scale), digits_constant(e, expr.type->precision)},
      {5007, 5008});
}

Value decimal_remainder(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  const int scale = std::max(a.type->scale, b.type->scale);
  llvm::Value* left = at_scale(e, a, scale, expr);
  llvm::Value* right = at_scale(e, b, scale, expr);
  refuse_zero(e, right, expr);
  // -1 would overflow only for a value that no decimal has.
  llvm::Value* rest = e.ir.CreateSRem(left, right);
  if (scale != expr.type->scale) {
    return decimal_by_helper(e, expr, "weir_decimal_rescale",
                             {rest, digits_constant(e, scale), digits_constant(e, expr.type->scale),
                              digits_constant(e, expr.type->precision)});
  }
  return fitted(e, expr, rest);
}

Value decimals(Emitter& e, const Expr& expr, const Value& a, const Value& b) {
  switch (expr.op) {
    case Op::kMultiply:
      return decimal_product(e, expr, a, b);
    case Op::kDivide:
      return decimal_quotient(e, expr, a, b);
    case Op::kRemainder:
      return decimal_remainder(e, expr, a, b);
    default:
      return decimal_sum(e, expr, a, b);
  }
}

}  // namespace

Value emit_negate(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  llvm::Value* number = e.first(value);
  switch (expr.type->kind) {
    case Kind::kFloat:
      return Value::scalar(expr.type, e.ir.CreateFNeg(number));
    case Kind::kDecimal:
      return Value::scalar(expr.type, e.ir.CreateNeg(number));
    default:
      return Value::scalar(
          expr.type, checked(e, llvm::Intrinsic::ssub_with_overflow, e.unit.constant(0), number, 5006, expr));
  }
}

Value emit_arithmetic(Emitter& e, const Expr& expr) {
  const Value a = emit(e, *expr.args[0]);
  const Value b = emit(e, *expr.args[1]);
  e.line(expr.span);
  switch (expr.type->kind) {
    case Kind::kInt:
      return Value::scalar(expr.type, integers(e, expr, e.first(a), e.first(b)));
    case Kind::kFloat:
      return Value::scalar(expr.type, floats(e, expr, e.first(a), e.first(b)));
    case Kind::kDecimal:
      return decimals(e, expr, a, b);
    case Kind::kTimestamp:
      return timestamps(e, expr, a, b);
    case Kind::kDuration:
      if (a.type->kind == Kind::kTimestamp) {
        return Value::scalar(expr.type, e.ir.CreateSub(e.first(a), e.first(b)));
      }
      return Value::scalar(expr.type, integers(e, expr, e.first(a), e.first(b)));
    default:
      throw Unsupported("arithmetic on " + types::to_string(expr.type));
  }
}

}  // namespace weir::lower
