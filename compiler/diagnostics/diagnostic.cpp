#include "compiler/diagnostics/diagnostic.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace weir::diagnostics {

Diagnostic& Diagnostic::label(std::string text) {
  primary.text = std::move(text);
  return *this;
}

Diagnostic& Diagnostic::also(source::Span span, std::string text) {
  if (span.is_known()) secondary.push_back({span, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::help(std::string text) {
  helps.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::suggest(std::string text, source::Span span, std::string replacement) {
  suggestions.push_back({std::move(text), {{span, std::move(replacement)}}});
  return *this;
}

Diagnostic& Diagnostic::suggest(std::string text, std::vector<Edit> edits) {
  suggestions.push_back({std::move(text), std::move(edits)});
  return *this;
}

Diagnostic& Diagnostic::as(Severity other) {
  severity = other;
  return *this;
}

Diagnostic& Diagnostics::report(Code code, source::Span primary, std::string message) {
  Diagnostic& added = list_.size() < limit_ ? list_.emplace_back() : (beyond_ = {});
  added.code = code;
  added.severity = info(code).severity;
  added.message = std::move(message);
  added.primary.span = primary;
  return added;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (list_.size() < limit_) list_.push_back(std::move(diagnostic));
}

void Diagnostics::sort() {
  const auto key = [](const Diagnostic& d) {
    return std::make_tuple(d.primary.span.file, d.primary.span.offset, d.severity, d.primary.span.length,
                           d.code);
  };
  std::stable_sort(list_.begin(), list_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  std::set<std::pair<Code, source::Span>> seen;
  std::deque<Diagnostic> kept;
  for (Diagnostic& d : list_) {
    // Findings without a place are told apart by their text.
    const bool known = d.primary.span.is_known();
    const bool fresh = known ? seen.emplace(d.code, d.primary.span).second
                             : std::none_of(kept.begin(), kept.end(), [&](const Diagnostic& k) {
                                 return k.code == d.code && k.message == d.message;
                               });
    if (fresh) kept.push_back(std::move(d));
  }
  list_ = std::move(kept);
}

bool Diagnostics::has_errors() const {
  return count(Severity::error) > 0;
}

std::size_t Diagnostics::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(list_.begin(), list_.end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

}  // namespace weir::diagnostics
