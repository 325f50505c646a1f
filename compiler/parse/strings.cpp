#include "compiler/parse/strings.h"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/characters.h"
#include "compiler/parse/vocabulary.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

namespace {

using Lexer = grammar::WeirLexer;
using diagnostics::Code;

constexpr int most_readings = 4;  // of one text, each up to its end

class Ender {
 public:
  Ender(std::vector<Token> tokens, source::FileId file, std::string_view text, diagnostics::Diagnostics& out)
      : tokens_(std::move(tokens)), file_(file), text_(text), out_(out) {}

  std::vector<Token> run() {
    done_.reserve(tokens_.size());
    while (at_ < tokens_.size()) {
      const Token& token = tokens_[at_];
      if (token.kind == Lexer::STRING_OPEN) {
        if (const std::size_t end = end_of_string(at_); end != 0) {
          take_until(end);
          continue;
        }
        unterminated(token, "this string has no end: `\"` is missing on its line")
            .help("a line end within a string is written `\\n`; a raw string `r\"…\"` may span lines");
      } else if (token.kind == Lexer::UNTERMINATED_RAW || took_another_quote(token)) {
        const std::size_t marks = text_.substr(token.offset, token.length).find('"') - 1;
        unterminated(token,
                     fmt::format("this string has no end: `\"{}` is missing", std::string(marks, '#')));
      } else if (const char32_t quote = lone_quote(token); quote != 0) {
        auto& d = out_.report(quote == '\'' ? Code::single_quotes : Code::bad_character,
                              span_of(token, file_), "text stands in double quotes");
        d.label(quote == '\'' ? "a single quote means nothing in Weir"
                              : "these quotes come from a text processor");
      } else {
        track(token);
        done_.push_back(token);
        ++at_;
        continue;
      }
      cut();
      if (read_again_) read_rest();
    }
    return std::move(done_);
  }

 private:
  // The token behind the closing quote of the string that begins at token `i`; 0 if there is none on its line.
  std::size_t end_of_string(std::size_t i) const {
    std::size_t depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (tokens_[i].kind == Lexer::STRING_OPEN) ++depth;
      if (tokens_[i].kind == Lexer::STRING_CLOSE && --depth == 0) return i + 1;
      if (ends_line(tokens_[i])) return 0;
    }
    return 0;
  }

  // Whether a raw string over several lines ends at what opens another string: on the line of its end there is then a
  // quote too many.
  bool took_another_quote(const Token& token) {
    const std::string_view string = text_of(token, text_);
    if (token.kind != Lexer::RAW_STRING || !string.starts_with("r\"") || readings_ >= most_readings ||
        string.find_first_of("\r\n") == std::string_view::npos)
      return false;
    for (std::size_t i = at_ + 1; i < tokens_.size() && !ends_line(tokens_[i]); ++i) {
      if (tokens_[i].kind != Lexer::STRING_OPEN) continue;
      const std::size_t end = end_of_string(i);
      read_again_ = end == 0;
      if (read_again_) return true;
      i = end - 1;
    }
    return false;
  }

  // The tokens behind what was cut, once more.
  void read_rest() {
    read_again_ = false;
    ++readings_;
    const std::uint32_t begin = done_.back().end();
    std::vector<Token> rest = lex(text_.substr(begin));
    for (Token& token : rest) token.offset += begin;
    tokens_ = std::move(rest);
    at_ = 0;
  }

  bool ends_line(const Token& token) const {
    return token.kind == Lexer::STRING_END ||
           (token.kind == Lexer::SPACE &&
            text_of(token, text_).find_first_of("\r\n") != std::string_view::npos);
  }

