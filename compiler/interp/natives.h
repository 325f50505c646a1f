// Functions of the library that the evaluator knows: those that can fail on constants, and what stands around them.
// Each gives what the library's own code gives; an overload that is missing here is not evaluated.
#pragma once

#include "compiler/interp/evaluate.h"

namespace weir::interp {

const Natives& library_natives();

}  // namespace weir::interp
