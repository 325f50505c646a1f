// Syntax errors in words. Replaces ANTLR's own messages, keeps its recovery.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/parse/split.h"
#include "compiler/source/files.h"
#include "grammar/WeirParser.h"

namespace weir::parse {

class Messages final : public antlr4::DefaultErrorStrategy {
 public:
  // All references must outlive it.
  Messages(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
           diagnostics::Diagnostics& out)
      : chunk_(chunk), tokens_(tokens), file_(file), out_(out) {}

  // Whether anything was wrong, reported or not.
  bool failed() const { return failed_; }

  // Before every decision: remembers what could follow, since the parser itself forgets it on its way out of rules.
  void sync(antlr4::Parser* parser) override;

 protected:
  void reportNoViableAlternative(antlr4::Parser* parser, const antlr4::NoViableAltException& e) override;
  void reportInputMismatch(antlr4::Parser* parser, const antlr4::InputMismatchException& e) override;
  void reportFailedPredicate(antlr4::Parser* parser, const antlr4::FailedPredicateException& e) override;
  void reportUnwantedToken(antlr4::Parser* parser) override;
  void reportMissingToken(antlr4::Parser* parser) override;

 private:
  void complain(antlr4::Parser* parser, antlr4::Token* found, const antlr4::misc::IntervalSet& expected);
  bool reserved_as_name(const Token& found, const antlr4::misc::IntervalSet& expected);
  antlr4::misc::IntervalSet all_expected(std::size_t index, const antlr4::misc::IntervalSet& expected) const;
  void propose_idiom(diagnostics::Diagnostic& d, std::size_t index);
  void advise(diagnostics::Diagnostic& d, std::size_t index, const antlr4::misc::IntervalSet& expected) const;
  void propose_words(diagnostics::Diagnostic& d, std::size_t index,
                     const antlr4::misc::IntervalSet& expected);
  void propose_mark(diagnostics::Diagnostic& d, std::size_t index, std::size_t mark,
                    const std::string& spelt);
  void propose(diagnostics::Diagnostic& d, std::size_t index, const antlr4::misc::IntervalSet& expected);
  source::Span place(std::size_t index) const;
  std::string_view text(std::size_t index) const;

  const Chunk& chunk_;
  const std::vector<Token>& tokens_;
  const source::File& file_;
  diagnostics::Diagnostics& out_;
  bool failed_ = false;
  std::size_t reports_ = 0;
  std::size_t synced_at_ = SIZE_MAX;  // token of the sets in synced_
  antlr4::misc::IntervalSet synced_;
  std::uint32_t last_line_start_ = 0;  // of the line of the last report
  std::size_t next_ = 0;               // tokens before this one were part of an earlier mistake
};

}  // namespace weir::parse
