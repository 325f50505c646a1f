// A script as it stands in a file, checked, with the suggestions that hold.
#pragma once

#include <memory>
#include <string>

#include "compiler/driver/front.h"

namespace weir::driver {

// `script` is a path, or "-" for stdin; NAME.flow holds the text form of a flow, for tests. Each suggestion of the
// findings was tried (suggestions.h). nullptr if it cannot be read at all; `error` says why.
std::unique_ptr<Front> read_front(const std::string& script, std::string& error);

}  // namespace weir::driver