  void take_until(std::size_t end) {
    done_.insert(done_.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                 tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    at_ = end;
  }

  diagnostics::Diagnostic& unterminated(const Token& token, std::string message) {
    const std::size_t quote = text_.find('"', token.offset);
    const auto length = static_cast<std::uint32_t>(quote + 1 - token.offset);
    return out_.report(Code::unterminated_string, {file_, token.offset, length}, std::move(message))
        .label("the string begins here");
  }

  // A quote of another language or of a text processor without its second one on the line; 0 for anything else.
  char32_t lone_quote(const Token& token) {
    if (token.kind != Lexer::UNKNOWN || token.offset < quoted_until_) return 0;
    const base::CodePoint point = base::decode_utf8(text_, token.offset);
    if (point.value == '\'') return point.value;
    if (!is_typographic_quote(point.value)) return 0;
    for (std::size_t at = token.end(); at < text_.size() && text_[at] != '\n' && text_[at] != '\r';
         at += base::decode_utf8(text_, at).length) {
      if (is_typographic_quote(base::decode_utf8(text_, at).value)) {
        quoted_until_ = at + 1;
        return 0;
      }
    }
    return point.value;
  }

  std::size_t line_end() const {
    return std::min(text_.find_first_of("\r\n", tokens_[at_].offset), text_.size());
  }

  void track(const Token& token) {
    if (token.hidden) return;
    if (is_opening(token.kind)) open_.push_back(token.kind);
    if (is_closing(token.kind) && !open_.empty()) open_.pop_back();
    last_ = token.kind;
  }

  // What begins here and has no end becomes tokens; goes on behind its line.
  void cut() {
    const auto begin = tokens_[at_].offset;
    const auto end = static_cast<std::uint32_t>(line_end());
    const bool first_on_line = tokens_[at_].first_on_line;
    std::uint32_t inner_end = end;  // of the string
    std::vector<Token> behind;      // last first
    const auto give_back = [&](std::size_t kind) {
      behind.push_back({--inner_end, 1, static_cast<std::uint16_t>(kind), kind == Lexer::SPACE, false});
    };
    // The brackets at the end, from the outside in: as many as are open and fit.
    std::size_t closers = 0;
    for (std::uint32_t i = end; i > begin + 1; --i) {
      if (closer(text_[i - 1]) != 0) ++closers;
      if (closer(text_[i - 1]) == 0 && !is_blank(text_[i - 1])) break;
    }
    const bool body = last_ == Lexer::K_TEST && end > begin + 1 && text_[end - 1] == '{';
    if (body) give_back(Lexer::L_BRACE);
    for (std::size_t depth = std::min(closers, open_.size()); inner_end > begin + 1;) {
      const char c = text_[inner_end - 1];
      if (is_blank(c)) {
        give_back(Lexer::SPACE);
      } else if (depth > 0 && depth <= open_.size() && closer(c) == partner(open_[open_.size() - depth])) {
        give_back(closer(c));
        --depth;
      } else {
        break;
      }
    }
    done_.push_back({begin, inner_end - begin, Lexer::BAD_STRING, false, first_on_line});
    last_ = Lexer::BAD_STRING;
    for (auto token = behind.rbegin(); token != behind.rend(); ++token) {
      track(*token);
      done_.push_back(*token);
    }
    if (read_again_) return;
    // Blanks and the line end behind them may be one token.
    while (at_ < tokens_.size() && tokens_[at_].end() <= end) ++at_;
    if (at_ < tokens_.size() && (tokens_[at_].offset < end || tokens_[at_].kind == Lexer::STRING_END)) {
      const std::uint32_t rest = std::max(tokens_[at_].offset, end);
      done_.push_back({rest, tokens_[at_].end() - rest, Lexer::SPACE, true, false});
      ++at_;
    }
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  static std::size_t closer(char c) {
    return c == ')' ? Lexer::R_PAREN : c == ']' ? Lexer::R_BRACKET : c == '}' ? Lexer::R_BRACE : 0;
  }

  std::vector<Token> tokens_;
  source::FileId file_;
  std::string_view text_;
  diagnostics::Diagnostics& out_;
  std::vector<Token> done_;
  std::size_t at_ = 0;
  std::size_t quoted_until_ = 0;  // by a pair of such quotes
  bool read_again_ = false;
  int readings_ = 0;
  std::vector<std::size_t> open_;  // brackets, the innermost last
  std::size_t last_ = 0;           // kind of the last visible token
};

}  // namespace

void end_strings(std::vector<Token>& tokens, source::FileId file, std::string_view text,
                 diagnostics::Diagnostics& out) {
  tokens = Ender(std::move(tokens), file, text, out).run();
}

}  // namespace weir::parse
