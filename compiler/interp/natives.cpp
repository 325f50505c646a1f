#include "compiler/interp/natives.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "compiler/interp/wide.h"

namespace weir::interp {
namespace {

using flow::Expr;
using types::Kind;

using Args = std::span<const Value>;
using Outcome = std::expected<Value, int>;

constexpr int kIndexRange = 5013;
constexpr int kBadText = 5016;
constexpr int kBadArgument = 5019;
constexpr std::int64_t kTimeMin = -62'135'596'800'000'000;
constexpr std::int64_t kTimeMax = 253'402'300'799'999'999;

Outcome unknown() {
  return std::unexpected(0);
}

Kind kind_of(const Expr& call, std::size_t arg) {
  return call.args[arg]->type->kind;
}
bool is_number(Kind kind) {
  return kind == Kind::kInt || kind == Kind::kDuration;
}

Outcome absolute(const Expr& call, Args args) {
  if (const auto* value = std::get_if<double>(&args[0].data)) return Value{std::fabs(*value)};
  if (const auto* value = std::get_if<Int128>(&args[0].data)) return Value{*value < 0 ? -*value : *value};
  if (!is_number(kind_of(call, 0))) return unknown();
  const std::int64_t value = args[0].integer();
  if (value == std::numeric_limits<std::int64_t>::min()) return std::unexpected(integer_overflow);
  return Value{value < 0 ? -value : value};
}

Outcome sign(const Expr& call, Args args) {
  const auto of = [](auto value) { return Value{std::int64_t(value > 0 ? 1 : 0) - (value < 0 ? 1 : 0)}; };
  if (const auto* value = std::get_if<Int128>(&args[0].data)) return of(*value);
  return is_number(kind_of(call, 0)) ? Outcome(of(args[0].integer())) : unknown();
}

Outcome modulo(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kInt || kind_of(call, 1) != Kind::kInt) return unknown();
  const std::int64_t b = args[1].integer();
  if (b == 0) return std::unexpected(division_by_zero);
  if (b == -1) return Value{std::int64_t(0)};
  const std::int64_t rest = args[0].integer() % b;
  return Value{rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest};
}

Outcome clamp(const Expr& call, Args args) {
  if (args.size() != 3 || kind_of(call, 0) != Kind::kInt) return unknown();
  const std::int64_t x = args[0].integer();
  const std::int64_t low = args[1].integer();
  const std::int64_t high = args[2].integer();
  if (low > high) return std::unexpected(kBadArgument);
  if (x < low) return Value{low};
  return Value{x > high ? high : x};
}

Outcome text_to_int(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (text.size() == (negative ? 1U : 0U)) return std::unexpected(kBadText);
  std::int64_t value = 0;
  bool overflow = false;
  for (std::size_t at = negative ? 1 : 0; at < text.size(); ++at) {
    const int digit = text[at] - '0';
    if (digit < 0 || digit > 9) return std::unexpected(kBadText);
    overflow = overflow || __builtin_mul_overflow(value, 10, &value) ||
               __builtin_add_overflow(value, negative ? -digit : digit, &value);
  }
  if (overflow) return std::unexpected(conversion_range);
  return Value{value};
}

Outcome to_int(const Expr& call, Args args) {
  switch (kind_of(call, 0)) {
    case Kind::kString:
      return text_to_int(args[0].text());
    case Kind::kFloat: {
      const double value = args[0].floating();
      if (!std::isfinite(value)) return std::unexpected(not_a_number);
      if (value < -9223372036854775808.0 || value >= 9223372036854775808.0)
        return std::unexpected(conversion_range);
      return Value{static_cast<std::int64_t>(value)};
    }
    case Kind::kDecimal: {
      const Int128 whole = args[0].decimal() / power10(call.args[0]->type->scale);
      const auto value = static_cast<std::int64_t>(whole);
      if (whole != value) return std::unexpected(conversion_range);
      return Value{value};
    }
    default:
      return unknown();
  }
}

Outcome to_bool(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kString) return unknown();
  if (args[0].text() == "true") return Value{true};
  if (args[0].text() == "false") return Value{false};
  return std::unexpected(kBadText);
}

Outcome at(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kList) return unknown();
  const std::int64_t index = args[1].integer();
  const Values& list = args[0].values();
  if (index < 0 || static_cast<std::size_t>(index) >= list.size()) return std::unexpected(kIndexRange);
  return Value(list[static_cast<std::size_t>(index)]);
}

Outcome square_root(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kFloat) return unknown();
  if (args[0].floating() < 0) return std::unexpected(kBadArgument);
  return Value{std::sqrt(args[0].floating())};
}

Native from_unix(std::int64_t unit) {
  return [unit](const Expr& call, Args args) -> Outcome {
    if (kind_of(call, 0) != Kind::kInt) return unknown();
    std::int64_t time = 0;
    const bool overflow = __builtin_mul_overflow(args[0].integer(), unit, &time);
    if (overflow || time < kTimeMin || time > kTimeMax) return std::unexpected(timestamp_range);
    return Value{time};
  };
}

Outcome to_bytes(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kString) return unknown();
  return Value(args[0]);
}

Outcome from_base64(const Expr& call, Args args) {
  if (kind_of(call, 0) != Kind::kString) return unknown();
  const std::string_view text = args[0].text();
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::unexpected(kBadText);
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size() - padding; ++i) {
    const std::size_t digit = digits.find(text[i]);
    if (digit == std::string_view::npos) return std::unexpected(kBadText);
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    // Of every four digits the second, third and fourth end a byte.
    const std::size_t left = 6 - 2 * (i % 4);
    if (i % 4 != 0) bytes += static_cast<char>(bits >> left);
    bits &= (1u << left) - 1;
  }
  if (padding != 0 && bits != 0) return std::unexpected(kBadText);
  return Value{std::move(bytes)};
}

Outcome concat(const Expr& call, Args args) {
  std::string out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (kind_of(call, i) != Kind::kString) return unknown();
    out += args[i].text();
  }
  return Value{std::move(out)};
}

Natives make() {
  Natives out;
  out["abs"] = absolute;
  out["sign"] = sign;
  out["modulo"] = modulo;
  out["clamp"] = clamp;
  out["to_int"] = to_int;
  out["to_bool"] = to_bool;
  out["at"] = at;
  out["to_bytes"] = to_bytes;
  out["from_base64"] = from_base64;
  out["concat"] = concat;
  out["sqrt"] = square_root;
  out["from_unix_s"] = from_unix(1'000'000);
  out["from_unix_ms"] = from_unix(1'000);
  out["from_unix_us"] = from_unix(1);
  return out;
}

}  // namespace

const Natives& library_natives() {
  static const Natives natives = make();
  return natives;
}

}  // namespace weir::interp
