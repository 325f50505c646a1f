#include "compiler/parse/characters.h"

#include <fmt/core.h>

#include <cstdint>

#include "compiler/base/text.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

using Lexer = grammar::WeirLexer;

bool is_bidirectional_control(char32_t c) {
  return c == 0x061C || (c >= 0x200E && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool is_typographic_quote(char32_t c) {
  return (c >= 0x2018 && c <= 0x201F) || c == 0x00AB || c == 0x00BB;
}

bool is_letter(char32_t c) {
  if (c == 0xD7 || c == 0xF7 || is_bidirectional_control(c)) return false;
  const bool general_marks = c >= 0x2000 && c < 0x2C00;
  const bool eastern_marks = c >= 0x2E00 && c <= 0x3004;
  const bool not_assigned_or_symbols = c >= 0xE000 && c < 0x20000;
  return c >= 0xC0 && !general_marks && !eastern_marks && !not_assigned_or_symbols;
}

const Lookalike* lookalike(char32_t c) {
  static constexpr Lookalike table[] = {
      {0x2013, Lexer::MINUS, "-"},       {0x2014, Lexer::MINUS, "-"},
      {0x2212, Lexer::MINUS, "-"},       {0x00D7, Lexer::STAR, "*"},
      {0x00F7, Lexer::SLASH, "/"},       {0x2260, Lexer::NOT_EQUAL, "!="},
      {0x2264, Lexer::LESS_EQUAL, "<="}, {0x2265, Lexer::GREATER_EQUAL, ">="},
      {0x2192, Lexer::ARROW, "->"},      {0x21D2, Lexer::FAT_ARROW, "=>"},
      {0x2026, Lexer::DOT_DOT, ".."},    {0xFF0C, Lexer::COMMA, ","},
      {0xFF1A, Lexer::COLON, ":"}};
  for (const Lookalike& row : table) {
    if (row.from == c) return &row;
  }
  return nullptr;
}

std::string describe(char32_t c) {
  const auto number = static_cast<std::uint32_t>(c);
  if (c < 0x20 || c == 0x7F) return fmt::format("a control character (U+{:04X})", number);
  if (c == 0xA0) return "a space that does not break (U+00A0)";
  if (c == 0x200B || c == 0xFEFF) return fmt::format("an invisible character (U+{:04X})", number);
  std::string shown;
  base::append_utf8(shown, c);
  return fmt::format("unexpected character `{}`", shown);
}

}  // namespace weir::parse
