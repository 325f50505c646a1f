// Decimal operations whose intermediates need more than 128 bits. The only includer of Boost.Multiprecision.
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"

namespace {

namespace mp = boost::multiprecision;
using Wide = mp::number<mp::cpp_int_backend<640, 640, mp::unsigned_magnitude, mp::unchecked, void>>;
using Unsigned128 = unsigned __int128;

Wide from_magnitude(Unsigned128 value) {
  return (Wide(static_cast<std::uint64_t>(value >> 64)) << 64) | Wide(static_cast<std::uint64_t>(value));
}

Unsigned128 magnitude(weir_i128 value) {
  return value < 0 ? 0 - static_cast<Unsigned128>(value) : static_cast<Unsigned128>(value);
}

Wide power10(std::uint32_t exponent) {
  Wide result = 1;
  for (; exponent > 19; exponent -= 19) {
    result *= weir::value::kPower10[19];
  }
  return result * weir::value::kPower10[exponent];
}

// The rounded quotient with its sign, or false when it has more than `precision` digits.
bool rounded_quotient(const Wide& dividend, const Wide& divisor, bool negative, std::uint32_t precision,
                      weir_i128* result) {
  Wide quotient, rest;
  mp::divide_qr(dividend, divisor, quotient, rest);
  const Wide other = divisor - rest;
  if (rest > other || (rest == other && (quotient & 1) != 0)) {
    ++quotient;
  }
  if (quotient >= power10(precision)) {
    return false;
  }
  const auto low = static_cast<std::uint64_t>(quotient & Wide(~std::uint64_t{0}));
  const auto high = static_cast<std::uint64_t>(quotient >> 64);
  const auto value = static_cast<weir_i128>(static_cast<Unsigned128>(high) << 64 | low);
  *result = negative ? -value : value;
  return true;
}

}  // namespace

extern "C" {

int32_t weir_decimal_divide(weir_i128 a, uint32_t a_scale, weir_i128 b, uint32_t b_scale, uint32_t scale,
                            uint32_t precision, weir_i128* result) {
  if (b == 0) {
    return 5007;
  }
  // a / 10^a_scale / (b / 10^b_scale) * 10^scale
  const std::int32_t shift = static_cast<std::int32_t>(scale + b_scale) - static_cast<std::int32_t>(a_scale);
  const bool negative = (a < 0) != (b < 0);
  if (shift >= 0 && shift <= 38) {
    weir_i128 dividend;
    if (!__builtin_mul_overflow(a, weir::value::power10_128(static_cast<std::uint32_t>(shift)), &dividend)) {
      const Unsigned128 divisor = magnitude(b);
      const Unsigned128 above = magnitude(dividend);
      Unsigned128 quotient = above / divisor;
      const Unsigned128 rest = above % divisor;
      const Unsigned128 other = divisor - rest;
      if (rest > other || (rest == other && (quotient & 1) != 0)) {
        ++quotient;
      }
      const auto value = static_cast<weir_i128>(quotient);
      *result = negative ? -value : value;
      return weir_decimal_check(value, precision);
    }
  }
  Wide dividend = from_magnitude(magnitude(a));
  Wide divisor = from_magnitude(magnitude(b));
  if (shift >= 0) {
    dividend *= power10(static_cast<std::uint32_t>(shift));
  } else {
    divisor *= power10(static_cast<std::uint32_t>(-shift));
  }
  return rounded_quotient(dividend, divisor, negative, precision, result) ? 0 : 5008;
}

int32_t weir_decimal_multiply(weir_i128 a, weir_i128 b, uint32_t scale_of_product, uint32_t scale,
                              uint32_t precision, weir_i128* result) {
  const bool negative = (a < 0) != (b < 0);
  Wide product = from_magnitude(magnitude(a)) * from_magnitude(magnitude(b));
  Wide divisor = 1;
  if (scale < scale_of_product) {
    divisor = power10(scale_of_product - scale);
  } else {
    product *= power10(scale - scale_of_product);
  }
  return rounded_quotient(product, divisor, negative, precision, result) ? 0 : 5008;
}

int32_t weir_float_to_decimal(double value, uint32_t scale, uint32_t precision, weir_i128* result) {
  if (!std::isfinite(value)) {
    return 5014;
  }
  if (std::fabs(value) >= 1e39) {
    return 5008;
  }
  int exponent;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  // |value| = mantissa * 2^exponent, exactly.
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  Wide dividend = Wide(mantissa) * power10(scale);
  Wide divisor = 1;
  if (exponent >= 0) {
    dividend <<= exponent;
  } else if (exponent > -400) {
    divisor <<= -exponent;
  } else {
    *result = 0;
    return 0;
  }
  return rounded_quotient(dividend, divisor, value < 0, precision, result) ? 0 : 5008;
}

int32_t weir_avg_i256(const weir_i256* sum, uint64_t count, uint32_t from, uint32_t to, weir_i128* result) {
  const bool negative = (sum->word[3] >> 63) != 0;
  Wide total = 0;
  std::uint64_t carry = negative ? 1 : 0;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t word = negative ? ~sum->word[i] : sum->word[i];
    word += carry;
    carry = carry != 0 && word == 0 ? 1 : 0;
    total |= Wide(word) << (64 * i);
  }
  return rounded_quotient(total * power10(to - from), Wide(count), negative, 38, result) ? 0 : 5015;
}

}  // extern "C"
