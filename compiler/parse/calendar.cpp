#include "compiler/parse/calendar.h"

#include <fmt/core.h>

namespace weir::parse {

namespace {

int number(std::string_view text) {
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return value;
}

bool is_leap(int year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in(int year, int month) {
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

// Days since 1970-01-01: whole years before, then the months.
std::int32_t day_number(int year, int month, int day) {
  const int before = year - 1;
  std::int32_t days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
  for (int m = 1; m < month; ++m) days += days_in(year, m);
  return days + day - 1;
}

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t least = -62135596800 * second;   // 0001-01-01T00:00:00Z
constexpr std::int64_t beyond = 253402300800 * second;  // 10000-01-01T00:00:00Z

}  // namespace

ReadDate read_date(std::string_view text) {
  const int year = number(text.substr(0, 4));
  const int month = number(text.substr(5, 2));
  const int day = number(text.substr(8, 2));
  if (year < 1) return {0, "years go from 0001 to 9999"};
  if (month < 1 || month > 12) return {0, fmt::format("there is no month {}", month)};
  if (day < 1 || day > days_in(year, month))
    return {0, fmt::format("month {} of {} has {} days", month, year, days_in(year, month))};
  return {day_number(year, month, day), ""};
}

ReadTimestamp read_timestamp(std::string_view text) {
  const ReadDate date = read_date(text);
  if (!date.problem.empty()) return {0, date.problem, false};
  const int hour = number(text.substr(11, 2));
  const int minute = number(text.substr(14, 2));
  std::string_view rest = text.substr(16);
  int seconds = 0;
  std::int64_t micros = 0;
  if (rest.starts_with(':')) {
    seconds = number(rest.substr(1, 2));
    rest.remove_prefix(3);
  }
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    std::size_t digits = 0;
    for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits) {
      if (digits < 6) micros = micros * 10 + (rest[digits] - '0');
      if (digits >= 6 && rest[digits] != '0')
        return {0, "timestamps have microseconds, at most 6 digits", false};
    }
    for (std::size_t i = digits; i < 6; ++i) micros *= 10;
    rest.remove_prefix(digits);
  }
  if (hour > 23) return {0, "hours go from 00 to 23", false};
  if (minute > 59) return {0, "minutes go from 00 to 59", false};
  if (seconds > 59) return {0, "seconds go from 00 to 59", false};
  if (rest.empty()) return {0, "its zone is missing", true};
  std::int64_t offset = 0;
  if (rest.front() != 'Z') {
    const int offset_hour = number(rest.substr(1, 2));
    const int offset_minute = number(rest.substr(4, 2));
    if (offset_hour > 23 || offset_minute > 59) return {0, "a zone goes up to 23:59", false};
    offset = (offset_hour * 60 + offset_minute) * 60 * (rest.front() == '-' ? -1 : 1);
  }
  const std::int64_t total = ((date.days * 24LL + hour) * 60 + minute) * 60 + seconds - offset;
  const std::int64_t out = total * second + micros;
  if (out < least || out >= beyond) return {0, "years go from 0001 to 9999", false};
  return {out, "", false};
}

}  // namespace weir::parse
