#include "compiler/driver/suggestions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "compiler/diagnostics/render.h"

namespace weir::driver {
namespace {

using diagnostics::Diagnostic;
using diagnostics::Diagnostics;
using diagnostics::Severity;
using diagnostics::Suggestion;

constexpr std::size_t largest_text = 256u << 10;
constexpr std::size_t most_checked = 2u << 20;  // bytes of text in all trials
constexpr std::size_t most_trials = 50;
constexpr int most_rounds = 100;  // of fixing

using Key = std::pair<diagnostics::Code, std::string>;

std::map<Key, int> counted(const Diagnostics& findings, bool errors_only) {
  std::map<Key, int> out;
  for (const Diagnostic& d : findings.all()) {
    if (!errors_only || d.severity == Severity::error) ++out[{d.code, d.message}];
  }
  return out;
}

// The errors of `after` that `before` does not have.
std::vector<const Diagnostic*> new_errors(const Front& before, const Front& after) {
  std::map<Key, int> known = counted(before.findings, true);
  std::vector<const Diagnostic*> out;
  for (const Diagnostic& d : after.findings.all()) {
    if (d.severity == Severity::error && known[{d.code, d.message}]-- <= 0) out.push_back(&d);
  }
  return out;
}

// A part of the edited text, in lines.
struct Lines {
  std::string path;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

struct Edited {
  std::string script;     // the text of the first module
  Overlay files;          // the texts of the others
  std::vector<Lines> at;  // where the edits are
};

Edited edited(const Front& front, const Suggestion& suggestion) {
  Edited out{std::string(front.files.file(front.modules.front().file).text()), {}, {}};
  for (std::size_t i = 0; i < front.modules.size(); ++i) {
    const source::File& file = front.files.file(front.modules[i].file);
    for (const diagnostics::Edit& edit : suggestion.edits) {
      if (edit.span.file != file.id()) continue;
      const std::uint32_t line = file.position(edit.span.offset).line;
      const auto more = static_cast<std::uint32_t>(std::count(edit.text.begin(), edit.text.end(), '\n'));
      out.at.push_back({file.path(), line, line + more});
    }
    std::string text = diagnostics::apply(suggestion, file);
    if (i == 0) {
      out.script = std::move(text);
    } else {
      out.files.emplace(overlay_name(file.path()), std::move(text));
    }
  }
  return out;
}

enum class Outcome { sound, uncovers, bad };

Outcome tried(const Front& front, const std::string& script, const Diagnostic& finding,
              const Suggestion& suggestion) {
  const Edited text = edited(front, suggestion);
  const auto after = check_text(script, text.script, text.files);
  const Key key{finding.code, finding.message};
  if (counted(after->findings, false)[key] >= counted(front.findings, false)[key]) return Outcome::bad;
  Outcome outcome = Outcome::sound;
  for (const Diagnostic* error : new_errors(front, *after)) {
    if (!error->primary.span.is_known()) return Outcome::bad;
    const source::File& file = after->files.file(error->primary.span.file);
    const std::uint32_t line = file.position(error->primary.span.offset).line;
    const bool inside = std::any_of(text.at.begin(), text.at.end(), [&](const Lines& lines) {
      return lines.path == file.path() && lines.first <= line && line <= lines.last;
    });
    if (inside) return Outcome::bad;
    outcome = Outcome::uncovers;
  }
  return outcome;
}

bool overlaps(const std::vector<diagnostics::Edit>& taken, const Suggestion& suggestion) {
  return std::any_of(suggestion.edits.begin(), suggestion.edits.end(), [&](const diagnostics::Edit& edit) {
    return std::any_of(taken.begin(), taken.end(), [&](const diagnostics::Edit& other) {
      return edit.span.offset <= other.span.end() && other.span.offset <= edit.span.end();
    });
  });
}

// The edits of the script's findings with one suggestion each; of the first such finding only, if `one`.
Suggestion edits_of(const Front& front, bool one, int& count) {
  Suggestion out;
  count = 0;
  const source::FileId file = front.modules.front().file;
  for (const Diagnostic& finding : front.findings.all()) {
    if (finding.suggestions.size() != 1 || finding.primary.span.file != file) continue;
    const Suggestion& only = finding.suggestions.front();
    const bool own = std::all_of(only.edits.begin(), only.edits.end(),
                                 [&](const diagnostics::Edit& edit) { return edit.span.file == file; });
    if (!own || overlaps(out.edits, only)) continue;
    out.edits.insert(out.edits.end(), only.edits.begin(), only.edits.end());
    ++count;
    if (one) break;
  }
  return out;
}

}  // namespace

void keep_sound_suggestions(Front& front, const std::string& script) {
  if (front.modules.empty()) return;
  const std::size_t size = front.files.file(front.modules.front().file).text().size();
  std::size_t trials = size > largest_text ? 0 : std::min(most_trials, most_checked / (size + 1));
  Diagnostics kept;
  for (const Diagnostic& original : front.findings.all()) {
    Diagnostic d = original;
    d.suggestions.clear();
    for (const Suggestion& suggestion : original.suggestions) {
      const bool may_try = trials > 0;
      if (may_try) --trials;
      const Outcome outcome = may_try ? tried(front, script, original, suggestion) : Outcome::uncovers;
      if (outcome == Outcome::sound) d.suggestions.push_back(suggestion);
      if (outcome == Outcome::uncovers) d.help(suggestion.message);
    }
    kept.add(std::move(d));
  }
  front.findings = std::move(kept);
}

std::string fixed_script(const Front& front, const std::string& script, int& applied) {
  std::string text(front.files.file(front.modules.front().file).text());
  const Front* current = &front;
  std::unique_ptr<Front> owned;
  // All at once where they do not get into each other's way, else one after the other: each is sound by itself.
  for (int round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (const bool one : {false, true}) {
      int count = 0;
      const Suggestion edits = edits_of(*current, one, count);
      if (count == 0) return text;
      const source::File& file = current->files.file(current->modules.front().file);
      std::string next = diagnostics::apply(edits, file);
      auto after = check_text(script, next);
      if (!new_errors(*current, *after).empty()) continue;
      changed = next != text;
      text = std::move(next);
      applied += count;
      keep_sound_suggestions(*after, script);
      owned = std::move(after);
      current = owned.get();
      break;
    }
    if (!changed) break;
  }
  return text;
}

}  // namespace weir::driver
