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

llvm::Value* number(Emitter& e, int value) { return e.unit.constant32(static_cast<std::uint32_t>(value)); }

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
  return narrow(e, expr.type, e.call("weir_decimal_round", e.unit.i128, {wide(e, value), number(e, dropped),
                                                                         number(e, static_cast<int>(rounding))}));
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
      status = e.call("weir_parse_decimal", e.unit.i32, {e.first(value), e.second(value), scale, precision, result});
      break;
    case Kind::kFloat:
      status = e.call("weir_float_to_decimal", e.unit.i32, {e.first(value), scale, precision, result});
      break;
    default:
      throw Unsupported("a decimal of " + types::to_string(value.type));
  }
  e.fail_with_status(status, quoted(expr));
  return narrow(e, expr.type, e.load(e.unit.i128, result));
}

}  // namespace

const Intrinsics& number_intrinsics() {
  static const Intrinsics table = {
      {"round", round<WEIR_ROUND_HALF_EVEN>},
      {"round_down", round<WEIR_ROUND_DOWN>},
      {"round_floor", round<WEIR_ROUND_FLOOR>},
      {"round_ceiling", round<WEIR_ROUND_CEILING>},
      {"round_half_up", round<WEIR_ROUND_HALF_UP>},
      {"to_decimal", to_decimal},
  };
  return table;
}

}  // namespace weir::lower
