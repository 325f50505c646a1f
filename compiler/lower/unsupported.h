// What the lowering does not know. Thrown inside this folder only and turned into a message by `compile`: the check
// stage refuses such programs first, so that seeing one means that a check is missing.
#pragma once

#include <stdexcept>
#include <string>

namespace weir::lower {

class Unsupported : public std::runtime_error {
 public:
  explicit Unsupported(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace weir::lower
