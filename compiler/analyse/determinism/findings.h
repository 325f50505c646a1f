// Says what the taint of a program means under its `determinism` setting.
#pragma once

#include "compiler/analyse/determinism/taint.h"
#include "compiler/analyse/graph.h"
#include "compiler/diagnostics/diagnostic.h"

namespace weir::analyse {

void report_taint(const flow::Program& program, const Graph& graph, const Taint& taint,
                  diagnostics::Diagnostics& out);

}  // namespace weir::analyse
