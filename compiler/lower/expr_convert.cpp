// Conversions that the check stage wrote into the flow: between int and decimals, and to optional types.
#include <llvm/IR/Constants.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using types::Kind;
using types::Type;
using types::TypeRef;

flow::Int128 power10(int exponent) {
  flow::Int128 result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

llvm::Value* wide(Emitter& e, const Value& value) {
  llvm::Value* number = e.first(value);
  return number->getType() == e.unit.i128 ? number : e.ir.CreateSExt(number, e.unit.i128);
}

Value narrow(Emitter& e, const TypeRef& type, llvm::Value* value) {
  return Value::scalar(type, is_wide(*type) ? value : e.ir.CreateTrunc(value, e.unit.i64));
}

namespace {

// |value| < 10^digits, else 5008.
void check_digits(Emitter& e, llvm::Value* value, int digits, const Expr& expr) {
  if (digits >= 38 + 1) return;
  llvm::Value* limit = e.unit.constant128(power10(digits));
  llvm::Value* shifted = e.ir.CreateAdd(value, e.unit.constant128(power10(digits) - 1));
  llvm::Value* bound = e.ir.CreateSub(e.ir.CreateShl(limit, 1), e.unit.constant128(1));
  // -limit < value < limit, as one unsigned comparison.
  e.fail_if(e.ir.CreateICmpUGE(shifted, bound), 5008, message_of(5008, expr));
}

// An integer with `from_scale` digits behind the point and at most `from_digits` before it, as a decimal of `to`.
Value rescale(Emitter& e, llvm::Value* value, int from_digits, int from_scale, const TypeRef& to,
              const Expr& expr) {
  const int to_digits = to->precision - to->scale;
  if (to->scale < from_scale) {
    llvm::Value* result = e.frame(16, "rescaled");
    llvm::Value* status = e.call("weir_decimal_rescale", e.unit.i32,
                                 {value, e.unit.constant32(static_cast<std::uint32_t>(from_scale)),
                                  e.unit.constant32(static_cast<std::uint32_t>(to->scale)),
                                  e.unit.constant32(static_cast<std::uint32_t>(to->precision)), result});
    e.fail_with_status(status, {5008}, quoted(expr));
    return narrow(e, to, e.load(e.unit.i128, result));
  }
  if (to_digits < from_digits) check_digits(e, value, to_digits + from_scale, expr);
  if (to->scale > from_scale)
    value = e.ir.CreateMul(value, e.unit.constant128(power10(to->scale - from_scale)));
  return narrow(e, to, value);
}

Value convert(Emitter& e, const Value& value, const TypeRef& to, const Expr& expr) {
  const Type& from = *value.type;
  if (to->kind == Kind::kOptional) {
    if (from.kind == Kind::kOptional) {
      if (types::same(*from.element, *to->element))
        return Value::optional(to, e.inner(value), e.present(value));
      llvm::BasicBlock* yes = e.block("present");
      llvm::BasicBlock* join = e.block("join");
      llvm::Value* present = e.present(value);
      llvm::BasicBlock* before = e.ir.GetInsertBlock();
      e.ir.CreateCondBr(present, yes, join);
      e.at(yes);
      const Value converted = e.some(to, convert(e, e.inner(value), to->element, expr));
      llvm::BasicBlock* from_yes = e.ir.GetInsertBlock();
      e.ir.CreateBr(join);
      e.at(join);
      return e.merge(to, converted, from_yes, e.absent(to), before);
    }
    if (from.kind == Kind::kNull) return e.absent(to);
    return e.some(to, convert(e, value, to->element, expr));
  }
  if (types::same(from, *to)) {
    Value result = value;
    result.type = to;
    return result;
  }
  if (to->kind == Kind::kDecimal && from.kind == Kind::kInt) {
    return rescale(e, wide(e, value), 19, 0, to, expr);
  }
  if (to->kind == Kind::kDecimal && from.kind == Kind::kDecimal) {
    return rescale(e, wide(e, value), from.precision - from.scale, from.scale, to, expr);
  }
  if (to->kind == Kind::kFloat && from.kind == Kind::kInt) {
    return Value::scalar(to, e.ir.CreateSIToFP(e.first(value), e.unit.f64));
  }
  if (to->kind == Kind::kFloat && from.kind == Kind::kDecimal) {
    return Value::scalar(to,
                         e.call("weir_decimal_to_float", e.unit.f64,
                                {wide(e, value), e.unit.constant32(static_cast<std::uint32_t>(from.scale))}));
  }
  if (to->kind == Kind::kRecord && from.kind == Kind::kRecord && from.fields.size() == to->fields.size()) {
    std::vector<Value> parts;
    for (std::size_t i = 0; i < to->fields.size(); ++i) {
      parts.push_back(convert(e, e.field(value, static_cast<int>(i)), to->fields[i].type, expr));
    }
    return Value::record(to, std::move(parts));
  }
  if (from.kind == to->kind && (to->kind == Kind::kList || to->kind == Kind::kMap) &&
      from.element->kind == Kind::kError) {
    return e.zero(to);
  }
  throw Unsupported("a conversion of " + types::to_string(from) + " to " + types::to_string(to));
}

}  // namespace

Value emit_convert(Emitter& e, const Expr& expr) {
  const Expr& from = *expr.args[0];
  if (from.type->kind == Kind::kNull) return e.absent(expr.type);
  return convert(e, emit(e, from), expr.type, expr);
}

}  // namespace weir::lower
