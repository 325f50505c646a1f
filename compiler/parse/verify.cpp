#include "compiler/parse/verify.h"

#include "compiler/diagnostics/render.h"

namespace weir::parse {

namespace {

constexpr std::size_t largest_text = 64u << 10;
constexpr std::size_t most_trials = 100;

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Diagnostics;

// How good an edit is: the text has fewer mistakes, or at least none is left up to the finding's line that was not there.
enum class Merit { none, some, full };

std::size_t errors_up_to(const Diagnostics& list, const source::File& file, std::uint32_t line) {
  std::size_t count = 0;
  for (const Diagnostic& d : list.all()) {
    if (d.severity == diagnostics::Severity::error && file.position(d.primary.span.offset).line <= line)
      ++count;
  }
  return count;
}

Merit merit(const Diagnostics& before, const Diagnostic& finding, const source::File& file,
            const Diagnostics& after, const source::File& edited) {
  const auto error = diagnostics::Severity::error;
  if (after.count(error) < before.count(error)) return Merit::full;
  if (before.count(error) == 1) return Merit::none;
  const std::uint32_t line = file.position(finding.primary.span.offset).line;
  return errors_up_to(after, edited, line) < errors_up_to(before, file, line) ? Merit::some : Merit::none;
}

// The first edit that is fully good, else the first that is somewhat.
std::vector<diagnostics::Suggestion> best_edit(const Diagnostic& d, const Diagnostics& list,
                                               const source::File& file, const Reparse& reparse,
                                               std::size_t& trials) {
  std::vector<diagnostics::Suggestion> best;
  if (file.text().size() > largest_text) return best;
  for (const diagnostics::Suggestion& suggestion : d.suggestions) {
    if (trials++ >= most_trials) break;
    const source::File edited(file.id(), file.path(), diagnostics::apply(suggestion, file));
    Diagnostics found;
    reparse(edited, found);
    const Merit value = merit(list, d, file, found, edited);
    if (value == Merit::full) return {suggestion};
    if (value == Merit::some && best.empty()) best = {suggestion};
  }
  return best;
}

}  // namespace

void keep_helpful_edits(Diagnostics& list, const source::File& file, const Reparse& reparse) {
  std::size_t trials = 0;
  Diagnostics kept;
  for (const Diagnostic& original : list.all()) {
    Diagnostic d = original;
    const bool guessed = d.code == Code::unexpected_token || d.code == Code::reserved_word;
    if (guessed && !d.suggestions.empty()) d.suggestions = best_edit(original, list, file, reparse, trials);
    kept.add(std::move(d));
  }
  list = std::move(kept);
}

}  // namespace weir::parse
