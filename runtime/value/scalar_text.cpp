#include "runtime/value/scalar_text.h"

#include <cstring>

#include "runtime/value/bitcode/calendar.h"
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace weir::value {

namespace {

template <typename T>
void store(void* slot, T value) {
  std::memcpy(slot, &value, sizeof value);
}

std::uint32_t int_from_text(std::string_view text, void* slot, Reason& reason) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  for (char c : digits) {
    if (!is_digit(c)) {
      return reason.set(5004, "{} is not an int, which is digits only", Shown{text});
    }
  }
  if (digits.empty()) {
    return reason.set(5004, "\"{}\" is not an int", Shown{text});
  }
  std::int64_t value = 0;
  for (char c : digits) {
    const std::int64_t digit = c - '0';
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, negative ? -digit : digit, &value)) {
      return reason.set(5004, "{} does not fit int (64 bits)", Shown{text});
    }
  }
  store(slot, value);
  return 0;
}

std::uint32_t decimal_from_text(const weir_type& type, std::string_view text, void* slot, Reason& reason) {
  weir_i128 value;
  switch (weir_parse_decimal(text.data(), text.size(), type.scale, type.precision, &value)) {
    case 0:
      break;
    case 5009:
      return reason.set(5004, "{} has more than {} decimals", Shown{text}, type.scale);
    case 5008:
      return reason.set(5004, "{} does not fit decimal({}, {})", Shown{text}, type.precision, type.scale);
    default:
      return reason.set(5004, "\"{}\" is not a decimal", Shown{text});
  }
  if (type.precision <= 18) {
    store(slot, static_cast<std::int64_t>(value));
  } else {
    store(slot, value);
  }
  return 0;
}

std::uint32_t bytes_from_text(weir_worker* worker, std::string_view text, void* slot, Reason& reason) {
  weir_str bytes;
  if (weir_base64_decode(worker, text.data(), text.size(), &bytes) != 0) {
    return reason.set(5004, "\"{}\" is not base64", Shown{text});
  }
  store(slot, bytes);
  return 0;
}

std::uint32_t unix_time(const weir_type& type, std::string_view text, void* slot, Reason& reason) {
  const bool nanos = type.time_codec == WEIR_TIME_UNIX_NS;
  const std::uint32_t scale =
      nanos ? 0 : 6 - 3 * static_cast<std::uint32_t>(type.time_codec - WEIR_TIME_UNIX_S);
  weir_i128 value;
  switch (weir_parse_decimal(text.data(), text.size(), scale, 38, &value)) {
    case 0:
      break;
    case 5009:
      return reason.set(5010, "{} is more exact than a microsecond", Shown{text});
    case 5008:
      return reason.set(5010, "{} is outside the years 0001 to 9999", Shown{text});
    default:
      return reason.set(5004, "\"{}\" is not a number of time units", Shown{text});
  }
  if (nanos) {
    const weir_i128 rest = value % 1000;
    if (rest != 0 && type.time_floor == 0) {
      return reason.set(5010, "{} ns is more exact than a microsecond", Shown{text});
    }
    value = value / 1000 - (rest < 0 ? 1 : 0);
  }
  if (value < WEIR_TIME_MIN || value > WEIR_TIME_MAX) {
    return reason.set(5010, "{} is outside the years 0001 to 9999", Shown{text});
  }
  store(slot, static_cast<std::int64_t>(value));
  return 0;
}

