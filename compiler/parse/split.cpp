#include "compiler/parse/split.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/vocabulary.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

namespace {

using Lexer = grammar::WeirLexer;
using diagnostics::Code;

class Splitter {
 public:
  Splitter(std::vector<Token>& tokens, source::FileId file, std::string_view text,
           diagnostics::Diagnostics& out)
      : tokens_(tokens), file_(file), text_(text), out_(out) {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].hidden) visible_.push_back(i);
      if (tokens[i].lost) lost_before_.insert(visible_.size());
    }
  }

  std::vector<Chunk> run() {
    for (std::size_t at = 0; at < visible_.size(); ++at) {
      if (lost_before_.count(at) != 0) quiet();
      if (starts_declaration(at)) begin_chunk(at);
      if (chunks_.empty() && !stray_) begin_stray(at);
      if (!stray_) chunks_.back().tokens.push_back(visible_[at]);
      track(at);
    }
    if (lost_before_.count(visible_.size()) != 0) quiet();
    close_open_brackets();
    return std::move(chunks_);
  }

 private:
  struct Open {
    std::uint32_t token;
    std::size_t chunk;
  };

  const Token& token(std::size_t at) const { return tokens_[visible_[at]]; }
  std::size_t kind(std::size_t at) const { return at < visible_.size() ? token(at).kind : 0; }
  std::string_view text(std::size_t at) const { return text_of(token(at), text_); }
  source::Span span(std::size_t at) const { return span_of(token(at), file_); }

  bool at_margin(std::size_t at) const {
    const std::uint32_t offset = token(at).offset;
    return offset == 0 || text_[offset - 1] == '\n' || text_[offset - 1] == '\r';
  }

  static bool is_declaration_word(std::string_view word) {
    const auto& words = declaration_words();
    return std::find(words.begin(), words.end(), word) != words.end();
  }

  bool is_text(std::size_t k) const {
    return k == Lexer::STRING_OPEN || k == Lexer::RAW_STRING || k == Lexer::BAD_STRING ||
           k == Lexer::F_QUOTED;
  }

  // Exactly the beginning of a declaration of `word`.
  bool fits(std::string_view word, std::size_t at) const {
    const std::size_t first = kind(at + 1);
    const std::size_t second = kind(at + 2);
    if (word == "use" || word == "test") return is_text(first);
    if (word == "extern") return first == Lexer::K_FN;
    if (!is_name(first)) return false;
    if (word == "pipeline") return second == Lexer::L_BRACE;
    if (word == "type" || word == "stream") return second == Lexer::ASSIGN;
    if (word == "fn") return second == Lexer::L_PAREN || second == Lexer::LESS;
    if (word == "param" || word == "source") return second == Lexer::COLON;
    if (word == "table") return second == Lexer::COLON || second == Lexer::ASSIGN;
    if (word == "sink") return second == Lexer::K_TO || second == Lexer::K_FROM;
    return false;
  }

  // The declaration that a word at the margin was meant to be; "" if it cannot be told.
  std::string_view meant_declaration(std::size_t at) const {
    if (!is_name(kind(at)) || !at_margin(at) || is_declaration_word(text(at))) return {};
    std::string_view meant = foreign_declaration(text(at));
    if (meant.empty()) meant = base::nearest(text(at), declaration_words());
    if (meant.empty()) return {};
    const std::size_t first = kind(at + 1);
    return is_name(first) || is_text(first) ? meant : std::string_view{};
  }

  bool starts_declaration(std::size_t at) {
    const Token& t = token(at);
    if (!t.first_on_line) return false;
    if (is_declaration_word(text(at))) {
      const bool fitting = fits(text(at), at);
      if (open_.empty()) {
        const bool plausible = at_margin(at) && (is_name(kind(at + 1)) || is_text(kind(at + 1)));
        return fitting || plausible || at == 0;
      }
      // Inside brackets: only if it can be nothing else, so that a missing bracket does not hide what follows.
      return fitting && at_margin(at) && text(at) != "test" && text(at) != "use";
    }
    const std::string_view meant = meant_declaration(at);
    if (meant.empty()) return false;
    const bool certain = fits(meant, at) || (open_.empty() && chunks_.empty());
    if (certain) misspelt(at, meant);
    return certain;
  }

  void misspelt(std::size_t at, std::string_view meant) {
    auto& d = out_.report(Code::unknown_declaration, span(at),
                          fmt::format("`{}` does not begin a declaration", text(at)));
    d.label("not known");
    if (fits(meant, at)) {
      d.suggest(fmt::format("did you mean `{}`?", meant), span(at), std::string(meant));
    } else {
      d.help(fmt::format("`{}` does this in Weir", meant));
    }
    tokens_[visible_[at]].kind = static_cast<std::uint16_t>(word_kind(meant));
    quiet_next_ = !fits(meant, at);
  }

  void begin_chunk(std::size_t) {
    close_open_brackets();
    stray_ = unsure_ = false;
    chunks_.emplace_back();
    chunks_.back().quiet = std::exchange(quiet_next_, false);
  }

  // Text before the first declaration.
  void begin_stray(std::size_t at) {
    stray_ = true;
    if (!lost_before_.empty() && *lost_before_.begin() <= at)
      return;  // reported, and most likely a part of it
    out_.report(Code::unknown_declaration, span(at), "expected a declaration")
        .label(fmt::format("`{}` does not begin one", text(at)))
        .help(
            "a script consists of declarations: `pipeline`, `use`, `type`, `fn`, `extern`, `param`, "
            "`source`, `table`, `stream`, `sink` and `test`");
  }

  // Brackets of the chunk.
  void track(std::size_t at) {
    Token& t = tokens_[visible_[at]];
    if (t.kind == Lexer::BAD_STRING) {
      // It may have swallowed brackets.
      unsure_ = true;
      quiet();
    }
    if (is_opening(t.kind)) {
      open_.push_back({visible_[at], chunks_.size()});
    } else if (is_closing(t.kind)) {
      close(at);
    }
  }

  void close(std::size_t at) {
    Token& t = tokens_[visible_[at]];
    if (!open_.empty() && partner(tokens_[open_.back().token].kind) == t.kind) {
      open_.pop_back();
      return;
    }
    // An opening one further out fits: those between are not closed.
    const auto fitting = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& o) {
      return partner(tokens_[o.token].kind) == t.kind;
    });
    quiet();
    if (open_.empty() || fitting == open_.rend()) {
      const bool known = !open_.empty();
      t.hidden = true;
      if (!stray_ && !chunks_.empty()) chunks_.back().tokens.pop_back();
      if (std::exchange(unsure_, true)) return;
      auto& d = out_.report(Code::unclosed_bracket, span(at), fmt::format("`{}` closes nothing", text(at)));
      d.label("no bracket is open that it could close");
      if (known) d.also(span_of(tokens_[open_.back().token], file_), "this one is open");
      return;
    }
    while (partner(tokens_[open_.back().token].kind) != t.kind) {
      unclosed(open_.back().token, at);
      open_.pop_back();
    }
    open_.pop_back();
  }

  void unclosed(std::uint32_t index, std::size_t at) {
    if (std::exchange(unsure_, true)) return;
    auto& d = out_.report(Code::unclosed_bracket, span_of(tokens_[index], file_),
                          fmt::format("`{}` is not closed", text_of(tokens_[index], text_)));
    d.label(fmt::format("{} is missing", phrase(partner(tokens_[index].kind))));
    if (at < visible_.size()) d.also(span(at), fmt::format("`{}` closes one further out", text(at)));
  }

  void close_open_brackets() {
    if (open_.empty()) return;
    quiet();
    // The outermost says it all.
    unclosed(open_.front().token, visible_.size());
    open_.clear();
  }

  void quiet() {
    if (!chunks_.empty()) chunks_.back().quiet = true;
  }

  std::vector<Token>& tokens_;
  source::FileId file_;
  std::string_view text_;
  diagnostics::Diagnostics& out_;
  std::vector<std::uint32_t> visible_;
  std::vector<Chunk> chunks_;
  std::vector<Open> open_;
  std::set<std::size_t> lost_before_;  // lost tokens stand before these places of visible_
  bool stray_ = false;
  bool unsure_ = false;  // in this declaration a bracket or a string was reported: others are its consequence
  bool quiet_next_ = false;
};

