#include "compiler/ast/print_values.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "compiler/ast/print.h"
#include "compiler/base/text.h"

namespace weir::ast {

std::string print_name(const std::string& name) {
  static constexpr std::array<std::string_view, 15> reserved = {"true", "false", "null",  "and", "or",
                                                                "not",  "in",    "is",    "if",  "then",
                                                                "else", "let",   "match", "try", "capture"};
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool identifier =
      !name.empty() && plain(name.front()) &&
      std::all_of(name.begin(), name.end(), [&](char c) { return plain(c) || (c >= '0' && c <= '9'); });
  const bool word = std::find(reserved.begin(), reserved.end(), name) != reserved.end();
  return identifier && !word ? name : "`" + name + "`";
}

std::string print_string_part(const std::string& value) {
  std::string out;
  for (std::size_t at = 0; at < value.size();) {
    const base::CodePoint point = base::decode_utf8(value, at);
    const char32_t c = point.value;
    const bool hidden = c < 0x20 || c == 0x7F || (c >= 0x200E && c <= 0x200F) ||
                        (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '$':
        out += at + 1 < value.size() && value[at + 1] != '{' ? "$" : "\\$";
        break;
      default:
        if (hidden) {
          out += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
        } else {
          out += value.substr(at, point.length);
        }
    }
    at += point.length;
  }
  return out;
}

std::string print_string(const std::string& value) {
  return "\"" + print_string_part(value) + "\"";
}

std::string print_duration(std::int64_t micros) {
  constexpr std::pair<std::int64_t, const char*> units[] = {
      {86'400'000'000, "d"}, {3'600'000'000, "h"}, {60'000'000, "m"}, {1'000'000, "s"}, {1000, "ms"}};
  if (micros == 0) return "0s";
  for (const auto& [size, unit] : units) {
    if (micros % size == 0) return fmt::format("{}{}", micros / size, unit);
  }
  return fmt::format("{}us", micros);
}

std::string print_size(std::uint64_t bytes) {
  constexpr std::pair<std::uint64_t, const char*> units[] = {
      {1ull << 40, "TiB"}, {1'000'000'000'000, "TB"}, {1ull << 30, "GiB"}, {1'000'000'000, "GB"},
      {1ull << 20, "MiB"}, {1'000'000, "MB"},         {1ull << 10, "KiB"}, {1000, "kB"}};
  for (const auto& [size, unit] : units) {
    if (bytes != 0 && bytes % size == 0) return fmt::format("{}{}", bytes / size, unit);
  }
  return fmt::format("{}B", bytes);
}

std::string print_date(std::int32_t days) {
  // Civil date from days, counted in eras of 400 years that begin in March.
  const std::int32_t shifted = days + 719468;
  const std::int32_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int32_t day_of_era = shifted - era * 146097;
  const std::int32_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int32_t month_index = (5 * day_of_year + 2) / 153;
  const std::int32_t day = day_of_year - (153 * month_index + 2) / 5 + 1;
  const std::int32_t month = month_index < 10 ? month_index + 3 : month_index - 9;
  const std::int32_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return fmt::format("@{:04}-{:02}-{:02}", year, month, day);
}

std::string print_timestamp(std::int64_t micros) {
  constexpr std::int64_t day = 86'400'000'000;
  const std::int64_t days = (micros >= 0 ? micros : micros - day + 1) / day;
  const std::int64_t rest = micros - days * day;
  const std::int64_t seconds = rest / 1'000'000;
  std::string fraction;
  if (rest % 1'000'000 != 0) {
    fraction = fmt::format(".{:06}", rest % 1'000'000);
    while (fraction.back() == '0') fraction.pop_back();
  }
  return fmt::format("{}T{:02}:{:02}:{:02}{}Z", print_date(static_cast<std::int32_t>(days)), seconds / 3600,
                     seconds / 60 % 60, seconds % 60, fraction);
}

}  // namespace weir::ast
