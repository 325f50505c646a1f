// Functions of the program (`fn`), as internal LLVM functions, so that emitted code stays linear in the script.
#pragma once

#include "compiler/lower/unit.h"

namespace weir::lower {

// Fills Unit::functions() in the order of the program. A function takes the worker and its arguments (a record by the
// address of a slot, anything else in registers) and returns {status, registers of the result}; status is 0, or the
// point of the error + 1.
void emit_functions(Unit& unit);

}  // namespace weir::lower
