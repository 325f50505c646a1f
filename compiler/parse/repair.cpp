#include "compiler/parse/repair.h"

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/characters.h"
#include "compiler/parse/strings.h"
#include "compiler/parse/vocabulary.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

namespace {

using Lexer = grammar::WeirLexer;
using diagnostics::Code;

class Repairer {
 public:
  Repairer(std::vector<Token>& tokens, source::FileId file, std::string_view text,
           diagnostics::Diagnostics& out)
      : tokens_(tokens), file_(file), text_(text), out_(out) {}

  void run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      Token& token = tokens_[at_];
      if (token.kind == Lexer::LINE_COMMENT || token.kind == Lexer::DOC_COMMENT) continue;
      if (!token.hidden) repair_token(token);
      if (!token.hidden) {
        track(token);
        before_last_ = last_;
        last_ = &token;
      }
    }
  }

 private:
  source::Span span(const Token& token) const { return span_of(token, file_); }
  std::string_view text(const Token& token) const { return text_of(token, text_); }
  std::size_t last_kind() const { return last_ == nullptr ? 0 : last_->kind; }

  const Token* next_visible() const {
    for (std::size_t i = at_ + 1; i < tokens_.size(); ++i) {
      if (!tokens_[i].hidden) return &tokens_[i];
    }
    return nullptr;
  }
  std::size_t next_kind() const {
    const Token* next = next_visible();
    return next == nullptr ? 0 : next->kind;
  }

  void repair_token(Token& token) {
    switch (token.kind) {
      case Lexer::F_AND:
        return foreign(token, Lexer::K_AND, "and", "`&&` is written `and`");
      case Lexer::F_OR:
        return foreign(token, Lexer::K_OR, "or", "`||` is written `or`");
      case Lexer::F_NOT_EQUAL:
        return foreign(token, Lexer::NOT_EQUAL, "!=", "`<>` is written `!=`");
      case Lexer::F_SAME:
        return foreign(token, Lexer::EQUAL, "==", "`===` is written `==`");
      case Lexer::F_NOT_SAME:
        return foreign(token, Lexer::NOT_EQUAL, "!=", "`!==` is written `!=`");
      case Lexer::F_NOT:
        return foreign_not(token);
      case Lexer::F_POWER:
        return foreign_power(token);
      case Lexer::F_SEMICOLON:
        return semicolon(token);
      case Lexer::F_QUOTED:
        return quoted(token);
      case Lexer::F_COMMENT:
        return block_comment(token);
      case Lexer::F_COMMENT_OPEN:
      case Lexer::F_COMMENT_CLOSE:
        return lone_comment_mark(token);
      case Lexer::INT:
      case Lexer::DOT:
        point_without_digits(token);
        break;
      case Lexer::UNKNOWN:
        return unknown(token);
      case Lexer::NAME:
        upper_case_word(token);
        break;
      case Lexer::BAR:
        pipe(token);
        break;
      case Lexer::ARROW:
        arrow(token);
        break;
      case Lexer::MINUS:
        if (is_double_minus(token)) line_comment(token, "--");
        break;
      default:
        break;
    }
    if (last_kind() == Lexer::PIPE_STEP) step_word(token);
  }

  void foreign(Token& token, std::size_t kind, const std::string& word, std::string message) {
    out_.report(Code::foreign_operator, span(token), std::move(message))
        .label("not an operator of Weir")
        .suggest(fmt::format("write `{}`", word), span(token), word);
    token.kind = static_cast<std::uint16_t>(kind);
  }

  void foreign_not(Token& token) {
    const bool joined = at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind != Lexer::SPACE;
    out_.report(Code::foreign_operator, span(token), "`!` is written `not`")
        .label("not an operator of Weir")
        .suggest("write `not`", span(token), joined ? "not " : "not");
    token.kind = Lexer::K_NOT;
  }

  void foreign_power(Token& token) {
    out_.report(Code::foreign_operator, span(token), "there is no operator for powers")
        .label("not an operator of Weir")
        .help("multiply, or call a function of the standard library");
    token.kind = Lexer::STAR;
  }

  void semicolon(Token& token) {
    const Level& level = levels_.back();
    const bool of_let = level.lets > 0 && starts_operand(next_kind());
    const bool separates = levels_.size() > 1 && starts_operand(next_kind());
    auto& d = out_.report(Code::foreign_operator, span(token),
                          of_let      ? "a `let` is followed by `in`"
                          : separates ? "`,` stands between these"
                                      : "a declaration needs no `;`");
    d.label("nothing ends with a semicolon in Weir");
    if (of_let) {
      d.suggest("write `in`", span(token), " in");
      token.kind = Lexer::K_IN;
    } else if (separates) {
      d.suggest("write `,`", span(token), ",");
      token.kind = Lexer::COMMA;
    } else {
      d.suggest("remove it", span(token), "");
      token.hidden = true;
    }
  }

  // `|` before a step, as in shells.
  void pipe(Token& token) {
    const Token* next = next_visible();
    const bool step = next != nullptr && (word_is_step(text(*next)) || !foreign_step(text(*next)).empty());
    if (levels_.size() > 1 || !token.first_on_line || !step) return;
    foreign(token, Lexer::PIPE_STEP, "|>", "a step begins with `|>`");
  }

  // `->` of a lambda or an arm. That of a type stands behind a parenthesis.
  void arrow(Token& token) {
    const Level& level = levels_.back();
    const bool of_arm = level.is_match && !level.in_arm;
    if (levels_.size() > 1 && (of_arm || is_name(last_kind()))) {
      foreign(token, Lexer::FAT_ARROW, "=>", "this arrow is written `=>`");
    }
  }

  static bool word_is_step(std::string_view word) {
    const auto& words = step_words();
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  void quoted(Token& token) {
    const std::string_view inner = text(token).substr(1, token.length - 2);
    std::string better = "\"";
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const bool opens = inner[i] == '$' && i + 1 < inner.size() && inner[i + 1] == '{';
      if (inner[i] == '"' || opens) better += '\\';
      better += inner[i];
    }
    out_.report(Code::single_quotes, span(token), "text stands in double quotes")
        .label("single quotes mean nothing in Weir")
        .suggest("use double quotes", span(token), better + "\"");
    token.kind = Lexer::RAW_STRING;
  }

  void block_comment(Token& token) {
    auto& d =
        out_.report(Code::foreign_operator, span(token), "comments begin with `//` and end with the line");
    d.label("`/* … */` is not a comment in Weir");
    if (text(token).find('\n') == std::string_view::npos && next_is_on_another_line()) {
      const std::string_view inner = text(token).substr(2, token.length - 4);
      std::string_view trimmed = inner;
      while (trimmed.ends_with(' ')) trimmed.remove_suffix(1);
      d.suggest("use a line comment", span(token), "//" + std::string(trimmed));
    }
    token.hidden = true;
  }

  // `/*` without `*/`: most likely a comment up to the end of the line at least.
  void lone_comment_mark(Token& token) {
    if (string_breaks_off(token)) {
      token.hidden = token.lost = true;
      return;
    }
    const bool opens = token.kind == Lexer::F_COMMENT_OPEN;
    auto& d =
        out_.report(Code::foreign_operator, span(token), "comments begin with `//` and end with the line");
    d.label(opens ? "`/* … */` is not a comment in Weir, and this one has no end"
                  : "`/* … */` is not a comment in Weir, and none begins here");
    if (opens) d.suggest("use a line comment", span(token), "//");
    token.hidden = true;
    // With it goes the rest of the declaration, which may well be text.
    for (std::size_t i = at_ + 1; opens && i < tokens_.size(); ++i) {
      if (tokens_[i].first_on_line && is_declaration_word(tokens_[i])) break;
      tokens_[i].hidden = true;
    }
    token.lost = true;
  }

  // Whether a string without its end begins further on the line: what is before it may well have been meant to be in one.
  bool string_breaks_off(const Token& token) {
    if (token.offset >= known_until_) {
      known_until_ = std::min(text_.find_first_of("\r\n", token.offset), text_.size());
      breaks_off_at_ = 0;
      for (std::size_t i = at_; i < tokens_.size() && tokens_[i].offset < known_until_; ++i) {
        if (tokens_[i].kind == Lexer::BAD_STRING) breaks_off_at_ = tokens_[i].offset;
      }
    }
    return token.offset < breaks_off_at_;
  }

  bool adjacent(std::size_t i, std::size_t kind) const {
    return i < tokens_.size() && i > 0 && tokens_[i].kind == kind &&
           tokens_[i].offset == tokens_[i - 1].end();
  }

  // `1.` and `.5`: one number each, which the builder reports.
  void point_without_digits(Token& token) {
    if (token.kind == Lexer::INT) {
      const bool point = adjacent(at_ + 1, Lexer::DOT);
      if (!point || (at_ + 2 < tokens_.size() && is_name(tokens_[at_ + 2].kind))) return;
    } else {
      const bool digits = adjacent(at_ + 1, Lexer::INT) || adjacent(at_ + 1, Lexer::FLOAT);
      if (!digits || ends_operand(last_kind())) return;
    }
    token.length += tokens_[at_ + 1].length;
    token.kind = Lexer::BAD_NUMBER;
    tokens_[at_ + 1].hidden = true;
  }

  bool next_is_on_another_line() const {
    const Token* next = next_visible();
    return next == nullptr || next->first_on_line;
  }

  void unknown(Token& token) {
    const base::CodePoint point = base::decode_utf8(text_, token.offset);
    const char32_t c = point.value;
    token.hidden = token.lost = true;
    if (!is_bidirectional_control(c) && string_breaks_off(token)) return;
    if (is_bidirectional_control(c)) {
      out_.report(
              Code::bidirectional_control, span(token),
              fmt::format("an invisible character (U+{:04X}) that changes the order in which text is shown",
                          static_cast<std::uint32_t>(c)))
          .label("not seen in most editors")
          .note(
              "with it, a script can read differently from what it does; it is legal in strings and comments "
              "only")
          .suggest("remove it", span(token), "");
      token.lost = false;  // the rest reads as if it were not there
      return;
    }
    if (c == '`') {
      out_.report(Code::unterminated_string, span(token),
                  "this name has no end: a second backtick is missing on its line")
          .label("the name begins here");
      return;
    }
    if (c == '\'') {
      out_.report(Code::single_quotes, span(token), "text stands in double quotes")
          .label("a single quote means nothing in Weir");
      return;
    }
    if (is_typographic_quote(c) && typographic_quotes(token)) return;
    if (is_letter(c) && lookalike(c) == nullptr) return foreign_name(token);
    if (c == '#' && token.first_on_line) {
      token.lost = false;
      return line_comment(token, "#");
    }
    auto& d = out_.report(Code::bad_character, span(token), describe(c));
    d.label("means nothing here");
    if (const Lookalike* plain = lookalike(c); plain != nullptr) {
      d.suggest(fmt::format("write `{}`", plain->text), span(token), plain->text);
      token.kind = static_cast<std::uint16_t>(plain->kind);
      token.hidden = token.lost = false;
    } else if (c == 0xA0 || c == 0x200B || c == 0xFEFF) {
      d.suggest("remove it", span(token), c == 0xA0 ? " " : "");
    } else {
      if (c >= 0xC0) d.help("a name with letters outside ASCII stands in backticks: `` `größe` ``");
      if (!ends_operand(last_kind()) || !starts_operand(next_kind())) return;
      token.kind = Lexer::BAD_OPERATOR;
      token.hidden = token.lost = false;
    }
  }

  // A whole word with such letters is one name.
  void foreign_name(Token& token) {
    Token* first = &token;
    if (last_ != nullptr && last_->end() == token.offset && is_name(last_->kind) &&
        last_->kind != Lexer::BACKTICK) {
      first = last_;
      last_ = before_last_;
    }
    std::uint32_t end = token.end();
    for (std::size_t i = at_ + 1; i < tokens_.size() && tokens_[i].offset == end; ++i) {
      const std::size_t kind = tokens_[i].kind;
      const bool letter = kind == Lexer::UNKNOWN && is_letter(base::decode_utf8(text_, end).value);
      if (!letter && !is_name(kind) && !is_reserved(kind) && kind != Lexer::INT) break;
      end = tokens_[i].end();
      tokens_[i].hidden = true;
    }
    token.first_on_line = first->first_on_line;
    first->hidden = true;
    token.offset = first->offset;
    token.length = end - token.offset;
    token.kind = Lexer::NAME;
    token.hidden = token.lost = false;
    out_.report(Code::bad_character, span(token), "a name with letters outside ASCII stands in backticks")
        .label("not a plain name")
        .suggest("put it in backticks", span(token), "`" + std::string(text(token)) + "`");
  }

  // `--` and `#`, as elsewhere.
  void line_comment(Token& token, std::string_view mark) {
    const std::size_t end = std::min(text_.find_first_of("\r\n", token.offset), text_.size());
    const source::Span at{file_, token.offset, static_cast<std::uint32_t>(mark.size())};
    out_.report(Code::foreign_operator, at, "comments begin with `//`")
        .label(fmt::format("`{}` is not a comment in Weir", mark))
        .suggest("use `//`", at, "//");
    for (std::size_t i = at_; i < tokens_.size() && tokens_[i].offset < end; ++i) tokens_[i].hidden = true;
  }

  // At the start of a line and followed by a space: anything else is arithmetic.
  bool is_double_minus(const Token& token) const {
    return token.first_on_line && text_.substr(token.offset, 3) == "-- " &&
           (last_ == nullptr || ends_operand(last_kind()));
  }

  // “text”: everything up to the next such quote on the line is one string.
  bool typographic_quotes(Token& token) {
    const auto ends = [&](std::size_t at) {
      return at >= text_.size() || text_[at] == '\n' || text_[at] == '\r';
    };
    std::size_t at = token.end();
    while (!ends(at) && !is_typographic_quote(base::decode_utf8(text_, at).value))
      at += base::decode_utf8(text_, at).length;
    if (ends(at)) return false;
    const auto end = static_cast<std::uint32_t>(at + base::decode_utf8(text_, at).length);
    const std::string_view inner = text_.substr(token.end(), at - token.end());
    const bool plain = inner.find_first_of("\"\\$") == std::string_view::npos;
    token.length = end - token.offset;
    token.kind = Lexer::RAW_STRING;
    token.hidden = token.lost = false;
    for (std::size_t i = at_ + 1; i < tokens_.size() && tokens_[i].offset < end; ++i)
      tokens_[i].hidden = true;
    auto& d = out_.report(Code::bad_character, span(token), "text stands in plain double quotes");
    d.label("these quotes come from a text processor");
    if (plain) d.suggest("use plain quotes", span(token), "\"" + std::string(inner) + "\"");
    return true;
  }

  // AND, OR, NOT, IS, NULL, IN, TRUE, FALSE as in SQL, where a name makes no sense.
  void upper_case_word(Token& token) {
    const std::string_view word = text(token);
    const bool after = ends_operand(last_kind()) && last_ != nullptr;
    const bool before = starts_operand(next_kind());
    std::size_t kind = 0;
    if (word == "AND" && after && before) kind = Lexer::K_AND;
    if (word == "OR" && after && before) kind = Lexer::K_OR;
    if (word == "IN" && (after || last_kind() == Lexer::K_NOT) && before) kind = Lexer::K_IN;
    if (word == "NOT" && before && last_kind() != Lexer::DOT) kind = Lexer::K_NOT;
    if (word == "IS" && after && before) kind = Lexer::K_IS;
    const bool value = last_kind() != Lexer::DOT && last_kind() != Lexer::SAFE_DOT &&
                       next_kind() != Lexer::COLON && next_kind() != Lexer::ASSIGN &&
                       next_kind() != Lexer::L_PAREN && next_kind() != Lexer::DOT &&
                       last_kind() != Lexer::BAR && next_kind() != Lexer::BAR;
    if (word == "NULL" && value) kind = Lexer::K_NULL;
    if (word == "TRUE" && value) kind = Lexer::K_TRUE;
    if (word == "FALSE" && value) kind = Lexer::K_FALSE;
    if (kind == 0) return;
    std::string lower;
    for (const char c : word) lower += static_cast<char>(c - 'A' + 'a');
    out_.report(Code::foreign_operator, span(token), fmt::format("`{}` is written `{}`", word, lower))
        .label("words are in lower case in Weir")
        .suggest(fmt::format("write `{}`", lower), span(token), lower);
    token.kind = static_cast<std::uint16_t>(kind);
  }

  // The word after `|>`.
  void step_word(Token& token) {
    if (!is_name(token.kind)) return;
    const std::string_view word = text(token);
    for (const std::string_view known : step_words()) {
      if (word == known) return;
    }
    std::string_view meant = base::nearest(word, step_words());
    const std::string_view foreign = foreign_step(word);
    if (!foreign.empty()) meant = foreign;
    auto& d = out_.report(Code::unknown_operator, span(token), fmt::format("`{}` is not an operator", word));
    d.label("not known");
    // A word that only means nearly the same cannot simply be put in.
    const bool same_shape = foreign.empty() || meant == "where" || (meant == "select" && word != "map") ||
                            meant == "drop" || (meant == "extend" && word != "let") || meant == "union";
    if (meant.empty()) {
      d.help("the operators are " + operator_list());
    } else if (same_shape) {
      d.suggest(fmt::format("did you mean `{}`?", meant), span(token), std::string(meant));
    } else {
      d.help(fmt::format("`{}` does this in Weir", meant));
    }
    if (!meant.empty() && same_shape) {
      token.kind = static_cast<std::uint16_t>(word_kind(meant));
    } else {
      hide_step();
    }
  }

  static std::string operator_list() {
    std::vector<std::string> items;
    for (const std::string_view word : step_words()) {
      if (word != "left" && word != "semi" && word != "anti" && word != "capture")
        items.push_back("`" + std::string(word) + "`");
    }
    return base::join_choices(items, "and");
  }

  // Takes the step out, with the `|>` before it: it was reported, and nothing in it can be understood.
  void hide_step() {
    std::size_t depth = 0;
    last_before_step();
    for (std::size_t i = at_; i < tokens_.size(); ++i) {
      Token& token = tokens_[i];
      if (token.hidden) continue;
      if (is_opening(token.kind)) ++depth;
      if (is_closing(token.kind)) {
        if (depth == 0) return;
        --depth;
      }
      const bool next_step = depth == 0 && token.kind == Lexer::PIPE_STEP;
      const bool next_declaration = i > at_ && token.first_on_line && is_declaration_word(token);
      if (next_step || next_declaration) return;
      token.hidden = token.lost = true;
    }
  }

  void last_before_step() {
    if (last_ != nullptr) last_->hidden = true;
    last_ = before_last_;
  }

  bool is_declaration_word(const Token& token) const {
    for (const std::string_view word : declaration_words()) {
      if (text(token) == word) return true;
    }
    return false;
  }

  // What the open bracket holds, as far as it decides what `in` and `=>` mean.
  struct Level {
    std::size_t lets = 0;     // without their `in` so far
    std::size_t matches = 0;  // without their body so far
    bool is_match = false;    // the arms of a `match`
    bool in_arm = false;      // behind the arm's arrow
  };

  void track(Token& token) {
    Level& level = levels_.back();
    if (token.kind == Lexer::COMMA || token.kind == Lexer::PIPE_STEP ||
        (token.first_on_line && is_declaration_word(token))) {
      level.lets = level.matches = 0;
      level.in_arm = false;
    }
    // Without its comma an arm begins with its line.
    if (level.is_match && token.first_on_line && starts_operand(token.kind) && ends_operand(last_kind()))
      level.in_arm = false;
    if (is_opening(token.kind)) {
      const bool body = token.kind == Lexer::L_BRACE && level.matches > 0 && ends_operand(last_kind());
      if (body) --level.matches;
      levels_.push_back({0, 0, body, false});
      return;
    }
    if (is_closing(token.kind)) {
      if (levels_.size() > 1) levels_.pop_back();
      return;
    }
    if (token.kind == Lexer::K_MATCH) ++level.matches;
    if (token.kind == Lexer::K_LET && last_kind() != Lexer::K_IF) ++level.lets;
    if (token.kind == Lexer::K_IN && last_kind() != Lexer::K_NOT && level.lets > 0) {
      --level.lets;
      token.kind = Lexer::K_LET_IN;
    }
    if (token.kind == Lexer::FAT_ARROW && level.is_match && !level.in_arm) {
      level.in_arm = true;
      token.kind = Lexer::ARM_ARROW;
    }
  }

  std::vector<Token>& tokens_;
  source::FileId file_;
  std::string_view text_;
  diagnostics::Diagnostics& out_;
  std::size_t at_ = 0;
  std::size_t known_until_ = 0;         // the end of the line of breaks_off_at_
  std::size_t breaks_off_at_ = 0;       // where a string without its end begins on it; 0: none does
  Token* last_ = nullptr;               // last visible token
  Token* before_last_ = nullptr;        // the one before it
  std::vector<Level> levels_{Level{}};  // per open bracket
};

}  // namespace

void repair(std::vector<Token>& tokens, source::FileId file, std::string_view text,
            diagnostics::Diagnostics& out) {
  end_strings(tokens, file, text, out);
  Repairer(tokens, file, text, out).run();
}

}  // namespace weir::parse
