#include "compiler/parse/verify.h"

#include "compiler/diagnostics/render.h"

namespace weir::parse {

namespace {

constexpr std::size_t largest_text = 64u << 10;
constexpr std::size_t most_trials = 40;

}  // namespace

void keep_helpful_edits(diagnostics::Diagnostics& list, const source::File& file, const Reparse& reparse) {
  const std::size_t errors = list.count(diagnostics::Severity::error);
  std::size_t trials = 0;
  diagnostics::Diagnostics kept;
  for (diagnostics::Diagnostic& d : list.take()) {
    if (d.code == diagnostics::Code::unexpected_token && !d.suggestions.empty()) {
      std::vector<diagnostics::Suggestion> helpful;
      for (diagnostics::Suggestion& suggestion : d.suggestions) {
        if (!helpful.empty() || file.text().size() > largest_text || trials >= most_trials) break;
        ++trials;
        const source::File edited(file.id(), file.path(), diagnostics::apply(suggestion, file));
        diagnostics::Diagnostics found;
        reparse(edited, found);
        if (found.count(diagnostics::Severity::error) < errors) helpful.push_back(std::move(suggestion));
      }
      d.suggestions = std::move(helpful);
    }
    kept.add(std::move(d));
  }
  list = std::move(kept);
}

}  // namespace weir::parse
