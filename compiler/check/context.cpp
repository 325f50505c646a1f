#include "compiler/check/context.h"

#include <cctype>

namespace weir::check {

Context::Context(const source::Files& all_files, const resolve::Symbols& all_symbols,
                 const catalog::Functions& functions_known, diagnostics::Diagnostics& findings)
    : files(all_files),
      symbols(all_symbols),
      library(functions_known),
      out(findings),
      types(all_symbols, findings),
      functions(*this) {}

std::string Context::raw(Span span) const {
  return std::string(files.text(span));
}

std::string Context::text(Span span) const {
  constexpr std::size_t kLimit = 60;
  std::string result;
  for (const char c : files.text(span)) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (space && !result.empty() && result.back() == ' ') continue;
    result.push_back(space ? ' ' : c);
    if (result.size() > kLimit) {
      // Not inside a character.
      while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0) == 0x80) result.pop_back();
      if (!result.empty()) result.pop_back();
      return result + "…";
    }
  }
  return result;
}

Diagnostic& Context::unsupported(Span span, const std::string& what, std::string way_out) {
  return out.report(Code::not_supported_yet, span, what + " is not supported yet")
      .label("not in this version")
      .note("the language has it, this compiler does not; nothing is left out silently")
      .help(std::move(way_out));
}

}  // namespace weir::check