// Reports the first place beyond a limit.
class LimitCheck {
 public:
  LimitCheck(const std::vector<Token>& tokens, source::FileId file, const Limits& limits,
             diagnostics::Diagnostics& out)
      : tokens_(tokens), file_(file), limits_(limits), out_(out) {}

  void check(Chunk& chunk) {
    if (chunk.tokens.size() > limits_.tokens) {
      out_.report(Code::too_large, span_of(tokens_[chunk.tokens.front()], file_),
                  fmt::format("a declaration of more than {} words and marks", limits_.tokens))
          .label("begins here")
          .help("data belongs into files that a `source` or a `table` reads");
      chunk.skip = true;
      return;
    }
    std::vector<Level> levels{Level{}};
    std::size_t total = 0;
    std::size_t angles = 0;
    std::size_t steps = 0;
    std::size_t last = 0;
    for (const std::uint32_t index : chunk.tokens) {
      const Token& token = tokens_[index];
      Level& level = levels.back();
      if (is_opening(token.kind)) {
        levels.emplace_back();
      } else if (is_closing(token.kind) && levels.size() > 1) {
        total -= level.prefixes;
        angles -= level.angles;
        levels.pop_back();
      } else {
        if (token.kind == Lexer::COMMA || token.kind == Lexer::PIPE_STEP) {
          total -= level.prefixes;
          level.prefixes = 0;
        } else if (reaches_right(token.kind, last)) {
          ++level.prefixes;
          ++total;
        }
        if (token.kind == Lexer::LESS) {
          ++level.angles;
          ++angles;
        } else if (token.kind == Lexer::GREATER && level.angles > 0) {
          --level.angles;
          --angles;
        } else if (!may_stand_in_type(token.kind)) {
          angles -= level.angles;
          level.angles = 0;
        }
      }
      if (token.kind == Lexer::PIPE_STEP) ++steps;
      last = token.kind;
      if (levels.size() - 1 > limits_.brackets || angles > limits_.brackets) {
        return refuse(chunk, token, fmt::format("more than {} brackets are open here", limits_.brackets),
                      "one level too many");
      }
      if (total > limits_.depth) {
        return refuse(chunk, token, fmt::format("more than {} operators are nested here", limits_.depth),
                      "one level too many");
      }
      if (steps > limits_.steps) {
        return refuse(chunk, token, fmt::format("a pipeline of more than {} steps", limits_.steps),
                      "one step too many");
      }
    }
  }

