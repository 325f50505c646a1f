// Numbers whose digits are part of the type.
#include <llvm/IR/Constants.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/intrinsic.h"
#include "compiler/lower/unsupported.h"
#include "runtime/value/helpers.h"

namespace weir::lower {

using flow::Expr;
using types::Kind;

namespace {

llvm::Value* number(Emitter& e, int value) {
  return e.unit.constant32(static_cast<std::uint32_t>(value));
}

// round(x, digits) to fewer digits behind the point; the result type holds the carry.
template <weir_rounding rounding>
Value round(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  e.line(expr.span);
  if (value.type->kind != Kind::kDecimal || expr.type->kind != Kind::kDecimal) {
    throw Unsupported("rounding of " + types::to_string(value.type));
  }
  const int dropped = value.type->scale - expr.type->scale;
  if (dropped <= 0) {
    return narrow(e, expr.type, e.ir.CreateMul(wide(e, value), e.unit.constant128(power10(-dropped))));
  }
  return narrow(e, expr.type,
                e.call("weir_decimal_round", e.unit.i128,
                       {wide(e, value), number(e, dropped), number(e, static_cast<int>(rounding))}));
}

Value to_decimal(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  e.line(expr.span);
  llvm::Value* result = e.frame(16, "decimal");
  llvm::Value* scale = number(e, expr.type->scale);
  llvm::Value* precision = number(e, expr.type->precision);
  llvm::Value* status = nullptr;
  switch (value.type->kind) {
    case Kind::kString:
      status = e.call("weir_parse_decimal", e.unit.i32,
                      {e.first(value), e.second(value), scale, precision, result});
      break;
    case Kind::kFloat:
      status = e.call("weir_float_to_decimal", e.unit.i32, {e.first(value), scale, precision, result});
      break;
    default:
      throw Unsupported("a decimal of " + types::to_string(value.type));
  }
  e.fail_with_status(status, {5008, 5009, 5014, 5016}, quoted(expr));
  return narrow(e, expr.type, e.load(e.unit.i128, result));
}

Value to_float(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  return Value::scalar(
      expr.type, e.call("weir_decimal_to_float", e.unit.f64, {wide(e, value), number(e, value.type->scale)}));
}

Value to_int(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  e.line(expr.span);
  llvm::Value* result = e.frame(8, "int");
  llvm::Value* status =
      e.call("weir_decimal_to_int", e.unit.i32, {wide(e, value), number(e, value.type->scale), result});
  e.fail_with_status(status, {5009}, quoted(expr));
  return Value::scalar(expr.type, e.load(e.unit.i64, result));
}

Value absolute(Emitter& e, const Expr& expr) {
  llvm::Value* value = e.first(emit(e, *expr.args[0]));
  llvm::Value* negative = e.ir.CreateICmpSLT(value, llvm::Constant::getNullValue(value->getType()));
  return Value::scalar(expr.type, e.ir.CreateSelect(negative, e.ir.CreateNeg(value), value));
}

Value sign(Emitter& e, const Expr& expr) {
  llvm::Value* value = e.first(emit(e, *expr.args[0]));
  llvm::Value* zero = llvm::Constant::getNullValue(value->getType());
  llvm::Value* negative =
      e.ir.CreateSelect(e.ir.CreateICmpSLT(value, zero), e.unit.constant(-1), e.unit.constant(0));
  return Value::scalar(expr.type,
                       e.ir.CreateSelect(e.ir.CreateICmpSGT(value, zero), e.unit.constant(1), negative));
}

}  // namespace

const Intrinsics& number_intrinsics() {
  static const Intrinsics table = {
      {"round", round<WEIR_ROUND_HALF_EVEN>},
      {"floor", round<WEIR_ROUND_FLOOR>},
      {"ceil", round<WEIR_ROUND_CEILING>},
      {"to_decimal", to_decimal},
      {"to_float", to_float},
      {"to_int", to_int},
      {"abs", absolute},
      {"sign", sign},
  };
  return table;
}

}  // namespace weir::lower
