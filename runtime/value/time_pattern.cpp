// The only includer of absl time.
#include "runtime/value/time_pattern.h"

#include <absl/time/time.h>

#include <cstring>

#include "runtime/value/bitcode/calendar.h"
#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"

namespace weir::value {

namespace {

constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

absl::string_view view(std::string_view text) {
  return {text.data(), text.size()};
}

struct Letters {
  bool year = false, month = false, day = false, offset = false, epoch = false;
  bool half_day_hour = false, half_of_day = false;  // %I, %p
  std::string error;
};

// Which letters a pattern has. Letters that one of reading and writing would ignore are refused for it.
Letters letters_of(const std::string& pattern, bool reading) {
  Letters found;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      continue;
    }
    if (++i == pattern.size()) {
      found.error = "a lone % at the end";
      return found;
    }
    const char c = pattern[i];
    switch (c) {
      case 'Y':
      case 'y':
        found.year = true;
        break;
      case 'm':
      case 'b':
      case 'B':
      case 'h':
        found.month = true;
        break;
      case 'd':
      case 'e':
        found.day = true;
        break;
      case 'F':
      case 'D':
        found.year = found.month = found.day = true;
        break;
      case 'z':
        found.offset = true;
        break;
      case 's':
        found.epoch = true;
        break;
      case 'I':
        found.half_day_hour = true;
        break;
      case 'p':
        found.half_of_day = true;
        break;
      case 'H':
      case 'M':
      case 'S':
      case 'a':
      case 'A':
      case 'R':
      case 'T':
      case 'n':
      case 't':
      case '%':
        break;
      case 'E': {
        // %Ez, %E*S, %E3S, %E4Y
        std::size_t at = i + 1;
        if (at < pattern.size() && (pattern[at] == '*' || (pattern[at] >= '0' && pattern[at] <= '9'))) {
          ++at;
        }
        const char last = at < pattern.size() ? pattern[at] : '\0';
        const bool sized = at == i + 2;
        if (last == 'z' && (!sized || pattern[at - 1] == '*')) {
          found.offset = true;
        } else if (last == 'S' && sized) {
          // seconds with a fraction
        } else if (last == 'Y' && sized && pattern[at - 1] == '4') {
          found.year = true;
        } else {
          found.error = "unknown letters after %E";
          return found;
        }
        i = at;
        break;
      }
      case 'j':
      case 'Z':
      case 'u':
      case 'w':
      case 'U':
      case 'W':
      case 'V':
      case 'G':
      case 'C':
      case 'l':
      case 'k':
        if (!reading) {
          break;
        }
        [[fallthrough]];
      default:
        found.error = std::string("%") + c + (reading ? " cannot be read" : " is unknown");
        return found;
    }
  }
  return found;
}

// The zone's clocks never show the time that the text says: they were put forward over it.
bool skipped_by_clocks(const std::string& pattern, std::string_view text, const absl::TimeZone& zone) {
  absl::Time as_utc;
  std::string error;
  if (!absl::ParseTime(pattern, view(text), absl::UTCTimeZone(), &as_utc, &error)) {
    return false;
  }
  return zone.At(absl::ToCivilSecond(as_utc, absl::UTCTimeZone())).kind == absl::TimeZone::TimeInfo::SKIPPED;
}

// The library takes a second 60, whatever its fraction, for the first of the next minute; a timestamp knows no leap
// seconds. Of all that can stand in a text as "60", only as a second does it make a whole minute of what "59" puts at most
// a second before it.
bool has_second_60(const std::string& pattern, std::string_view text, const absl::TimeZone& zone,
                   absl::Time time) {
  const absl::TimeZone::CivilInfo shown = zone.At(time);
  if (shown.cs.second() != 0 || shown.subsecond != absl::ZeroDuration()) {
    return false;
  }
  for (std::size_t at = text.find("60"); at != std::string_view::npos; at = text.find("60", at + 1)) {
    std::string before(text);
    before.replace(at, 2, "59");
    absl::Time earlier;
    std::string error;
    if (absl::ParseTime(pattern, before, zone, &earlier, &error) && earlier < time &&
        time - earlier <= absl::Seconds(1)) {
      return true;
    }
  }
  return false;
}