std::uint32_t timestamp_from_text(weir_worker* worker, const weir_type& type, std::string_view text,
                                  void* slot, Reason& reason) {
  std::int64_t micros = 0;
  std::uint32_t code;
  switch (type.time_codec) {
    case WEIR_TIME_RFC3339:
      code = parse_rfc3339(text, &micros);
      if (code == 5016) {
        return reason.set(5004, "\"{}\" is not a timestamp in RFC 3339", Shown{text});
      }
      break;
    case WEIR_TIME_PATTERN: {
      code = static_cast<std::uint32_t>(
          weir_time_parse(worker->texts, type.pattern_id, text.data(), text.size(), &micros));
      if (code == 5016) {
        const weir_str pattern = weir_time_pattern_text(worker->texts, type.pattern_id);
        return reason.set(5004, "\"{}\" does not match the time pattern \"{}\"", Shown{text},
                          std::string_view(pattern.data, pattern.size));
      }
      break;
    }
    default:
      return unix_time(type, text, slot, reason);
  }
  if (code != 0) {
    return reason.set(5010, "\"{}\" is outside the years 0001 to 9999, or more exact than a microsecond",
                      Shown{text});
  }
  store(slot, micros);
  return 0;
}

// Digits at *p, at least one and at most `limit`.
bool take_number(const char*& p, const char* end, int limit, std::int64_t* value) {
  const char* first = p;
  *value = 0;
  while (p != end && is_digit(*p) && p - first < limit) {
    *value = *value * 10 + (*p++ - '0');
  }
  return p != first && (p == end || !is_digit(*p));
}

// A fraction behind its point, as microseconds. False when it is no fraction; *exact is false when it is finer.
bool take_fraction(const char*& p, const char* end, std::int64_t* micros, bool* exact) {
  const char* first = p;
  std::int64_t unit = 100000;
  *micros = 0;
  for (; p != end && is_digit(*p); ++p, unit /= 10) {
    *micros += unit * (*p - '0');
    *exact = *exact && (unit != 0 || *p == '0');
  }
  return p != first;
}

bool two(const char* p, std::uint32_t* value) {
  *value = static_cast<std::uint32_t>((p[0] - '0') * 10 + (p[1] - '0'));
  return is_digit(p[0]) && is_digit(p[1]);
}

}  // namespace

std::uint32_t parse_rfc3339(std::string_view text, std::int64_t* micros) {
  const char* p = text.data();
  const char* end = p + text.size();
  std::uint32_t century, low, month, day, hour, minute, second;
  if (text.size() < 20 || !two(p, &century) || !two(p + 2, &low) || p[4] != '-' || !two(p + 5, &month) ||
      p[7] != '-' || !two(p + 8, &day) || (p[10] | 0x20) != 't' || !two(p + 11, &hour) || p[13] != ':' ||
      !two(p + 14, &minute) || p[16] != ':' || !two(p + 17, &second)) {
    return 5016;
  }
  p += 19;
  std::int64_t fraction = 0;
  bool exact = true;
  if (*p == '.') {
    ++p;
    if (!take_fraction(p, end, &fraction, &exact)) {
      return 5016;
    }
  }
  std::int64_t offset = 0;
  if (p == end) {
    return 5016;
  }
  if ((*p | 0x20) == 'z') {
    ++p;
  } else {
    std::uint32_t hours, minutes;
    if ((*p != '+' && *p != '-') || end - p != 6 || !two(p + 1, &hours) || p[3] != ':' ||
        !two(p + 4, &minutes) || hours > 23 || minutes > 59) {
      return 5016;
    }
    offset = static_cast<std::int64_t>(hours * 3600 + minutes * 60) * (*p == '-' ? -1 : 1);
    p += 6;
  }
  const std::uint32_t year = century * 100 + low;
  if (p != end || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour > 23 ||
      minute > 59 || second > 59) {
    return 5016;
  }
  const std::int64_t days = weir_days_from_civil(year, month, day);
  *micros = (days * 86400 + hour * 3600 + minute * 60 + second - offset) * 1000000 + fraction;
  return exact ? static_cast<std::uint32_t>(weir_time_check(*micros)) : 5010;
}

