// Numbers, times and raw bytes as text.
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"

namespace {

using weir::value::count_digits;
using weir::value::kPower10;
using weir::value::write_digits;
using Unsigned128 = unsigned __int128;

inline char* put_unsigned(char* p, std::uint64_t value) {
  const int count = count_digits(value);
  write_digits(p, value, count);
  return p + count;
}

// ".5" for the fraction `value` of 10^digits, without trailing zeros; nothing for 0.
inline char* put_fraction(char* p, std::uint64_t value, int digits) {
  if (value == 0) {
    return p;
  }
  *p++ = '.';
  write_digits(p, value, digits);
  p += digits;
  while (p[-1] == '0') {
    --p;
  }
  return p;
}

}  // namespace

extern "C" {

char* weir_put_bytes(char* p, const char* data, uint64_t size) {
  if (size != 0) {
    std::memcpy(p, data, size);
  }
  return p + size;
}

char* weir_put_bool(char* p, int32_t value) {
  std::memcpy(p, value != 0 ? "true" : "fals", 4);
  p[4] = 'e';
  return p + (value != 0 ? 4 : 5);
}

char* weir_put_int(char* p, int64_t value) {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *p++ = '-';
    magnitude = 0 - magnitude;
  }
  return put_unsigned(p, magnitude);
}

char* weir_put_decimal64(char* p, int64_t unscaled, uint32_t scale) {
  auto magnitude = static_cast<std::uint64_t>(unscaled);
  if (unscaled < 0) {
    *p++ = '-';
    magnitude = 0 - magnitude;
  }
  if (scale == 0) {
    return put_unsigned(p, magnitude);
  }
  p = put_unsigned(p, magnitude / kPower10[scale]);
  *p = '.';
  write_digits(p + 1, magnitude % kPower10[scale], static_cast<int>(scale));
  return p + 1 + scale;
}

char* weir_put_decimal128(char* p, weir_i128 unscaled, uint32_t scale) {
  auto magnitude = static_cast<Unsigned128>(unscaled);
  if (unscaled < 0) {
    *p++ = '-';
    magnitude = 0 - magnitude;
  }
  // All digits in a buffer of 40, then from the first that is needed.
  char digits[40];
  const auto low = static_cast<std::uint64_t>(magnitude % kPower10[18]);
  magnitude /= kPower10[18];
  const auto middle = static_cast<std::uint64_t>(magnitude % kPower10[18]);
  const auto high = static_cast<std::uint64_t>(magnitude / kPower10[18]);
  write_digits(digits, high, 4);
  write_digits(digits + 4, middle, 18);
  write_digits(digits + 22, low, 18);
  std::uint32_t first = 0;
  while (first < 39 - scale && digits[first] == '0') {
    ++first;
  }
  const std::uint32_t whole = 40 - scale - first;
  std::memcpy(p, digits + first, whole);
  p += whole;
  if (scale != 0) {
    *p++ = '.';
    std::memcpy(p, digits + 40 - scale, scale);
    p += scale;
  }
  return p;
}

char* weir_put_timestamp(char* p, int64_t value) {
  std::int64_t seconds = value / 1000000;
  std::int64_t micros = value % 1000000;
  if (micros < 0) {
    micros += 1000000;
    --seconds;
  }
  std::int64_t days = seconds / 86400;
  std::int64_t in_day = seconds % 86400;
  if (in_day < 0) {
    in_day += 86400;
    --days;
  }
  std::int64_t year;
  std::uint32_t month, day;
  weir_civil_from_days(days, &year, &month, &day);
  write_digits(p, static_cast<std::uint64_t>(year), 4);
  p[4] = '-';
  write_digits(p + 5, month, 2);
  p[7] = '-';
  write_digits(p + 8, day, 2);
  p[10] = 'T';
  write_digits(p + 11, static_cast<std::uint64_t>(in_day / 3600), 2);
  p[13] = ':';
  write_digits(p + 14, static_cast<std::uint64_t>(in_day / 60 % 60), 2);
  p[16] = ':';
  write_digits(p + 17, static_cast<std::uint64_t>(in_day % 60), 2);
  p = put_fraction(p + 19, static_cast<std::uint64_t>(micros), 6);
  *p = 'Z';
  return p + 1;
}

char* weir_put_duration(char* p, int64_t value) {
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *p++ = '-';
    magnitude = 0 - magnitude;
  }
  *p++ = 'P';
  *p++ = 'T';
  p = put_unsigned(p, magnitude / 1000000);
  p = put_fraction(p, magnitude % 1000000, 6);
  *p = 'S';
  return p + 1;
}

char* weir_put_base64(char* p, const char* data, uint64_t size) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = reinterpret_cast<const unsigned char*>(data);
  std::uint64_t i = 0;
  for (; i + 3 <= size; i += 3, p += 4) {
    const std::uint32_t group = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
    p[0] = kAlphabet[group >> 18];
    p[1] = kAlphabet[group >> 12 & 63];
    p[2] = kAlphabet[group >> 6 & 63];
    p[3] = kAlphabet[group & 63];
  }
  if (i < size) {
    const bool two = size - i == 2;
    const std::uint32_t group = bytes[i] << 16 | (two ? bytes[i + 1] << 8 : 0);
    p[0] = kAlphabet[group >> 18];
    p[1] = kAlphabet[group >> 12 & 63];
    p[2] = two ? kAlphabet[group >> 6 & 63] : '=';
    p[3] = '=';
    p += 4;
  }
  return p;
}

}  // extern "C"
