#include <algorithm>

#include <fmt/core.h>

#include "compiler/diagnostics/render.h"
#include "compiler/diagnostics/snippet.h"

namespace weir::diagnostics {

namespace {

// "= note: …", later lines of the text aligned below its first.
std::string remark(std::string_view kind, std::string_view text, std::size_t width, const Palette& palette) {
  std::string out = fmt::format("{}{} ={} {}{}{}: ", std::string(width, ' '), palette.frame, palette.reset,
                                palette.bold, kind, palette.reset);
  const std::string indent(width + 3 + kind.size() + 2, ' ');
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) out += indent;
    out += std::string(text.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return out;
}

constexpr std::size_t most_drawn = 100;  // nobody reads more

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace

std::string render_text(const Diagnostic& d, const source::Files& files, const RenderOptions& options) {
  const Palette palette = Palette::of(options.colour);
  const std::size_t width = number_width(d, files);
  std::string code = to_string(d.code);
  // Another severity than the catalogue's changes the letter, too.
  code[0] = d.severity == Severity::error ? 'E' : d.severity == Severity::warning ? 'W' : 'N';
  std::string out = fmt::format("{}{}[{}]{}{}: {}{}\n", palette.severity(d.severity), to_string(d.severity),
                                code, palette.reset, palette.bold, d.message, palette.reset);
  out += draw_snippet(d, files, width, palette, options);
  if (!d.notes.empty() || !d.helps.empty()) {
    if (d.primary.span.is_known()) {
      out += fmt::format("{}{} |{}\n", palette.frame, std::string(width, ' '), palette.reset);
    }
    for (const std::string& note : d.notes) out += remark("note", note, width, palette);
    for (const std::string& help : d.helps) out += remark("help", help, width, palette);
  }
  for (const Suggestion& suggestion : d.suggestions)
    out += draw_suggestion(suggestion, files, width, palette, options);
  return out;
}

std::string render_text(const Diagnostics& list, const source::Files& files, const RenderOptions& options) {
  std::string out;
  std::size_t shown = 0;
  for (const Diagnostic& d : list.all()) {
    if (shown++ == most_drawn) {
      out += fmt::format("{} more are not shown\n\n", list.size() - most_drawn);
      break;
    }
    out += render_text(d, files, options);
    out += '\n';
  }
  if (list.empty()) return out;
  const std::size_t errors = list.count(Severity::error);
  const std::size_t warnings = list.count(Severity::warning);
  std::string total;
  if (errors > 0) total += plural(errors, "error");
  if (warnings > 0) total += (total.empty() ? "" : ", ") + plural(warnings, "warning");
  if (!total.empty()) {
    out += total;
    for (const Diagnostic& d : list.all()) {
      if (d.severity == Severity::error) {
        out += fmt::format("; `weir explain {}` says more", to_string(d.code));
        break;
      }
    }
    out += '\n';
  }
  return out;
}

std::string render(Format format, const Diagnostics& list, const source::Files& files,
                   const RenderOptions& options) {
  switch (format) {
    case Format::text:
      return render_text(list, files, options);
    case Format::json:
      return render_json(list, files);
    case Format::sarif:
      return render_sarif(list, files);
    case Format::github:
      return render_github(list, files);
  }
  return "";
}

std::string apply(const Suggestion& suggestion, const source::File& file) {
  std::vector<Edit> edits;
  for (const Edit& edit : suggestion.edits) {
    if (edit.span.file == file.id()) edits.push_back(edit);
  }
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.span.offset < b.span.offset; });
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.span.offset < at || edit.span.end() > file.text().size()) continue;
    out += file.text().substr(at, edit.span.offset - at);
    out += edit.text;
    at = edit.span.end();
  }
  out += file.text().substr(at);
  return out;
}

}  // namespace weir::diagnostics
