// `weir explain SCRIPT --crash-points`: where a crash of this program is different from a crash elsewhere, and what
// recovery does about it.
#pragma once

#include <string>

#include "compiler/driver/crash/matrix.h"
#include "compiler/flow/flow.h"

namespace weir::driver::explain {

// What the program has, in the words of the table of crash points. What depends on the run (a file rolls, a restart
// finds something pending) counts as had.
crash::Features features_of(const flow::Program& program);

// The points that the program can reach, by step: name, place, what the next start does.
std::string crash_points(const flow::Program& program);

}  // namespace weir::driver::explain
