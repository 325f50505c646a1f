// Numbers from and to text through the standard library's conversions, and decimals in any exact form.
#include <charconv>
#include <cmath>
#include <cstring>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace {

using weir::value::is_digit;

// The power of ten of a decimal number's first significant digit, saturated; for telling overflow from underflow.
std::int64_t magnitude_of(const char* p, const char* end) {
  std::int64_t point = 0;
  bool seen_digit = false, seen_point = false;
  std::int64_t first = 0;
  for (; p != end && (is_digit(*p) || *p == '.' || *p == '-'); ++p) {
    if (*p == '.') {
      seen_point = true;
    } else if (*p != '-') {
      point -= seen_point ? 1 : 0;
      if (!seen_digit && *p != '0') {
        seen_digit = true;
        first = seen_point ? point : 0;
      } else if (seen_digit && !seen_point) {
        ++first;
      }
    }
  }
  std::int64_t exponent = 0;
  if (p != end) {
    ++p;
    const bool negative = p != end && *p == '-';
    for (; p != end; ++p) {
      if (is_digit(*p) && exponent < 1000000000) {
        exponent = exponent * 10 + (*p - '0');
      }
    }
    exponent = negative ? -exponent : exponent;
  }
  return first + exponent;
}

}  // namespace

extern "C" {

int32_t weir_parse_float(const char* data, uint64_t size, double* result) {
  const char* end = data + size;
  const char* digits = size != 0 && *data == '-' ? data + 1 : data;
  // from_chars would take "inf", "nan" and ".5".
  if (digits == end || !is_digit(*digits) || end[-1] == '.') {
    return 5016;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(data, end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    return 5016;
  }
  if (error == std::errc::result_out_of_range) {
    if (magnitude_of(data, end) > 0) {
      return 5009;
    }
    value = *data == '-' ? -0.0 : 0.0;
  }
  if (!std::isfinite(value)) {
    return 5009;
  }
  *result = value;
  return 0;
}

char* weir_put_float(char* p, double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  char* end = std::to_chars(p, p + WEIR_MAX_FLOAT - 2, value).ptr;
  for (const char* c = p; c != end; ++c) {
    if (*c == '.' || *c == 'e') {
      return end;
    }
  }
  std::memcpy(end, ".0", 2);
  return end + 2;
}

double weir_decimal_to_float(weir_i128 value, uint32_t scale) {
  char text[WEIR_MAX_DECIMAL];
  const char* end = weir_put_decimal128(text, value, scale);
  double result = 0;
  std::from_chars(text, end, result);
  return result;
}

int32_t weir_parse_decimal(const char* data, uint64_t size, uint32_t scale, uint32_t precision,
                           weir_i128* result) {
  const char* p = data;
  const char* end = data + size;
  const bool negative = p != end && *p == '-';
  p += negative ? 1 : 0;
  // Pass 1: the grammar, and where the significant digits are.
  const char* begin = p;
  const char* point = nullptr;
  std::int64_t digit_count = 0, fraction_count = 0;
  for (; p != end && (is_digit(*p) || (*p == '.' && point == nullptr)); ++p) {
    if (*p == '.') {
      point = p;
    } else {
      ++digit_count;
      fraction_count += point != nullptr ? 1 : 0;
    }
  }
  if (digit_count == 0 || digit_count == fraction_count || (point != nullptr && fraction_count == 0)) {
    return 5016;
  }
  const char* digits_end = p;
  std::int64_t exponent = 0;
  if (p != end) {
    if ((*p | 0x20) != 'e') {
      return 5016;
    }
    ++p;
    const bool down = p != end && *p == '-';
    p += p != end && (*p == '-' || *p == '+') ? 1 : 0;
    if (p == end) {
      return 5016;
    }
    for (; p != end; ++p) {
      if (!is_digit(*p)) {
        return 5016;
      }
      exponent = exponent < 100000000000000000 ? exponent * 10 + (*p - '0') : exponent;
    }
    exponent = down ? -exponent : exponent;
  }
  // Pass 2: the digit at position i counts 10^(power) at the wanted scale.
  const weir_i128 limit = weir::value::power10_128(precision);
  std::int64_t power = static_cast<std::int64_t>(scale) + exponent + (digit_count - fraction_count);
  weir_i128 value = 0;
  for (p = begin; p != digits_end; ++p) {
    if (*p == '.') {
      continue;
    }
    --power;
    if (value == 0 && *p == '0') {
      continue;
    }
    if (power < 0) {
      if (*p != '0') {
        return 5009;
      }
      continue;
    }
    if (value >= limit / 10 + 1) {
      return 5008;
    }
    value = value * 10 + (*p - '0');
    if (value >= limit) {
      return 5008;
    }
  }
  if (value != 0 && power > 0) {
    if (power > 38 ||
        __builtin_mul_overflow(value, weir::value::power10_128(static_cast<std::uint32_t>(power)), &value) ||
        value >= limit) {
      return 5008;
    }
  }
  *result = negative ? -value : value;
  return 0;
}

}  // extern "C"
