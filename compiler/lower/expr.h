// Flow expressions to code. One file per group of operations; `emit` is the way in.
//
// Operands are evaluated left to right. A fallible operation branches to `Emitter::errors`; on the good path the
// value stands in the emitter's current block.
#pragma once

#include "compiler/lower/emitter.h"

namespace weir::lower {

Value emit(Emitter& e, const flow::Expr& expr);

// expr_arithmetic.cpp
Value emit_negate(Emitter& e, const flow::Expr& expr);
Value emit_arithmetic(Emitter& e, const flow::Expr& expr);  // + - * / %

// expr_compare.cpp
Value emit_comparison(Emitter& e, const flow::Expr& expr);
// One value of a comparable type against another: i1.
llvm::Value* equal_values(Emitter& e, const Value& a, const Value& b);
llvm::Value* less_values(Emitter& e, const Value& a, const Value& b);

// expr_convert.cpp
Value emit_convert(Emitter& e, const flow::Expr& expr);
// The unscaled integer of a decimal, or an int, in 128 bits.
llvm::Value* wide(Emitter& e, const Value& value);
// A decimal of `type` from 128 bits that are known to fit.
Value narrow(Emitter& e, const types::TypeRef& type, llvm::Value* value);
flow::Int128 power10(int exponent);

// expr_call.cpp
Value emit_call(Emitter& e, const flow::Expr& expr);           // native function
Value emit_call_function(Emitter& e, const flow::Expr& expr);  // function of the program

// intrinsic.cpp: library functions that are emitted in place. False: not one of them.
bool emit_intrinsic(Emitter& e, const flow::Expr& expr, Value& result);

}  // namespace weir::lower
