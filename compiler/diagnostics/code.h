// The catalogue of everything that Weir can report. One row per code in catalogue/*.def, split by phase:
//   0101-0899 checker (checker.def) · 1000s text to tree (parse.def) · 2000s names and types (names.def) ·
//   3000s flow (flow.def) · 4000s connectors (connectors.def) · 5000s record errors (record.def) ·
//   6000s run errors (run.def)
// A row is WEIR_DIAGNOSTIC(number, severity, name, "short title"). Numbers are stable for ever; a code that is
// no longer reported keeps its row. Each row has its page in tests/diagnostics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::diagnostics {

enum class Severity : std::uint8_t { error, warning, note };

enum class Code : std::uint16_t {
#define WEIR_DIAGNOSTIC(number, severity, name, title) name = number,
#include "compiler/diagnostics/catalogue/all.def"
#undef WEIR_DIAGNOSTIC
};

struct CodeInfo {
  Code code;
  Severity severity;       // the default
  std::string_view name;   // identifier in the catalogue
  std::string_view title;  // a few words, no full stop
};

// All rows, ascending by number.
const std::vector<CodeInfo>& catalogue();

const CodeInfo& info(Code code);

// "E1003", "W0105": the letter is the default severity's, four digits.
std::string to_string(Code code);

// Reads "E1003", "e1003", "1003"; nullopt if there is no such row. A wrong letter is forgiven.
std::optional<Code> parse_code(std::string_view text);

std::string_view to_string(Severity severity);

}  // namespace weir::diagnostics
