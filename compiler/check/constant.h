// Arithmetic on constants, exactly as a program does it.
#pragma once

#include <optional>
#include <string>

#include "compiler/check/make.h"

namespace weir::check {

struct Folded {
  ExprRef value;        // null: not a constant operation
  std::string failure;  // why the operation fails; empty if it does not
};

// `type` is the result's type; operands may be anything.
Folded fold(Op op, const TypeRef& type, const ExprRef& left, const ExprRef& right, Span span);

// a / b with `scale` digits after the point, half to even; nullopt if b is zero or the result does not fit 128 bits.
std::optional<flow::Int128> divide_decimal(flow::Int128 a, int a_scale, flow::Int128 b, int b_scale,
                                           int scale);

// The literal is a zero.
bool is_zero(const ExprRef& expr);

}  // namespace weir::check