 private:
  struct Level {
    std::size_t prefixes = 0;  // whose operand may still go on
    std::size_t angles = 0;    // open `<` of types
  };

  static bool may_stand_in_type(std::size_t kind) {
    return is_name(kind) || kind == Lexer::COMMA || kind == Lexer::QUESTION || kind == Lexer::ARROW;
  }

  static bool reaches_right(std::size_t kind, std::size_t last) {
    switch (kind) {
      case Lexer::K_IF:
      case Lexer::K_LET:
      case Lexer::K_MATCH:
      case Lexer::K_NOT:
      case Lexer::K_TRY:
      case Lexer::K_CAPTURE:
      case Lexer::FAT_ARROW:
      case Lexer::ARM_ARROW:
        return true;
      case Lexer::MINUS:
        return !ends_operand(last);
      default:
        return false;
    }
  }

  void refuse(Chunk& chunk, const Token& token, std::string message, std::string label) {
    out_.report(Code::too_deep, span_of(token, file_), std::move(message))
        .label(std::move(label))
        .help("move a part into a `fn` or a `stream` of its own");
    chunk.skip = true;
  }

  const std::vector<Token>& tokens_;
  source::FileId file_;
  const Limits& limits_;
  diagnostics::Diagnostics& out_;
};

}  // namespace

std::vector<Chunk> split(std::vector<Token>& tokens, source::FileId file, std::string_view text,
                         const Limits& limits, diagnostics::Diagnostics& out) {
  std::vector<Chunk> chunks = Splitter(tokens, file, text, out).run();
  LimitCheck check(tokens, file, limits, out);
  for (Chunk& chunk : chunks) check.check(chunk);
  return chunks;
}

Chunk whole(std::vector<Token>& tokens, source::FileId file, std::string_view, const Limits& limits,
            diagnostics::Diagnostics& out) {
  Chunk chunk;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].hidden) chunk.tokens.push_back(i);
  }
  chunk.quiet = out.has_errors();
  LimitCheck(tokens, file, limits, out).check(chunk);
  return chunk;
}

}  // namespace weir::parse
