#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/builder.h"
#include "compiler/parse/calendar.h"

namespace weir::parse {

using diagnostics::Code;

namespace {

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

// Multiplies and adds without overflow; nullopt beyond `limit`.
std::optional<std::uint64_t> read_digits(std::string_view digits, std::uint64_t limit) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (limit - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

std::size_t digit_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return (c < '0' || c > '9') && c != '_'; }) -
      text.begin());
}

}  // namespace

ast::Expr* Builder::literal(Parser::LiteralContext* ctx) {
  if (ctx == nullptr || ctx->getStart() == nullptr) return error_expr({});
  const ast::Span at = span(ctx->getStart());
  const std::string_view text = text_of(at);
  switch (ctx->getStart()->getType()) {
    case Parser::K_NULL:
      return make_expr<ast::NullLiteral>(at);
    case Parser::K_TRUE:
    case Parser::K_FALSE: {
      auto* out = make_expr<ast::BoolLiteral>(at);
      out->value = ctx->getStart()->getType() == Parser::K_TRUE;
      return out;
    }
    case Parser::INT:
      return integer(at, text);
    case Parser::HEX:
      return hexadecimal(at, text);
    case Parser::DECIMAL: {
      auto* out = make_expr<ast::DecimalLiteral>(at);
      out->digits = without_underscores(text);
      return out;
    }
    case Parser::FLOAT: {
      auto* out = make_expr<ast::FloatLiteral>(at);
      out->digits = without_underscores(text);
      return out;
    }
    case Parser::DURATION:
      return duration(at, text);
    case Parser::SIZE:
      return size(at, text);
    case Parser::TIMESTAMP:
      return timestamp(at, text);
    case Parser::DATE_LITERAL:
      return date(at, text);
    case Parser::BAD_NUMBER:
      return bad_number(at, text);
    case Parser::BAD_TIMESTAMP:
      out_.report(Code::bad_timestamp, at, "this timestamp cannot be read")
          .label("expected a date and a time in UTC")
          .help("for example `@2026-01-31T23:59:00Z`; a name that begins with `@` stands in backticks");
      return error_expr(at);
    default:
      return error_expr(at);
  }
}

ast::Expr* Builder::integer(ast::Span at, std::string_view text) {
  std::string digits = without_underscores(text);
  if (digits.size() > 1 && digits.front() == '0') {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    out_.report(Code::bad_number, at, "a number does not begin with 0")
        .label("would be octal in some languages")
        .suggest("remove the zeros", at, digits);
  }
  auto* out = make_expr<ast::IntLiteral>(at);
  out->value = read_digits(digits, std::numeric_limits<std::uint64_t>::max());
  out->digits = std::move(digits);
  return out;
}

ast::Expr* Builder::hexadecimal(ast::Span at, std::string_view text) {
  const std::string digits = without_underscores(text.substr(2));
  auto* out = make_expr<ast::IntLiteral>(at);
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (value >> 60 != 0) {
      out_.report(Code::bad_number, at, "this number is too large").label("more than 64 bits");
      return error_expr(at);
    }
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  out->value = value;
  out->digits = std::to_string(value);
  return out;
}

ast::Expr* Builder::duration(ast::Span at, std::string_view text) {
  const std::size_t count = digit_count(text);
  const std::string_view unit = text.substr(count);
  std::uint64_t micros = 1;
  if (unit == "ms") micros = 1000;
  if (unit == "s") micros = 1000000;
  if (unit == "m") micros = 60ull * 1000000;
  if (unit == "h") micros = 3600ull * 1000000;
  if (unit == "d") micros = 86400ull * 1000000;
  const std::uint64_t limit = std::numeric_limits<std::int64_t>::max() / micros;
  const auto number = read_digits(without_underscores(text.substr(0, count)), limit);
  if (!number || *number > limit) {
    out_.report(Code::bad_number, at, "this duration is too long").label("more than 292,000 years");
    return error_expr(at);
  }
  auto* out = make_expr<ast::DurationLiteral>(at);
  out->micros = static_cast<std::int64_t>(*number * micros);
  return out;
}

