// Strings, times and whole values of plain form, for generated parsers.
#include "runtime/value/bitcode/calendar.h"
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/bitcode/scan.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace {

using weir::value::is_digit;
using weir::value::scan_string;

// Eight bytes of a time, compared with a pattern of `0` for digits and other characters for themselves. Digits become their
// values and the others zero; *bad gets bits when something does not fit.
inline std::uint64_t match_digits(std::uint64_t word, const char (&pattern)[9], std::uint64_t* bad) {
  std::uint64_t expected;
  std::memcpy(&expected, pattern, 8);
  std::uint64_t slack = 0;
  for (int i = 0; i < 8; ++i) {
    slack |= static_cast<std::uint64_t>(pattern[i] == '0' ? 0x76 : 0x7F) << (8 * i);
  }
  const std::uint64_t values = word ^ expected;
  *bad |= ((values + slack) | values) & 0x8080808080808080ull;
  return values;
}

inline std::uint64_t load8(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// In each byte that holds the first of two digits: their number.
inline std::uint64_t pair_up(std::uint64_t digits) {
  return digits * 10 + (digits >> 8);
}

inline std::uint32_t byte_of(std::uint64_t word, int index) {
  return static_cast<std::uint32_t>(word >> (8 * index) & 0xFF);
}

// Behind the digits, `end` at most; p itself when there are none, or p is beyond `end`.
inline const char* skip_digits(const char* p, const char* end) {
  if (p >= end) {
    return p;
  }
  std::uint32_t run;
  do {
    std::uint64_t digits;
    run = weir::value::digit_run(p, &digits);
    p += run;
  } while (run == 8 && p < end);
  return p < end ? p : end;
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

// p at a backslash. Behind the escape, or null.
inline const char* skip_escape(const char* p, const char* end) {
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
      return p + 2;
    case 'u':
      break;
    default:
      return nullptr;
  }
  std::uint32_t unit;
  if (end - p < 6 || !hex4(p + 2, &unit) || (unit & 0xFC00) == 0xDC00) {
    return nullptr;
  }
  p += 6;
  if ((unit & 0xFC00) != 0xD800) {
    return p;
  }
  const bool paired =
      end - p >= 6 && p[0] == '\\' && p[1] == 'u' && hex4(p + 2, &unit) && (unit & 0xFC00) == 0xDC00;
  return paired ? p + 6 : nullptr;
}

// p at the first special byte of a string that began at `begin`. Behind the closing quote, or null.
__attribute__((noinline)) const char* skip_rest(const char* begin, const char* p, const char* end,
                                                bool high) {
  for (;;) {
    if (p >= end || static_cast<unsigned char>(*p) < 0x20) {
      return nullptr;
    }
    if (*p == '"') {
      break;
    }
    p = skip_escape(p, end);
    if (p == nullptr || p >= end) {
      return nullptr;
    }
    p = scan_string(p, end, &high);
  }
  return high && weir_utf8_valid(begin, static_cast<std::uint64_t>(p - begin)) == 0 ? nullptr : p + 1;
}

// p < end, behind the opening quote. Behind the closing quote, or null. Checks escapes and UTF-8.
inline const char* skip_string(const char* p, const char* end) {
  bool high = false;
  const char* stop = scan_string(p, end, &high);
  return stop < end && *stop == '"' && !high ? stop + 1 : skip_rest(p, stop, end, high);
}

inline const char* skip_white(const char* p, const char* end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) {
    ++p;
  }
  return p;
}

// Any value, with white space before it.
__attribute__((noinline)) const char* skip_any(const char* p, const char* end) {
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
        p = p + 1 < end ? skip_string(p + 1, end) : nullptr;
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
      p = p + 1 < end ? skip_string(p + 1, end) : nullptr;
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

}  // namespace

extern "C" {

const char* weir_read_string(const char* p, const char* end, weir_str* out) {
  if (p >= end) {
    return nullptr;
  }
  bool high = false;
  const char* stop = scan_string(p, end, &high);
  if (stop >= end || *stop != '"') {
    return nullptr;
  }
  const auto size = static_cast<std::uint64_t>(stop - p);
  if (high && weir_utf8_valid(p, size) == 0) {
    return nullptr;
  }
  *out = {p, size};
  return stop + 1;
}

const char* weir_read_timestamp(const char* p, const char* end, int64_t* out) {
  if (end - p < 20) {
    return nullptr;
  }
  std::uint64_t bad = 0;
  const std::uint64_t date = pair_up(match_digits(load8(p), "0000-00-", &bad));
  const std::uint64_t time = pair_up(match_digits(load8(p + 8), "00T00:00", &bad));
  // ":ss", and the byte behind, in the middle of a word that ends with them.
  const std::uint64_t seconds =
      pair_up(match_digits(load8(p + 16) << 40 | 0x3030303030ull, "00000:00", &bad));
  const std::uint32_t year = byte_of(date, 0) * 100 + byte_of(date, 2);
  const std::uint32_t month = byte_of(date, 5);
  const std::uint32_t day = byte_of(time, 0);
  const std::uint32_t hour = byte_of(time, 3);
  const std::uint32_t minute = byte_of(time, 6);
  const std::uint32_t second = byte_of(seconds, 6);
  if (bad != 0 || year == 0 || month - 1 > 11 || day - 1 > 30 || hour > 23 || minute > 59 || second > 59 ||
      (day > 28 && day > weir::value::days_in_month(year, month))) {
    return nullptr;
  }
  const std::int64_t days = weir_days_from_civil(year, month, day);
  std::int64_t micros = (days * 86400 + hour * 3600 + minute * 60 + second) * 1000000;
  p += 19;
  if (*p == '.') {
    std::uint64_t digits;
    const std::uint32_t run = weir::value::digit_run(p + 1, &digits);
    if (run == 0 || run > 6) {
      return nullptr;
    }
    micros +=
        static_cast<std::int64_t>(weir::value::digits_value(digits, run) * weir::value::kPower10[6 - run]);
    p += 1 + run;
  }
  if (p >= end || *p != 'Z') {
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
  // What most values are.
  if (p < end - 1) {
    if (*p == '"') {
      return skip_string(p + 1, end);
    }
    if (static_cast<unsigned char>(*p - '0') < 10) {
      const char* stop = skip_number(p, end);
      return stop > end ? nullptr : stop;
    }
  }
  return skip_any(p, end);
}

}  // extern "C"
