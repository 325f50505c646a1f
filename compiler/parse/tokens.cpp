#include "compiler/parse/tokens.h"

#include <optional>

#include "compiler/base/text.h"
#include "compiler/parse/byte_stream.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

namespace {

using grammar::WeirLexer;

// The generated lexer, made safe against braces without partner, and strings kept on their line.
class LineLexer final : public WeirLexer {
 public:
  using WeirLexer::WeirLexer;

  std::size_t popMode() override { return modeStack.empty() ? mode : WeirLexer::popMode(); }

  // To be told of every token. A line's end within `${…}` ends the string and all that it holds.
  void saw(std::size_t kind, bool ends_line) {
    if (kind == STRING_OPEN && !outermost_) outermost_ = modeStack.size() - 1;
    if (!outermost_) return;
    if (ends_line) {
      while (modeStack.size() > *outermost_) WeirLexer::popMode();
    }
    if (modeStack.size() <= *outermost_) outermost_.reset();
  }

 private:
  std::optional<std::size_t> outermost_;  // depth of modes outside the outermost open string
};

bool has_line_end(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

// The bytes of one character outside ASCII arrive one by one.
bool joins_last(const std::vector<Token>& tokens, std::size_t kind, std::uint32_t offset,
                std::string_view text) {
  if (kind != WeirLexer::UNKNOWN || tokens.empty() || tokens.back().kind != WeirLexer::UNKNOWN) return false;
  const Token& last = tokens.back();
  return last.offset + base::decode_utf8(text, last.offset).length > offset;
}

}  // namespace

std::vector<Token> lex(std::string_view text) {
  ByteStream stream(text);
  LineLexer lexer(&stream);
  lexer.removeErrorListeners();
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4);
  bool line_is_blank = true;
  while (true) {
    const std::unique_ptr<antlr4::Token> next = lexer.nextToken();
    if (next->getType() == antlr4::Token::EOF) break;
    Token token;
    token.offset = static_cast<std::uint32_t>(next->getStartIndex());
    token.length = static_cast<std::uint32_t>(next->getStopIndex() + 1 - next->getStartIndex());
    token.kind = static_cast<std::uint16_t>(next->getType());
    token.hidden = next->getChannel() != antlr4::Token::DEFAULT_CHANNEL;
    if (joins_last(tokens, token.kind, token.offset, text)) {
      tokens.back().length += token.length;
      continue;
    }
    const bool is_space = token.kind == WeirLexer::SPACE;
    const bool ends_line = is_space && has_line_end(text_of(token, text));
    lexer.saw(token.kind, ends_line);
    token.first_on_line = !is_space && line_is_blank;
    if (ends_line || token.kind == WeirLexer::STRING_END) {
      line_is_blank = true;
    } else if (!token.hidden) {
      line_is_blank = false;
    }
    tokens.push_back(token);
  }
  return tokens;
}

}  // namespace weir::parse
