// Numbers of plain form, for generated parsers. Null sends the record to the reference decoder.
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace {

using weir::value::digit_run;
using weir::value::digits_value;
using weir::value::is_digit;
using weir::value::kPower10;

// Reads digits into *value as long as there are at most `limit` in all (*count included). Returns the end, or null when
// there are more.
inline const char* read_digits(const char* p, std::uint64_t* value, std::uint32_t* count,
                               std::uint32_t limit) {
  for (;;) {
    std::uint64_t digits;
    const std::uint32_t run = digit_run(p, &digits);
    if (run == 0) {
      return p;
    }
    if (*count + run > limit) {
      return nullptr;
    }
    *value = *value * kPower10[run] + digits_value(digits, run);
    *count += run;
    p += run;
    if (run < 8) {
      return p;
    }
  }
}

// The integer part of a JSON number: no leading zero, at least one digit.
inline const char* read_integer_part(const char* p, std::uint64_t* value, std::uint32_t* count,
                                     std::uint32_t limit) {
  if (*p == '0') {
    return is_digit(p[1]) ? nullptr : p + 1;
  }
  const char* stop = read_digits(p, value, count, limit);
  return stop == p ? nullptr : stop;
}

}  // namespace

extern "C" {

const char* weir_read_int(const char* p, const char* end, int64_t* out) {
  if (p >= end) {
    return nullptr;
  }
  const bool negative = *p == '-';
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  p = read_integer_part(p + negative, &value, &count, 18);
  if (p == nullptr || p > end) {
    return nullptr;
  }
  *out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return p;
}

const char* weir_read_decimal(const char* p, const char* end, uint32_t scale, uint32_t precision,
                              int64_t* out) {
  if (p >= end || precision > 18 || scale > precision) {
    return nullptr;
  }
  const bool negative = *p == '-';
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  p = read_integer_part(p + negative, &value, &count, precision - scale);
  if (p == nullptr) {
    return nullptr;
  }
  std::uint32_t missing = scale;
  if (*p == '.') {
    const char* fraction = p + 1;
    p = read_digits(fraction, &value, &count, count + scale);
    if (p == nullptr || p == fraction) {
      return nullptr;
    }
    missing -= static_cast<std::uint32_t>(p - fraction);
  }
  if (p > end) {
    return nullptr;
  }
  const std::int64_t scaled = static_cast<std::int64_t>(value * kPower10[missing]);
  *out = negative ? -scaled : scaled;
  return p;
}

const char* weir_read_float(const char* p, const char* end, double* out) {
  if (p >= end) {
    return nullptr;
  }
  const char* begin = p;
  const bool negative = *p == '-';
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  const char* whole = read_integer_part(p + negative, &value, &count, 19);
  const char* stop = whole;
  if (whole != nullptr && *whole == '.') {
    stop = read_digits(whole + 1, &value, &count, 19);
    stop = stop == whole + 1 ? nullptr : stop;
  }
  // Both exact as doubles: one correctly rounded division.
  if (stop != nullptr && stop <= end && (*stop | 0x20) != 'e' && value <= 1ull << 53) {
    const std::uint64_t digits = stop == whole ? 0 : static_cast<std::uint64_t>(stop - whole - 1);
    if (digits <= 19) {
      const double magnitude = static_cast<double>(value) / static_cast<double>(kPower10[digits]);
      *out = negative ? -magnitude : magnitude;
      return stop;
    }
  }
  stop = weir_skip_value(begin, end);
  if (stop == nullptr || (*begin != '-' && !is_digit(*begin))) {
    return nullptr;
  }
  return weir_parse_float(begin, static_cast<std::uint64_t>(stop - begin), out) == 0 ? stop : nullptr;
}

const char* weir_read_bool(const char* p, const char* end, uint8_t* out) {
  if (end - p >= 4 && std::memcmp(p, "true", 4) == 0) {
    *out = 1;
    return p + 4;
  }
  if (end - p >= 5 && std::memcmp(p, "false", 5) == 0) {
    *out = 0;
    return p + 5;
  }
  return nullptr;
}

const char* weir_read_unix_time(const char* p, const char* end, uint32_t unit_digits, uint32_t floor,
                                int64_t* out) {
  if (p >= end) {
    return nullptr;
  }
  const bool negative = *p == '-';
  std::uint64_t value = 0;
  std::uint32_t count = 0;
  // 18 digits of nanoseconds end in 2001: allow 19, which 64 bits without a sign hold.
  p = read_integer_part(p + negative, &value, &count, unit_digits == 9 ? 19 : 18);
  if (p == nullptr || p > end) {
    return nullptr;
  }
  std::int64_t micros;
  if (unit_digits == 9) {
    const std::uint64_t rest = value % 1000;
    if (rest != 0 && floor == 0) {
      return nullptr;
    }
    const std::int64_t whole = static_cast<std::int64_t>(value / 1000);
    micros = negative ? -whole - (rest != 0 ? 1 : 0) : whole;
  } else {
    const std::int64_t factor = static_cast<std::int64_t>(kPower10[6 - unit_digits]);
    if (__builtin_mul_overflow(static_cast<std::int64_t>(value), negative ? -factor : factor, &micros)) {
      return nullptr;
    }
  }
  if (micros < WEIR_TIME_MIN || micros > WEIR_TIME_MAX) {
    return nullptr;
  }
  *out = micros;
  return p;
}

}  // extern "C"
