// One finding and the list that collects them. Plain data; rendering is elsewhere. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "compiler/diagnostics/code.h"
#include "compiler/source/span.h"

namespace weir::diagnostics {

struct Label {
  source::Span span;
  std::string text;  // may be empty: underline only
};

// Replaces the text of `span` (empty: inserts before it) by `text`.
struct Edit {
  source::Span span;
  std::string text;
};

// All edits are applied together; the result must parse and check.
struct Suggestion {
  std::string message;  // what the edit does: "compare with `==`"
  std::vector<Edit> edits;
};

// A finding. Filled fluently:
//   out.report(Code::unknown_name, span, "no stream is called `ordrs`")
//      .label("not declared")
//      .also(other, "`orders` is declared here")
//      .suggest("use `orders`", span, "orders");
struct Diagnostic {
  Code code{};
  Severity severity = Severity::error;
  std::string message;  // one sentence, no full stop; names in backticks
  Label primary;
  std::vector<Label> secondary;
  std::vector<std::string> notes;  // why, mostly: what it means on replay
  std::vector<std::string> helps;  // advice without an edit
  std::vector<Suggestion> suggestions;

  Diagnostic& label(std::string text);
  Diagnostic& also(source::Span span, std::string text);
  Diagnostic& note(std::string text);
  Diagnostic& help(std::string text);
  Diagnostic& suggest(std::string message, source::Span span, std::string replacement);
  Diagnostic& suggest(std::string message, std::vector<Edit> edits);
  Diagnostic& as(Severity other);  // another severity than the catalogue's
};

// Collects findings. References that `report` returns stay valid until `sort` or `take`.
class Diagnostics {
 public:
  // Unlimited by default.
  Diagnostics() = default;
  // Keeps the first `limit` findings; later ones are dropped.
  explicit Diagnostics(std::size_t limit) : limit_(limit) {}

  // Severity is the catalogue's default.
  Diagnostic& report(Code code, source::Span primary, std::string message);
  void add(Diagnostic diagnostic);

  // Order of the text (file, offset), errors before warnings at one place; exact repeats and a second finding
  // with the same code at the same span are dropped.
  void sort();

  bool has_errors() const;
  std::size_t count(Severity severity) const;
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  const std::deque<Diagnostic>& all() const { return list_; }
  std::deque<Diagnostic> take() { return std::exchange(list_, {}); }

 private:
  std::deque<Diagnostic> list_;
  std::size_t limit_ = SIZE_MAX;
  Diagnostic beyond_;  // takes what is beyond the limit
};

}  // namespace weir::diagnostics
