// Strings, times and whole values of plain form, for generated parsers.
#include <emmintrin.h>

#include "runtime/value/bitcode/calendar.h"
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace {

using weir::value::is_digit;

// The number that the two digits at p make; *bad becomes nonzero when they are none.
inline std::uint32_t two_digits(const char* p, std::uint32_t* bad) {
  const auto high = static_cast<unsigned char>(p[0] - '0');
  const auto low = static_cast<unsigned char>(p[1] - '0');
  *bad |= high > 9 || low > 9 ? 1u : 0u;
  return high * 10u + low;
}

inline const char* skip_digits(const char* p, const char* end) {
  while (p < end && is_digit(*p)) {
    ++p;
  }
  return p;
}

// Behind a JSON number, or null. p < end.
inline const char* skip_number(const char* p, const char* end) {
  p += *p == '-';
  const char* first = p;
  p = *first == '0' ? p + 1 : skip_digits(p, end);
  if (p == first) {
    return nullptr;
  }
  if (p < end && *p == '.') {
    first = p + 1;
    p = skip_digits(first, end);
    if (p == first) {
      return nullptr;
    }
  }
  if (p < end && (*p | 0x20) == 'e') {
    ++p;
    p += *p == '+' || *p == '-';
    first = p;
    p = skip_digits(first, end);
    if (p == first) {
      return nullptr;
    }
  }
  return p;
}

inline bool hex4(const char* p, std::uint32_t* value) {
  std::uint32_t v = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      v = v * 16 + static_cast<std::uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      v = v * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    } else {
      return false;
    }
  }
  *value = v;
  return true;
}

// p behind the opening quote. Behind the closing quote, or null. Checks escapes and UTF-8.
const char* skip_string(const char* p, const char* end) {
  const char* begin = p;
  bool high = false;
  for (;;) {
    if (p >= end) {
      return nullptr;
    }
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i special = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))),
        _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f)));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(special));
    const auto top = static_cast<std::uint32_t>(_mm_movemask_epi8(block));
    if (mask == 0) {
      high |= top != 0;
      p += 16;
      continue;
    }
    const int at = __builtin_ctz(mask);
    high |= (top & ((1u << at) - 1)) != 0;
    p += at;
    if (p >= end || static_cast<unsigned char>(*p) < 0x20) {
      return nullptr;
    }
    if (*p == '"') {
      break;
    }
    if (end - p < 2) {
      return nullptr;
    }
    switch (p[1]) {
      case '"':
      case '\\':
      case '/':
      case 'b':
      case 'f':
      case 'n':
      case 'r':
      case 't':
        p += 2;
        break;
      case 'u': {
        std::uint32_t unit;
        if (end - p < 6 || !hex4(p + 2, &unit) || (unit & 0xFC00) == 0xDC00) {
          return nullptr;
        }
        p += 6;
        if ((unit & 0xFC00) == 0xD800) {
          if (end - p < 6 || p[0] != '\\' || p[1] != 'u' || !hex4(p + 2, &unit) ||
              (unit & 0xFC00) != 0xDC00) {
            return nullptr;
          }
          p += 6;
        }
        break;
      }
      default:
        return nullptr;
    }
  }
  if (high && weir_utf8_valid(begin, static_cast<std::uint64_t>(p - begin)) == 0) {
    return nullptr;
  }
  return p + 1;
}

inline const char* skip_white(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) {
    ++p;
  }
  return p;
}

}  // namespace

extern "C" {

const char* weir_read_string(const char* p, const char* end, weir_str* out) {
  const char* begin = p;
  bool high = false;
  for (;;) {
    if (p >= end) {
      return nullptr;
    }
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i special = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))),
        _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f)));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(special));
    const auto top = static_cast<std::uint32_t>(_mm_movemask_epi8(block));
    if (mask == 0) {
      high |= top != 0;
      p += 16;
      continue;
    }
    const int at = __builtin_ctz(mask);
    high |= (top & ((1u << at) - 1)) != 0;
    p += at;
    break;
  }
  if (p >= end || *p != '"') {
    return nullptr;
  }
  const auto size = static_cast<std::uint64_t>(p - begin);
  if (high && weir_utf8_valid(begin, size) == 0) {
    return nullptr;
  }
  *out = {begin, size};
  return p + 1;
}

