// The lossless token list of one file: the texts of all tokens joined are the file. No ANTLR here, so that a formatter
// or a highlighter can use it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/source/span.h"

namespace weir::parse {

struct Token {
  std::uint32_t offset = 0;  // bytes
  std::uint32_t length = 0;
  std::uint16_t kind = 0;      // of the grammar's vocabulary; repairs change it
  bool hidden = false;         // space, comment, or taken out by a repair (which was reported)
  bool first_on_line = false;  // only spaces and hidden tokens stand before it on its line
  bool lost =
      false;  // taken out, reported, and nothing stands for it: what is missing then is its consequence

  std::uint32_t end() const { return offset + length; }
};

// Splits `text`. Never fails: what is no token of the language is an UNKNOWN token of one character.
std::vector<Token> lex(std::string_view text);

// The text of a token.
inline std::string_view text_of(const Token& token, std::string_view text) {
  return text.substr(token.offset, token.length);
}

inline source::Span span_of(const Token& token, source::FileId file) {
  return {file, token.offset, token.length};
}

}  // namespace weir::parse
