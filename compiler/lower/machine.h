// From a finished module to an object file: links the helpers that it uses, optimises, emits. LLVM's passes and code
// generator are reached through its C interface, whose headers cost nothing to compile.
#pragma once

#include <expected>
#include <string>

#include "compiler/lower/lower.h"
#include "compiler/lower/unit.h"

namespace weir::lower {

std::expected<std::string, std::string> emit_machine_code(Unit& unit, const Request& request);

}  // namespace weir::lower
