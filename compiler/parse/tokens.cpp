#include "compiler/parse/tokens.h"

#include <optional>
#include <string>

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

namespace {

// Ends of raw strings and comments. What has none after one place has none after a later one.
class Ends {
 public:
  explicit Ends(std::string_view text) : text_(text) {}

  // Makes the whole of a beginning, if its end is there.
  void complete(Token& token) {
    if (token.kind != WeirLexer::UNTERMINATED_RAW && token.kind != WeirLexer::F_COMMENT_OPEN) return;
    const bool comment = token.kind == WeirLexer::F_COMMENT_OPEN;
    const std::size_t marks = comment ? most_marks : token.length - 2;
    if (none_[marks]) return;
    const std::string closing = comment ? "*/" : "\"" + std::string(marks, '#');
    const std::size_t at = text_.find(closing, token.end());
    none_[marks] = at == std::string_view::npos;
    if (none_[marks]) return;
    token.length = static_cast<std::uint32_t>(at + closing.size() - token.offset);
    token.kind = comment ? WeirLexer::F_COMMENT : WeirLexer::RAW_STRING;
  }

 private:
  static constexpr std::size_t most_marks = 4;  // one more than raw strings have
  std::string_view text_;
  bool none_[most_marks + 1] = {};
};

}  // namespace

std::vector<Token> lex(std::string_view text) {
  ByteStream stream(text);
  LineLexer lexer(&stream);
  lexer.removeErrorListeners();
  Ends ends(text);
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
    const std::uint32_t beginning = token.length;
    ends.complete(token);
    if (token.length != beginning) stream.seek(token.end());
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
