#include "compiler/diagnostics/code.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include <fmt/core.h>

namespace weir::diagnostics {

const std::vector<CodeInfo>& catalogue() {
  static const std::vector<CodeInfo> rows = {
#define WEIR_DIAGNOSTIC(number, severity, name, title) {Code::name, Severity::severity, #name, title},
#include "compiler/diagnostics/catalogue/all.def"
#undef WEIR_DIAGNOSTIC
  };
  return rows;
}

const CodeInfo& info(Code code) {
  const auto& rows = catalogue();
  const auto row =
      std::lower_bound(rows.begin(), rows.end(), code, [](const CodeInfo& a, Code b) { return a.code < b; });
  assert(row != rows.end() && row->code == code);
  return *row;
}

std::string to_string(Code code) {
  const char letter = info(code).severity == Severity::error     ? 'E'
                      : info(code).severity == Severity::warning ? 'W'
                                                                 : 'N';
  return fmt::format("{}{:04}", letter, static_cast<int>(code));
}

std::optional<Code> parse_code(std::string_view text) {
  if (!text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0) text.remove_prefix(1);
  if (text.size() != 4) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  for (const CodeInfo& row : catalogue()) {
    if (static_cast<int>(row.code) == number) return row.code;
  }
  return std::nullopt;
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

}  // namespace weir::diagnostics