std::uint32_t parse_duration(std::string_view text, std::int64_t* micros) {
  const char* p = text.data();
  const char* end = p + text.size();
  const bool negative = p != end && *p == '-';
  p += negative ? 1 : 0;
  if (p == end || *p != 'P') {
    return 5016;
  }
  ++p;
  __int128 total = 0;
  bool exact = true;
  bool any = false;
  bool in_time = false;
  // Units must come in this order, each at most once.
  static constexpr struct {
    char letter;
    bool time;
    std::int64_t seconds;
  } kUnits[] = {{'D', false, 86400}, {'H', true, 3600}, {'M', true, 60}, {'S', true, 1}};
  std::size_t next = 0;
  while (p != end) {
    if (*p == 'T' && !in_time) {
      in_time = true;
      ++p;
      any = false;
      continue;
    }
    std::int64_t number, fraction = 0;
    if (!take_number(p, end, 18, &number)) {
      return 5016;
    }
    const bool fractional = p != end && *p == '.';
    if (fractional) {
      ++p;
      if (!take_fraction(p, end, &fraction, &exact)) {
        return 5016;
      }
    }
    while (next < 4 && (p == end || kUnits[next].letter != *p || kUnits[next].time != in_time)) {
      ++next;
    }
    if (next == 4 || (fractional && next != 3)) {
      return 5016;
    }
    total += static_cast<__int128>(number) * kUnits[next].seconds * 1000000 + fraction;
    ++next;
    ++p;
    any = true;
  }
  if (!any) {
    return 5016;
  }
  total = negative ? -total : total;
  *micros = static_cast<std::int64_t>(total);
  return exact && total == *micros ? 0 : 5009;
}

std::uint32_t scalar_from_text(weir_worker* worker, const weir_type& type, std::string_view text, void* slot,
                               Reason& reason) {
  switch (type.kind) {
    case WEIR_BOOL:
      if (text != "true" && text != "false") {
        return reason.set(5004, "\"{}\" is not true or false", Shown{text});
      }
      store(slot, static_cast<std::uint8_t>(text == "true" ? 1 : 0));
      return 0;
    case WEIR_INT:
      return int_from_text(text, slot, reason);
    case WEIR_FLOAT: {
      double value;
      const std::int32_t code = weir_parse_float(text.data(), text.size(), &value);
      if (code != 0) {
        return code == 5016 ? reason.set(5004, "\"{}\" is not a number", Shown{text})
                            : reason.set(5004, "{} does not fit float", Shown{text});
      }
      store(slot, value);
      return 0;
    }
    case WEIR_DECIMAL:
      return decimal_from_text(type, text, slot, reason);
    case WEIR_STRING:
      store(slot, weir_str{text.data(), text.size()});
      return 0;
    case WEIR_BYTES:
      return bytes_from_text(worker, text, slot, reason);
    case WEIR_TIMESTAMP:
      return timestamp_from_text(worker, type, text, slot, reason);
    case WEIR_DURATION: {
      std::int64_t micros;
      if (parse_duration(text, &micros) != 0) {
        return reason.set(5004, "\"{}\" is not a duration in ISO 8601, such as PT90.5S", Shown{text});
      }
      store(slot, micros);
      return 0;
    }
    default:
      return reason.set(5004, "the type has no text form");
  }
}

std::string_view type_name(const weir_type& type, char (&buffer)[64]) {
  static constexpr std::string_view kNames[] = {"?",        "bool",   "int",   "float",
                                                "decimal",  "string", "bytes", "timestamp",
                                                "duration", "list",   "map",   "record"};
  if (type.kind == WEIR_DECIMAL) {
    const auto result =
        fmt::format_to_n(buffer, sizeof buffer, "decimal({}, {})", type.precision, type.scale);
    return {buffer, result.size};
  }
  if (type.kind == WEIR_OPTIONAL) {
    char inner[64];
    const auto result = fmt::format_to_n(buffer, sizeof buffer - 2, "{}?", type_name(*type.element, inner));
    return {buffer, static_cast<std::size_t>(result.out - buffer)};
  }
  return kNames[type.kind < 12 ? type.kind : 0];
}

}  // namespace weir::value
