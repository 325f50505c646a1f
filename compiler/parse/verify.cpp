#include "compiler/parse/verify.h"

#include "compiler/diagnostics/render.h"

namespace weir::parse {

namespace {

constexpr std::size_t largest_text = 64u << 10;
constexpr std::size_t most_trials = 60;

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Diagnostics;

// Whether the text is better after an edit: fewer errors, or as many and the next one on a later line.
bool is_better(const Diagnostics& before, const Diagnostic& finding, const Diagnostics& after,
               const source::File& edited) {
  const std::size_t was = before.count(diagnostics::Severity::error);
  const std::size_t is = after.count(diagnostics::Severity::error);
  if (is != was) return is < was;
  const std::uint32_t place = finding.primary.span.offset;
  const std::uint32_t line = edited.position(place).line;
  for (const Diagnostic& d : after.all()) {
    const std::uint32_t other = edited.position(d.primary.span.offset).line;
    if (d.code == Code::unexpected_token && other == line) return false;
  }
  return true;
}

}  // namespace

void keep_helpful_edits(Diagnostics& list, const source::File& file, const Reparse& reparse) {
  std::size_t trials = 0;
  const bool small = file.text().size() <= largest_text;
  Diagnostics kept;
  for (const Diagnostic& original : list.all()) {
    Diagnostic d = original;
    if (d.code == Code::unexpected_token) {
      std::vector<diagnostics::Suggestion> helpful;
      for (diagnostics::Suggestion& suggestion : d.suggestions) {
        if (!helpful.empty() || !small || trials >= most_trials) break;
        ++trials;
        const source::File edited(file.id(), file.path(), diagnostics::apply(suggestion, file));
        Diagnostics found;
        reparse(edited, found);
        if (is_better(list, original, found, edited)) helpful.push_back(std::move(suggestion));
      }
      d.suggestions = std::move(helpful);
    }
    kept.add(std::move(d));
  }
  list = std::move(kept);
}

}  // namespace weir::parse
