// Edits that replace an origin by something that replay repeats.
#pragma once

#include <vector>

#include "compiler/analyse/determinism/names.h"
#include "compiler/analyse/determinism/taint.h"
#include "compiler/diagnostics/diagnostic.h"

namespace weir::analyse {

// Adds edits, or advice where none can be written, for `origin`, which operator `node` evaluates.
void suggest(diagnostics::Diagnostic& diagnostic, const flow::Program& program, const Taint::Found& found,
             const std::vector<RowNames>& names);

}  // namespace weir::analyse
