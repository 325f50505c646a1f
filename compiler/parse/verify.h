// Keeps of the edits that are proposed for syntax errors the first that really helps.
#pragma once

#include <functional>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/source/files.h"

namespace weir::parse {

using Reparse = std::function<void(const source::File& file, diagnostics::Diagnostics& out)>;

// For each `unexpected_token` in `list`: tries its suggestions in order on the text and leaves the first after which
// fewer errors are found; none if there is no such one. Gives up (and drops the suggestions) on large texts.
void keep_helpful_edits(diagnostics::Diagnostics& list, const source::File& file, const Reparse& reparse);

}  // namespace weir::parse