ast::Expr* Builder::size(ast::Span at, std::string_view text) {
  const std::size_t count = digit_count(text);
  const std::string_view unit = text.substr(count);
  const std::uint64_t base = unit.find('i') != std::string_view::npos ? 1024 : 1000;
  std::uint64_t factor = 1;
  const std::size_t power = unit.size() < 2 ? 0 : std::string_view("kKMGT").find(unit.front());
  for (std::size_t i = 0; unit.size() >= 2 && i < std::max<std::size_t>(power, 1); ++i) factor *= base;
  const std::uint64_t limit = std::numeric_limits<std::int64_t>::max() / factor;
  const auto number = read_digits(without_underscores(text.substr(0, count)), limit);
  if (!number || *number > limit) {
    out_.report(Code::bad_number, at, "this size is too large").label("more than 8 EiB");
    return error_expr(at);
  }
  auto* out = make_expr<ast::SizeLiteral>(at);
  out->bytes = *number * factor;
  return out;
}

ast::Expr* Builder::timestamp(ast::Span at, std::string_view text) {
  const ReadTimestamp read = read_timestamp(text.substr(1));
  if (!read.problem.empty()) {
    auto& d = out_.report(Code::bad_timestamp, at, "this timestamp cannot be read");
    d.label(read.problem);
    if (read.lacks_zone) d.suggest("say that it is UTC", source::after(at), "Z");
    return error_expr(at);
  }
  auto* out = make_expr<ast::TimestampLiteral>(at);
  out->micros = read.micros;
  return out;
}

ast::Expr* Builder::date(ast::Span at, std::string_view text) {
  const ReadDate read = read_date(text.substr(1));
  if (!read.problem.empty()) {
    out_.report(Code::bad_timestamp, at, "this date cannot be read").label(read.problem);
    return error_expr(at);
  }
  auto* out = make_expr<ast::DateLiteral>(at);
  out->days = read.days;
  return out;
}

ast::Expr* Builder::bad_number(ast::Span at, std::string_view text) {
  auto& d = out_.report(Code::bad_number, at, fmt::format("`{}` is neither a number nor a name", text));
  const std::string_view rest = text.substr(digit_count(text));
  const bool dotted = text.find('.') != std::string_view::npos;
  const char last = text.back();
  const bool unit = last == 's' || last == 'm' || last == 'h' || last == 'd';
  if (text.ends_with('.')) {
    d.label("digits stand on both sides of the point")
        .suggest("write a decimal", source::after(at), "0")
        .suggest("write a whole number", at, std::string(text.substr(0, text.size() - 1)));
  } else if (text.starts_with('.')) {
    d.label("digits stand on both sides of the point").suggest("write a decimal", source::before(at), "0");
  } else if (text.ends_with('_') || text.find("__") != std::string_view::npos) {
    d.label("an underscore stands between two digits");
  } else if (unit &&
             (dotted || std::any_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; }))) {
    d.label("a duration is one whole number and one unit")
        .help("`90m` for an hour and a half; or add two durations: `1h + 30m`");
  } else {
    d.label("cannot be read").help(fmt::format("as a name it stands in backticks: `` `{}` ``", text));
  }
  return error_expr(at);
}

// ---- strings

std::string Builder::raw_value(ast::Span at) {
  const std::string_view text = text_of(at);
  if (text.size() < 2) return "";  // a token that the parser made up
  if (text.starts_with('\'')) return std::string(text.substr(1, text.size() - 2));
  const std::size_t quote = text.find('"');
  if (!text.starts_with('r')) {
    // Typographic quotes, reported before.
    const std::size_t first = base::decode_utf8(text, 0).length;
    std::string_view inner = text.substr(first);
    while (!inner.empty() && (static_cast<unsigned char>(inner.back()) & 0xC0) == 0x80)
      inner.remove_suffix(1);
    return inner.empty() ? "" : std::string(inner.substr(0, inner.size() - 1));
  }
  if (quote == std::string_view::npos || text.size() < 2 * (quote + 1)) return "";
  return std::string(text.substr(quote + 1, text.size() - 2 * quote - 1));
}