bool load_zone(const std::string& zone, absl::TimeZone* result) {
  return absl::LoadTimeZone(zone.empty() ? "UTC" : zone, result);
}

}  // namespace

struct TimePattern::Impl {
  absl::TimeZone zone;
  bool local = false;  // the text is a time of the zone's clocks
  bool epoch = false;  // the text is a count of seconds
};

TimePattern::TimePattern(std::string text) : text_(std::move(text)), impl_(std::make_unique<Impl>()) {}
TimePattern::~TimePattern() = default;

std::string TimePattern::check(const std::string& pattern, const std::string& zone, bool reading) {
  const Letters letters = letters_of(pattern, reading);
  if (!letters.error.empty()) {
    return letters.error;
  }
  absl::TimeZone loaded;
  if (!load_zone(zone, &loaded)) {
    return "there is no time zone \"" + zone + "\"";
  }
  if (reading && letters.half_day_hour != letters.half_of_day) {
    return letters.half_day_hour ? "%I is an hour of half a day: add %p, or use %H"
                                 : "%p goes with %I, not %H";
  }
  if (reading && !letters.epoch) {
    if (!letters.year || !letters.month || !letters.day) {
      return std::string("the pattern has no ") + (!letters.year    ? "year (%Y)"
                                                   : !letters.month ? "month (%m)"
                                                                    : "day (%d)");
    }
    if (!letters.offset && zone.empty()) {
      return "the pattern has no offset (%z): name the zone with zone: \"UTC\" or another";
    }
  }
  return {};
}

std::expected<std::unique_ptr<TimePattern>, std::string> TimePattern::make(const std::string& pattern,
                                                                           const std::string& zone) {
  if (std::string error = check(pattern, zone, false); !error.empty()) {
    return std::unexpected(std::move(error));
  }
  std::unique_ptr<TimePattern> made(new TimePattern(pattern));
  load_zone(zone, &made->impl_->zone);
  const Letters letters = letters_of(pattern, false);
  made->impl_->local = !letters.offset && !letters.epoch;
  made->impl_->epoch = letters.epoch;
  made->plan_fast_path(zone.empty() || zone == "UTC");
  return made;
}

// Patterns of fixed width whose zone needs no table.
void TimePattern::plan_fast_path(bool utc) {
  bool year = false, month = false, day = false, offset = false;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != '%') {
      if (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\n') {
        // The library takes any amount of white space here; one blank is the common case.
        steps_.push_back({Part::kLiteral, ' '});
      } else {
        steps_.push_back({Part::kLiteral, text_[i]});
      }
      continue;
    }
    Part part;
    switch (text_[++i]) {
      case 'Y':
        part = Part::kYear;
        year = true;
        break;
      case 'm':
        part = Part::kMonth;
        month = true;
        break;
      case 'b':
        part = Part::kMonthName;
        month = true;
        break;
      case 'd':
        part = Part::kDay;
        day = true;
        break;
      case 'H':
        part = Part::kHour;
        break;
      case 'M':
        part = Part::kMinute;
        break;
      case 'S':
        part = Part::kSecond;
        break;
      case 'z':
        part = Part::kOffset;
        offset = true;
        break;
      default:
        steps_.clear();
        return;
    }
    const std::uint32_t bit =
        1u << static_cast<std::uint32_t>(part == Part::kMonthName ? Part::kMonth : part);
    if ((seen & bit) != 0) {
      steps_.clear();
      return;
    }
    seen |= bit;
    steps_.push_back({part, '\0'});
  }
  if (!year || !month || !day || !(offset || utc)) {
    steps_.clear();
  }
}