const char* weir_read_timestamp(const char* p, const char* end, int64_t* out) {
  if (end - p < 20) {
    return nullptr;
  }
  std::uint32_t bad = 0;
  const std::uint32_t century = two_digits(p, &bad);
  const std::uint32_t year_of_century = two_digits(p + 2, &bad);
  const std::uint32_t month = two_digits(p + 5, &bad);
  const std::uint32_t day = two_digits(p + 8, &bad);
  const std::uint32_t hour = two_digits(p + 11, &bad);
  const std::uint32_t minute = two_digits(p + 14, &bad);
  const std::uint32_t second = two_digits(p + 17, &bad);
  bad |=
      static_cast<std::uint32_t>((p[4] ^ '-') | (p[7] ^ '-') | (p[10] ^ 'T') | (p[13] ^ ':') | (p[16] ^ ':'));
  if (bad != 0) {
    return nullptr;
  }
  const std::uint32_t year = century * 100 + year_of_century;
  if (year == 0 || month - 1 > 11 || day == 0 || day > weir::value::days_in_month(year, month) || hour > 23 ||
      minute > 59 || second > 59) {
    return nullptr;
  }
  const std::int64_t days = weir_days_from_civil(year, month, day);
  std::int64_t micros = (days * 86400 + hour * 3600 + minute * 60 + second) * 1000000;
  p += 19;
  if (*p == '.') {
    ++p;
    std::uint32_t fraction = 0, unit = 1000000;
    while (is_digit(*p) && unit != 1) {
      fraction = fraction * 10 + static_cast<std::uint32_t>(*p - '0');
      unit /= 10;
      ++p;
    }
    if (unit == 1000000) {
      return nullptr;
    }
    micros += fraction * static_cast<std::int64_t>(unit);
  }
  if (*p != 'Z' || p >= end) {
    return nullptr;
  }
  *out = micros;
  return p + 1;
}

const char* weir_skip_space(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) {
    ++p;
  }
  return p;
}

const char* weir_skip_value(const char* p, const char* end) {
  // One bit per open container: 1 for an object. The outermost is in the lowest words.
  std::uint64_t kinds[WEIR_MAX_DEPTH / 64] = {};
  std::uint32_t depth = 0;
  for (;;) {
    // A value begins here.
    p = skip_white(p, end);
    if (p >= end) {
      return nullptr;
    }
    bool opened = false;
    switch (*p) {
      case '"':
        p = skip_string(p + 1, end);
        break;
      case '{':
      case '[': {
        const bool object = *p == '{';
        p = skip_white(p + 1, end);
        if (p < end && *p == (object ? '}' : ']')) {
          ++p;
          break;
        }
        if (depth == WEIR_MAX_DEPTH / 2) {
          return nullptr;  // the caller's own depth is unknown: leave deep texts to the reference decoder
        }
        const std::uint64_t bit = 1ull << (depth % 64);
        kinds[depth / 64] = object ? kinds[depth / 64] | bit : kinds[depth / 64] & ~bit;
        ++depth;
        opened = true;
        break;
      }
      case 't':
        p = end - p >= 4 && std::memcmp(p, "true", 4) == 0 ? p + 4 : nullptr;
        break;
      case 'f':
        p = end - p >= 5 && std::memcmp(p, "false", 5) == 0 ? p + 5 : nullptr;
        break;
      case 'n':
        p = end - p >= 4 && std::memcmp(p, "null", 4) == 0 ? p + 4 : nullptr;
        break;
      default:
        p = skip_number(p, end);
    }
    if (p == nullptr || p > end) {
      return nullptr;
    }
    // Behind a value: close what ends here, up to the next comma. Behind an opening: the first element or key.
    while (!opened) {
      if (depth == 0) {
        return p;
      }
      p = skip_white(p, end);
      if (p >= end) {
        return nullptr;
      }
      const bool object = (kinds[(depth - 1) / 64] >> ((depth - 1) % 64) & 1) != 0;
      if (*p == ',') {
        ++p;
        break;
      }
      if (*p != (object ? '}' : ']')) {
        return nullptr;
      }
      ++p;
      --depth;
    }
    if ((kinds[(depth - 1) / 64] >> ((depth - 1) % 64) & 1) != 0) {
      p = skip_white(p, end);
      if (p >= end || *p != '"') {
        return nullptr;
      }
      p = skip_string(p + 1, end);
      if (p == nullptr) {
        return nullptr;
      }
      p = skip_white(p, end);
      if (p >= end || *p != ':') {
        return nullptr;
      }
      ++p;
    }
  }
}

}  // extern "C"
