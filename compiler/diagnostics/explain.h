// The long text of each code: the pages of tests/diagnostics, embedded when the compiler is built.
#pragma once

#include <string>
#include <string_view>

#include "compiler/diagnostics/code.h"

namespace weir::diagnostics {

// The page as it stands in its file; empty if the code has none.
std::string_view page(Code code);

// The page for reading: title, prose, and for each example the script, its drawing and the mended script.
// A code without page gives its title alone. Ends with a newline.
std::string explain(Code code);

// For tests: the reading form of the text of a page.
std::string explain_page(Code code, std::string_view page);

}  // namespace weir::diagnostics