bool TimePattern::parse_fast(std::string_view text, std::int64_t* micros) const {
  const char* p = text.data();
  const char* end = p + text.size();
  const auto number = [&](int digits, std::uint32_t* value) {
    if (end - p < digits) {
      return false;
    }
    *value = 0;
    for (int i = 0; i < digits; ++i) {
      if (!is_digit(p[i])) {
        return false;
      }
      *value = *value * 10 + static_cast<std::uint32_t>(p[i] - '0');
    }
    p += digits;
    return true;
  };
  std::uint32_t year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  std::int64_t offset = 0;
  for (const Step step : steps_) {
    switch (step.part) {
      case Part::kLiteral:
        if (p == end || *p != step.literal) {
          return false;
        }
        ++p;
        break;
      case Part::kYear:
        if (!number(4, &year) || (p != end && is_digit(*p))) {
          return false;
        }
        break;
      case Part::kMonth:
        if (!number(2, &month)) {
          return false;
        }
        break;
      case Part::kMonthName: {
        if (end - p < 3) {
          return false;
        }
        month = 0;
        for (std::uint32_t i = 0; i < 12; ++i) {
          if (std::memcmp(p, kMonths[i].data(), 3) == 0) {
            month = i + 1;
          }
        }
        p += 3;
        // A longer name is the library's.
        if (month == 0 || (p != end && (*p | 0x20) >= 'a' && (*p | 0x20) <= 'z')) {
          return false;
        }
        break;
      }
      case Part::kDay:
        if (!number(2, &day)) {
          return false;
        }
        break;
      case Part::kHour:
        if (!number(2, &hour)) {
          return false;
        }
        break;
      case Part::kMinute:
        if (!number(2, &minute)) {
          return false;
        }
        break;
      case Part::kSecond:
        if (!number(2, &second)) {
          return false;
        }
        break;
      case Part::kOffset: {
        if (p == end || (*p != '+' && *p != '-')) {
          return false;
        }
        const bool west = *p++ == '-';
        std::uint32_t hours, minutes;
        if (!number(2, &hours) || !number(2, &minutes) || hours > 23 || minutes > 59 ||
            (p != end && is_digit(*p))) {
          return false;
        }
        offset = static_cast<std::int64_t>(hours * 3600 + minutes * 60) * (west ? -1 : 1);
        break;
      }
    }
  }
  if (p != end || year == 0 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) ||
      hour > 23 || minute > 59 || second > 59) {
    return false;
  }
  const std::int64_t days = weir_days_from_civil(year, month, day);
  *micros = (days * 86400 + hour * 3600 + minute * 60 + second - offset) * 1000000;
  return weir_time_check(*micros) == 0;
}

std::int32_t TimePattern::parse(std::string_view text, std::int64_t* micros) const {
  return !steps_.empty() && parse_fast(text, micros) ? 0 : parse_slowly(text, micros);
}

std::int32_t TimePattern::parse_slowly(std::string_view text, std::int64_t* micros) const {
  absl::Time time;
  std::string error;
  // The library skips white space around the text, and knows words for infinity.
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == 'i' ||
      text.front() == '\t' || text.front() == '\n' ||
      !absl::ParseTime(text_, view(text), impl_->zone, &time, &error)) {
    return 5016;
  }
  if (impl_->local && skipped_by_clocks(text_, text, impl_->zone)) {
    return 5016;
  }
  if (!impl_->epoch && has_second_60(text_, text, impl_->zone, time)) {
    return 5016;
  }
  if (time == absl::InfiniteFuture() || time == absl::InfinitePast()) {
    return 5010;
  }
  const std::int64_t value = absl::ToUnixMicros(time);
  if (absl::FromUnixMicros(value) != time || weir_time_check(value) != 0) {
    return 5010;
  }
  *micros = value;
  return 0;
}

void TimePattern::format(std::int64_t micros, std::string& out) const {
  out += absl::FormatTime(text_, absl::FromUnixMicros(micros), impl_->zone);
}

}  // namespace weir::value
