// Decimal arithmetic that fits in 128 bits, sums, and the calendar.
#include <cmath>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"

namespace {

using Unsigned128 = unsigned __int128;

// quotient and remainder of value / divisor (divisor > 0), rounded as said.
inline weir_i128 round_division(weir_i128 value, weir_i128 divisor, std::uint32_t rounding) {
  const weir_i128 quotient = value / divisor;
  const weir_i128 rest = value % divisor;
  if (rest == 0) {
    return quotient;
  }
  const weir_i128 away = value < 0 ? -1 : 1;
  const Unsigned128 magnitude = static_cast<Unsigned128>(rest < 0 ? -rest : rest);
  const Unsigned128 other = static_cast<Unsigned128>(divisor) - magnitude;
  switch (rounding) {
    case WEIR_ROUND_DOWN:
      return quotient;
    case WEIR_ROUND_FLOOR:
      return value < 0 ? quotient - 1 : quotient;
    case WEIR_ROUND_CEILING:
      return value < 0 ? quotient : quotient + 1;
    case WEIR_ROUND_HALF_UP:
      return magnitude >= other ? quotient + away : quotient;
    default:
      return magnitude > other || (magnitude == other && (quotient & 1) != 0) ? quotient + away : quotient;
  }
}

}  // namespace

extern "C" {

weir_i128 weir_power10(uint32_t exponent) {
  return weir::value::power10_128(exponent);
}

int32_t weir_decimal_check(weir_i128 value, uint32_t precision) {
  const weir_i128 limit = weir::value::power10_128(precision);
  return value < limit && value > -limit ? 0 : 5008;
}

weir_i128 weir_decimal_round(weir_i128 value, uint32_t digits, uint32_t rounding) {
  return digits == 0 ? value : round_division(value, weir::value::power10_128(digits), rounding);
}

int32_t weir_decimal_rescale(weir_i128 value, uint32_t from, uint32_t to, uint32_t precision,
                             weir_i128* result) {
  weir_i128 scaled = value;
  if (to > from) {
    if (__builtin_mul_overflow(value, weir::value::power10_128(to - from), &scaled)) {
      return 5008;
    }
  } else if (to < from) {
    scaled = round_division(value, weir::value::power10_128(from - to), WEIR_ROUND_HALF_EVEN);
  }
  *result = scaled;
  return weir_decimal_check(scaled, precision);
}

int32_t weir_decimal_to_int(weir_i128 value, uint32_t scale, int64_t* result) {
  const weir_i128 whole = scale == 0 ? value : value / weir::value::power10_128(scale);
  *result = static_cast<std::int64_t>(whole);
  return whole == *result ? 0 : 5009;
}

int32_t weir_float_to_int(double value, int64_t* result) {
  if (!(value - value == 0)) {
    return 5014;
  }
  // Both limits are exact doubles; the upper one is 2^63.
  if (value < -9223372036854775808.0 || value >= 9223372036854775808.0) {
    return 5009;
  }
  *result = static_cast<std::int64_t>(value);
  return 0;
}

void weir_sum256_add(weir_i256* sum, weir_i128 value) {
  const auto sign = static_cast<std::uint64_t>(value >> 127);
  const std::uint64_t words[4] = {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64),
                                  sign, sign};
  Unsigned128 carry = 0;
  for (int i = 0; i < 4; ++i) {
    carry += static_cast<Unsigned128>(sum->word[i]) + words[i];
    sum->word[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

int32_t weir_sum256_get(const weir_i256* sum, uint32_t precision, weir_i128* result) {
  const auto low = static_cast<weir_i128>(static_cast<Unsigned128>(sum->word[1]) << 64 | sum->word[0]);
  const auto sign = static_cast<std::uint64_t>(low >> 127);
  *result = low;
  return sum->word[2] == sign && sum->word[3] == sign && weir_decimal_check(low, precision) == 0 ? 0 : 5015;
}

int32_t weir_sum_to_int(weir_i128 sum, int64_t* result) {
  *result = static_cast<std::int64_t>(sum);
  return sum == *result ? 0 : 5015;
}

int32_t weir_avg_i128(weir_i128 sum, uint64_t count, uint32_t from, uint32_t to, weir_i128* result) {
  // Whole part first: the scaled remainder is below 2^64 * 10^38, too much for 128 bits only when to - from is large.
  const weir_i128 divisor = static_cast<weir_i128>(count);
  const weir_i128 scale = weir::value::power10_128(to - from);
  const weir_i128 whole = sum / divisor;
  const weir_i128 rest = sum % divisor;
  weir_i128 scaled_whole, scaled_rest;
  if (__builtin_mul_overflow(whole, scale, &scaled_whole) ||
      __builtin_mul_overflow(rest, scale, &scaled_rest)) {
    weir_i256 wide = {};
    weir_sum256_add(&wide, sum);
    return weir_avg_i256(&wide, count, from, to, result);
  }
  const weir_i128 quotient = scaled_rest / divisor;
  const weir_i128 left = scaled_rest % divisor;
  weir_i128 average;
  if (__builtin_add_overflow(scaled_whole, quotient, &average)) {
    return 5015;
  }
  if (left != 0) {
    const Unsigned128 magnitude = static_cast<Unsigned128>(left < 0 ? -left : left);
    const Unsigned128 other = static_cast<Unsigned128>(divisor) - magnitude;
    if (magnitude > other || (magnitude == other && (average & 1) != 0)) {
      average += sum < 0 ? -1 : 1;
    }
  }
  *result = average;
  return weir_decimal_check(average, 38) == 0 ? 0 : 5015;
}

int32_t weir_avg_int(weir_i128 sum, uint64_t count, weir_i128* result) {
  return weir_avg_i128(sum, count, 0, 6, result);
}

int32_t weir_time_check(int64_t value) {
  return value >= WEIR_TIME_MIN && value <= WEIR_TIME_MAX ? 0 : 5010;
}

int64_t weir_window_start(int64_t time, int64_t size, int64_t offset) {
  // time - ((time - offset) mod size), with a modulus that is never negative.
  const std::int64_t shift = offset % size;
  std::int64_t past = (time % size - shift) % size;
  past += past < 0 ? size : 0;
  std::int64_t start;
  return __builtin_sub_overflow(time, past, &start) ? INT64_MIN : start;
}

int64_t weir_days_from_civil(int64_t year, uint32_t month, uint32_t day) {
  // Years that begin in March, so that the leap day is the last one; eras of 400 years.
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const auto of_era = static_cast<std::uint32_t>(y - era * 400);
  const std::uint32_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::uint32_t days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return era * 146097 + days - 719468;
}

void weir_civil_from_days(int64_t days, int64_t* year, uint32_t* month, uint32_t* day) {
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const auto of_era = static_cast<std::uint32_t>(shifted - era * 146097);
  const std::uint32_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::uint32_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::uint32_t shifted_month = (5 * of_year + 2) / 153;
  *day = of_year - (153 * shifted_month + 2) / 5 + 1;
  *month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  *year = static_cast<std::int64_t>(year_of_era) + era * 400 + (*month <= 2 ? 1 : 0);
}

}  // extern "C"
