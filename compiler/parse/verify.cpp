#include "compiler/parse/verify.h"

#include <algorithm>
#include <iterator>

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

// A part of the text that is read on its own, with what was found in it, in its own offsets.
struct Piece {
  std::uint32_t begin = 0;
  source::File file;
  Diagnostics findings;

  source::Span inside(source::Span span) const { return {span.file, span.offset - begin, span.length}; }
};

Piece piece_around(std::uint32_t offset, const Diagnostics& list, const source::File& file,
                   const std::vector<std::uint32_t>& starts) {
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const std::uint32_t begin = next == starts.begin() ? 0 : *std::prev(next);
  const auto end = next == starts.end() ? static_cast<std::uint32_t>(file.text().size()) : *next;
  Piece piece{begin, {file.id(), file.path(), std::string(file.text().substr(begin, end - begin))}, {}};
  for (const Diagnostic& d : list.all()) {
    const std::uint32_t at = d.primary.span.offset;
    // A finding at the very end of the text belongs to the last piece.
    if (at >= begin && (at < end || end == file.text().size())) {
      Diagnostic moved = d;
      moved.primary.span = piece.inside(d.primary.span);
      piece.findings.add(std::move(moved));
    }
  }
  return piece;
}

// The same edits in the piece's offsets; no edits if one lies outside.
diagnostics::Suggestion inside(const diagnostics::Suggestion& suggestion, const Piece& piece) {
  diagnostics::Suggestion out{suggestion.message, {}};
  for (const diagnostics::Edit& edit : suggestion.edits) {
    if (edit.span.offset < piece.begin || edit.span.end() > piece.begin + piece.file.text().size()) return {};
    out.edits.push_back({piece.inside(edit.span), edit.text});
  }
  return out;
}

// The first edit that is fully good, else the first that is somewhat.
std::vector<diagnostics::Suggestion> best_edit(const Diagnostic& d, const Piece& piece,
                                               const Reparse& reparse, std::size_t& trials) {
  std::vector<diagnostics::Suggestion> best;
  if (piece.file.text().size() > largest_text) return best;
  Diagnostic moved = d;
  moved.primary.span = piece.inside(d.primary.span);
  for (const diagnostics::Suggestion& suggestion : d.suggestions) {
    if (trials++ >= most_trials) break;
    const diagnostics::Suggestion edit = inside(suggestion, piece);
    if (edit.edits.empty()) continue;
    const source::File edited(piece.file.id(), piece.file.path(), diagnostics::apply(edit, piece.file));
    Diagnostics found;
    reparse(edited, found);
    const Merit value = merit(piece.findings, moved, piece.file, found, edited);
    if (value == Merit::full) return {suggestion};
    if (value == Merit::some && best.empty()) best = {suggestion};
  }
  return best;
}

}  // namespace

void keep_helpful_edits(Diagnostics& list, const source::File& file, const std::vector<std::uint32_t>& starts,
                        const Reparse& reparse) {
  std::size_t trials = 0;
  Diagnostics kept;
  for (const Diagnostic& original : list.all()) {
    Diagnostic d = original;
    const bool guessed = d.code == Code::unexpected_token || d.code == Code::reserved_word;
    if (guessed && !d.suggestions.empty()) {
      d.suggestions =
          best_edit(original, piece_around(d.primary.span.offset, list, file, starts), reparse, trials);
    }
    kept.add(std::move(d));
  }
  list = std::move(kept);
}

}  // namespace weir::parse
