// Keeps of the edits that are proposed for syntax errors the first that really helps.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/source/files.h"

namespace weir::parse {

using Reparse = std::function<void(const source::File& file, diagnostics::Diagnostics& out)>;

// For each syntax error in `list`: tries its suggestions in order and leaves the best one, after which fewer errors are
// found in its part of the text; none if there is no such one. The parts are read on their own and begin at `starts`
// (ascending offsets). Gives up, and drops the suggestions, on large parts and after many trials.
void keep_helpful_edits(diagnostics::Diagnostics& list, const source::File& file,
                        const std::vector<std::uint32_t>& starts, const Reparse& reparse);

}  // namespace weir::parse
