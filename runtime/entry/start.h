#pragma once

#include "runtime/abi/abi.h"

namespace weir::entry {

/// The whole of a built program: flags, run, messages. Returns the exit code: 0 done, 1 failed, 2 bad use, 4 fenced.
int start(const weir_program_t& program, int count, const char* const* arguments);

}  // namespace weir::entry
