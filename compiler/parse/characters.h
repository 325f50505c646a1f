// Characters outside the language: what they are, and what was meant by them.
#pragma once

#include <cstddef>
#include <string>

namespace weir::parse {

// Changes the order in which text is shown.
bool is_bidirectional_control(char32_t c);

// Quotation marks that text processors make of plain ones.
bool is_typographic_quote(char32_t c);

// Letters outside ASCII, roughly: what is no mark, space or symbol.
bool is_letter(char32_t c);

// What an editor or a chat made of a plain mark.
struct Lookalike {
  char32_t from;
  std::size_t kind;  // of the plain token
  const char* text;
};

// nullptr if it looks like nothing in the language.
const Lookalike* lookalike(char32_t c);

// "unexpected character `…`", with a number for those that cannot be seen.
std::string describe(char32_t c);

}  // namespace weir::parse
