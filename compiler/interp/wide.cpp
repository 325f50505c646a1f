#include "compiler/interp/wide.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace weir::interp {
namespace {

using UInt128 = unsigned __int128;

// Magnitude of up to 256 bits.
struct Wide {
  UInt128 high = 0;
  UInt128 low = 0;
};

UInt128 magnitude(Int128 value) {
  return value < 0 ? UInt128(0) - static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

Wide multiply(UInt128 a, UInt128 b) {
  constexpr UInt128 kLow = ~std::uint64_t(0);
  const UInt128 a0 = a & kLow;
  const UInt128 a1 = a >> 64U;
  const UInt128 b0 = b & kLow;
  const UInt128 b1 = b >> 64U;
  const UInt128 low = a0 * b0;
  const UInt128 middle = a1 * b0 + (low >> 64U);
  const UInt128 other = a0 * b1 + (middle & kLow);
  return {a1 * b1 + (middle >> 64U) + (other >> 64U), (other << 64U) | (low & kLow)};
}

// value * 10^digits (digits >= 0); nullopt beyond 256 bits.
std::optional<Wide> scaled_up(Wide value, int digits) {
  for (; digits > 0; digits -= 38) {
    const auto factor = static_cast<UInt128>(power10(std::min(digits, 38)));
    const Wide high = multiply(value.high, factor);
    Wide low = multiply(value.low, factor);
    if (high.high != 0 || __builtin_add_overflow(low.high, high.low, &low.high)) return std::nullopt;
    value = low;
  }
  return value;
}

struct Division {
  Wide quotient;
  UInt128 rest = 0;
};

// One bit at a time: it is not on any fast path. `divisor` is below 2^127.
Division divide(Wide value, UInt128 divisor) {
  Division out;
  for (int bit = 255; bit >= 0; --bit) {
    const UInt128 word = bit >= 128 ? value.high : value.low;
    const auto shift = static_cast<unsigned>(bit % 128);
    out.rest = (out.rest << 1U) | ((word >> shift) & 1U);
    if (out.rest < divisor) continue;
    out.rest -= divisor;
    (bit >= 128 ? out.quotient.high : out.quotient.low) |= UInt128(1) << shift;
  }
  return out;
}

std::expected<Int128, Code> signed_result(Wide value, bool negative, int precision) {
  if (value.high != 0 || value.low >= static_cast<UInt128>(power10(precision))) {
    return std::unexpected(decimal_overflow);
  }
  const auto number = static_cast<Int128>(value.low);
  return negative ? -number : number;
}

// value / divisor, half-even.
std::expected<Int128, Code> rounded(Wide value, UInt128 divisor, bool negative, int precision) {
  Division d = divide(value, divisor);
  const UInt128 twice = d.rest * 2;
  const bool up = twice > divisor || (twice == divisor && (d.quotient.low & 1U) != 0);
  if (up && ++d.quotient.low == 0) ++d.quotient.high;
  return signed_result(d.quotient, negative, precision);
}

// value * 10^from_scale-to-scale in 256 bits; down: half-even.
std::expected<Int128, Code> move_scale(Wide value, bool negative, int from, int to, int precision) {
  if (to < from) {
    // More than 38 digits to drop: in two steps would round twice, but products have a scale of at most 76 and the
    // result one of at least 0, so drop exact zeros first where possible.
    const int drop = from - to;
    if (drop <= 38) return rounded(value, static_cast<UInt128>(power10(drop)), negative, precision);
    const Division first = divide(value, static_cast<UInt128>(power10(38)));
    if (first.rest == 0) return move_scale(first.quotient, negative, from - 38, to, precision);
    // A rest decides ties upwards and changes nothing else: mark it in the last bit of the doubled quotient.
    Wide doubled = {first.quotient.high << 1U | first.quotient.low >> 127U, first.quotient.low << 1U | 1U};
    return rounded(doubled, static_cast<UInt128>(power10(drop - 38)) * 2, negative, precision);
  }
  const auto scaled = scaled_up(value, to - from);
  if (!scaled.has_value()) return std::unexpected(decimal_overflow);
  return signed_result(*scaled, negative, precision);
}

std::expected<Int128, Code> quotient(Scaled a, Scaled b, int scale, int precision) {
  if (b.unscaled == 0) return std::unexpected(division_by_zero);
  const bool negative = (a.unscaled < 0) != (b.unscaled < 0);
  const int up = scale - a.scale + b.scale;  // >= 0 by the language's types
  if (up >= 0) {
    // Beyond 256 bits the quotient has more than 38 digits, as the divisor has at most 38.
    const auto scaled = scaled_up({0, magnitude(a.unscaled)}, up);
    if (!scaled.has_value()) return std::unexpected(decimal_overflow);
    return rounded(*scaled, magnitude(b.unscaled), negative, precision);
  }
  const auto divisor = scaled_up({0, magnitude(b.unscaled)}, -up);
  if (!divisor.has_value() || divisor->high != 0 || divisor->low >> 127U != 0) return Int128(0);
  return rounded({0, magnitude(a.unscaled)}, divisor->low, negative, precision);
}

}  // namespace

Int128 power10(int exponent) {
  Int128 result = 1;
  for (int i = 0; i < exponent; ++i) result *= 10;
  return result;
}

bool fits(Int128 value, int precision) {
  return magnitude(value) < static_cast<UInt128>(power10(precision));
}

std::expected<Int128, Code> rescale(Scaled value, int scale, int precision) {
  return move_scale({0, magnitude(value.unscaled)}, value.unscaled < 0, value.scale, scale, precision);
}

std::expected<Int128, Code> arithmetic(flow::Op op, Scaled a, Scaled b, int scale, int precision) {
  using flow::Op;
  if (op == Op::kMultiply) {
    return move_scale(multiply(magnitude(a.unscaled), magnitude(b.unscaled)),
                      (a.unscaled < 0) != (b.unscaled < 0), a.scale + b.scale, scale, precision);
  }
  if (op == Op::kDivide) return quotient(a, b, scale, precision);
  const bool sum = op == Op::kAdd || op == Op::kSubtract;
  const int common = sum ? std::max({scale, a.scale, b.scale}) : std::max(a.scale, b.scale);
  const auto left = rescale(a, common, 38);
  const auto right = rescale(b, common, 38);
  if (!left.has_value() || !right.has_value()) return std::unexpected(decimal_overflow);
  Int128 result = 0;
  if (op == Op::kRemainder) {
    if (*right == 0) return std::unexpected(division_by_zero);
    result = *left % *right;
  } else if (op == Op::kAdd ? __builtin_add_overflow(*left, *right, &result)
                            : __builtin_sub_overflow(*left, *right, &result)) {
    return std::unexpected(decimal_overflow);
  }
  if (scale < common) return rescale({result, common}, scale, precision);
  if (scale > common) return rescale({result, common}, scale, precision);
  if (!fits(result, precision)) return std::unexpected(decimal_overflow);
  return result;
}

double to_float(Scaled value) {
  std::string digits;
  UInt128 rest = magnitude(value.unscaled);
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  digits = (value.unscaled < 0 ? "-" : "") + digits + "e-" + std::to_string(value.scale);
  double out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

}  // namespace weir::interp
