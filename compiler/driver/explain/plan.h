// `weir explain SCRIPT --plan`: how the program runs.
#pragma once

#include <string>

#include "compiler/flow/flow.h"

namespace weir::driver::explain {

// The operators as a tree from each source on, with what they do: fused steps, exchanges, state, sinks.
std::string plan(const flow::Program& program);

}  // namespace weir::driver::explain
