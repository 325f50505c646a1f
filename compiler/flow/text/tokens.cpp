#include "compiler/flow/text/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "compiler/base/text.h"

namespace weir::flow::text {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t kSecond = 1'000'000;

constexpr std::array<std::pair<Op, std::string_view>, 23> kWords = {{
    {Op::kIf, "if"},           {Op::kAnd, "and"},           {Op::kOr, "or"},
    {Op::kNot, "not"},         {Op::kEqual, "eq"},          {Op::kNotEqual, "ne"},
    {Op::kLess, "lt"},         {Op::kLessEqual, "le"},      {Op::kGreater, "gt"},
    {Op::kGreaterEqual, "ge"}, {Op::kNegate, "neg"},        {Op::kAdd, "add"},
    {Op::kSubtract, "sub"},    {Op::kMultiply, "mul"},      {Op::kDivide, "div"},
    {Op::kRemainder, "rem"},   {Op::kConvert, "convert"},   {Op::kIsNull, "is_null"},
    {Op::kUnwrap, "unwrap"},   {Op::kCoalesce, "coalesce"}, {Op::kTry, "try"},
    {Op::kRecord, "record"},   {Op::kField, "field"},
}};

constexpr std::array<std::pair<AggregateKind, std::string_view>, 5> kAggregates = {{
    {AggregateKind::kCount, "count"},
    {AggregateKind::kSum, "sum"},
    {AggregateKind::kMin, "min"},
    {AggregateKind::kMax, "max"},
    {AggregateKind::kAvg, "avg"},
}};

void append_byte(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kHex[byte >> 4U];
  out += kHex[byte & 15U];
}

std::string escaped(std::string_view value, char quote) {
  std::string out(1, quote);
  for (std::size_t i = 0; i < value.size();) {
    const char c = value[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const base::CodePoint point = base::decode_utf8(value, i);
      if (point.valid) {
        out += value.substr(i, point.length);
      } else {
        append_byte(out, c);
      }
      i += point.length;
      continue;
    }
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20 || c == 0x7f) {
      append_byte(out, c);
    } else {
      out += c;
    }
    ++i;
  }
  out += quote;
  return out;
}

std::string padded(std::int64_t value, std::size_t width) {
  std::string digits = std::to_string(value);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

}  // namespace

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9');
}

std::string name(std::string_view name) {
  const bool plain =
      !name.empty() && starts_name(name[0]) && std::all_of(name.begin(), name.end(), continues_name);
  return plain ? std::string(name) : escaped(name, '`');
}

std::string in_quotes(std::string_view value) {
  return escaped(value, '"');
}

std::string decimal_digits(Int128 unscaled, int scale) {
  using Unsigned = unsigned __int128;
  Unsigned rest =
      unscaled < 0 ? Unsigned(0) - static_cast<Unsigned>(unscaled) : static_cast<Unsigned>(unscaled);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  while (static_cast<int>(digits.size()) <= scale) digits += '0';
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  return (unscaled < 0 ? "-" : "") + digits;
}

std::string float_digits(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::optional<std::string> timestamp_text(std::int64_t microseconds) {
  const chrono::sys_time<chrono::microseconds> point{chrono::microseconds(microseconds)};
  const auto day = chrono::floor<chrono::days>(point);
  const chrono::year_month_day date{day};
  if (!date.ok() || int(date.year()) < 1 || int(date.year()) > 9999) return std::nullopt;
  const std::int64_t rest = (point - day).count();
  const std::int64_t second = rest / kSecond;
  std::string out = padded(int(date.year()), 4) + "-" + padded(unsigned(date.month()), 2) + "-" +
                    padded(unsigned(date.day()), 2) + "T" + padded(second / 3600, 2) + ":" +
                    padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2);
  if (rest % kSecond != 0) {
    std::string fraction = padded(rest % kSecond, 6);
    while (fraction.back() == '0') fraction.pop_back();
    out += "." + fraction;
  }
  return out + "Z";
}

std::optional<std::int64_t> parse_timestamp(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  if (text.size() < kShape.size() + 1 || text.back() != 'Z') return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == 'd' ? !digit : text[i] != kShape[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t from, std::size_t count) {
    std::int64_t value = 0;
    for (std::size_t i = from; i < from + count; ++i) value = value * 10 + (text[i] - '0');
    return value;
  };
  std::int64_t fraction = 0;
  std::string_view rest = text.substr(kShape.size());
  rest.remove_suffix(1);
  if (!rest.empty()) {
    if (rest[0] != '.' || rest.size() < 2 || rest.size() > 7) return std::nullopt;
    std::int64_t unit = kSecond;
    for (char c : rest.substr(1)) {
      if (c < '0' || c > '9') return std::nullopt;
      unit /= 10;
      fraction += (c - '0') * unit;
    }
  }
  const chrono::year_month_day date{chrono::year(static_cast<int>(number(0, 4))),
                                    chrono::month(static_cast<unsigned>(number(5, 2))),
                                    chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!date.ok() || number(0, 4) < 1 || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) {
    return std::nullopt;
  }
  const std::int64_t days_since = chrono::sys_days(date).time_since_epoch().count();
  return ((days_since * 24 + number(11, 2)) * 3600 + number(14, 2) * 60 + number(17, 2)) * kSecond + fraction;
}

std::string_view word(Op op) {
  for (const auto& [key, value] : kWords) {
    if (key == op) return value;
  }
  return "";
}

std::optional<Op> op_of_word(std::string_view word) {
  for (const auto& [key, value] : kWords) {
    if (value == word) return key;
  }
  return std::nullopt;
}

std::string_view word(AggregateKind kind) {
  for (const auto& [key, value] : kAggregates) {
    if (key == kind) return value;
  }
  return "";
}

std::optional<AggregateKind> aggregate_of_word(std::string_view word) {
  for (const auto& [key, value] : kAggregates) {
    if (value == word) return key;
  }
  return std::nullopt;
}

}  // namespace weir::flow::text