void Builder::escape(std::string& value, ast::Span at) {
  const std::string_view text = text_of(at);
  if (text.starts_with("\\u{")) {
    char32_t point = 0;
    bool good = text.size() > 4 && text.size() <= 10;
    for (const char c : text.substr(3, text.size() - 4)) {
      const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      good = good && hex;
      point = point * 16 + static_cast<char32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (!good || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
      out_.report(Code::unknown_escape, at, "this is no character's number")
          .label("expected `\\u{…}` with one to six hexadecimal digits, at most 10FFFF and no surrogate");
      return;
    }
    base::append_utf8(value, point);
    return;
  }
  if (text == "\\u") {
    out_.report(Code::unknown_escape, at, "this is no character's number")
        .label("expected `\\u{…}` with one to six hexadecimal digits");
    return;
  }
  switch (text.size() == 2 ? text[1] : ' ') {
    case 'n':
      value += '\n';
      return;
    case 'r':
      value += '\r';
      return;
    case 't':
      value += '\t';
      return;
    case '"':
      value += '"';
      return;
    case '\\':
      value += '\\';
      return;
    case '$':
      value += '$';
      return;
    default:
      break;
  }
  // Of a character outside ASCII the token has the first byte only.
  const ast::Span whole{at.file, at.offset, 1u + base::decode_utf8(file_.text(), at.offset + 1).length};
  out_.report(Code::unknown_escape, whole, fmt::format("`{}` is not an escape", text_of(whole)))
      .label("known are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, `\\$` and `\\u{…}`")
      .note("a backslash with another meaning elsewhere is refused rather than guessed at")
      .suggest("for a backslash, write two", ast::Span{at.file, at.offset, 1}, "\\\\");
  value += text;
}

ast::Expr* Builder::string(Parser::StringContext* ctx) {
  const ast::Span at = span(ctx);
  if (ctx == nullptr || has(ctx, Parser::BAD_STRING)) return error_expr(at);
  if (!has(ctx, Parser::STRING_OPEN)) {
    auto* out = make_expr<ast::StringLiteral>(at);
    out->value = raw_value(at);
    return out;
  }
  std::vector<ast::Expr*> parts;
  bool bad_escape = false;
  ast::StringLiteral* literal = nullptr;
  const auto piece = [&](ast::Span where) -> std::string& {
    if (literal == nullptr) {
      literal = make_expr<ast::StringLiteral>(where);
      parts.push_back(literal);
    }
    literal->span = source::cover(literal->span, where);
    return literal->value;
  };
  for (auto* part : ctx->string_part()) {
    if (part->expr() != nullptr) {
      literal = nullptr;
      parts.push_back(expr(part->expr()));
    } else if (has(part, Parser::ESCAPE)) {
      const ast::Span where = span(part);
      // Of several unknown ones the first says it: most likely a raw string is meant.
      const std::size_t before = out_.size();
      if (!bad_escape) escape(piece(where), where);
      bad_escape = bad_escape || out_.size() != before;
    } else if (has(part, Parser::STRING_TEXT)) {
      const ast::Span where = span(part);
      piece(where) += text_of(where);
    }
  }
  if (parts.empty() || (parts.size() == 1 && literal != nullptr)) {
    auto* out = literal != nullptr ? literal : make_expr<ast::StringLiteral>(at);
    out->span = at;
    return out;
  }
  auto* out = make_expr<ast::InterpolationExpr>(at);
  out->parts = std::move(parts);
  return out;
}

ast::Text Builder::text(Parser::TextContext* ctx) {
  const ast::Span at = span(ctx);
  if (ctx == nullptr || ctx->string() == nullptr) return {"", at};
  const ast::Expr* value = string(ctx->string());
  if (const auto* literal = ast::try_as<ast::StringLiteral>(value); literal != nullptr)
    return {literal->value, at};
  if (value->kind == ast::ExprKind::interpolation) {
    out_.report(Code::fixed_text, at, "this text is fixed when the script is compiled")
        .label("no `${…}` here");
    return {std::string(text_of(at)), at};  // anything but empty, which would be another mistake
  }
  return {"", at};
}

}  // namespace weir::parse
