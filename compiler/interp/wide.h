// Decimal arithmetic as generated code does it: exact, through 256 bits where needed, half-even where digits are
// lost, range-checked against the result's precision.
#pragma once

#include <expected>

#include "compiler/flow/flow.h"

namespace weir::interp {

using flow::Int128;

// A number of a 5000s code (runtime/abi/record_errors.def).
using Code = int;

inline constexpr Code integer_overflow = 5006;
inline constexpr Code division_by_zero = 5007;
inline constexpr Code decimal_overflow = 5008;
inline constexpr Code conversion_range = 5009;
inline constexpr Code timestamp_range = 5010;
inline constexpr Code not_a_number = 5014;

struct Scaled {
  Int128 unscaled = 0;
  int scale = 0;
};

// 10^exponent, 0..38.
Int128 power10(int exponent);
// |value| < 10^precision.
bool fits(Int128 value, int precision);

std::expected<Int128, Code> rescale(Scaled value, int scale, int precision);
// `op`: kAdd, kSubtract, kMultiply, kDivide, kRemainder.
std::expected<Int128, Code> arithmetic(flow::Op op, Scaled a, Scaled b, int scale, int precision);

// The decimal as the nearest float.
double to_float(Scaled value);

}  // namespace weir::interp
