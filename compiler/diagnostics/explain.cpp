#include "compiler/diagnostics/explain.h"

#include <fmt/core.h>

#include "compiler/diagnostics/pages.h"

namespace weir::diagnostics {

namespace {

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

std::string_view uncomment(std::string_view line) {
  if (line.starts_with("// ")) return line.substr(3);
  return line.starts_with("//") ? line.substr(2) : line;
}

std::string_view heading(std::string_view part) {
  if (part.starts_with("program")) return "\nExample\n\n";
  if (part == "drawing") return "\n";
  if (part == "fixed") return "\nMended\n\n";
  return "\n";
}

}  // namespace

std::string_view page(Code code) {
  for (const EmbeddedPage& candidate : embedded_pages()) {
    if (candidate.code == static_cast<int>(code)) return candidate.text;
  }
  return {};
}

std::string explain_page(Code code, std::string_view text) {
  std::string out = fmt::format("{}: {}\n", to_string(code), info(code).title);
  bool comments = false;  // the part is written as comments
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with("//= ")) {
      const std::string_view part = line.substr(4);
      out += heading(part);
      comments = !part.starts_with("program") && part != "fixed";
      continue;
    }
    const std::string_view shown = comments ? uncomment(line) : line;
    // Scripts and drawings are set off; prose is not. A drawing follows its script.
    out += shown;
    out += '\n';
  }
  return out;
}

std::string explain(Code code) {
  return explain_page(code, page(code));
}

}  // namespace weir::diagnostics
