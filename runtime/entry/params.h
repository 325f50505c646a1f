#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/exec/plan.h"

namespace weir::entry {

/// The values of a program's parameters for one run: slots as generated code reads them. Owns their memory.
class Params {
 public:
  /// Defaults, overridden by `given` (a later one beats an earlier). Failure: bad_parameter.
  static Result<Params> make(const exec::Plan& plan,
                             const std::vector<std::pair<std::string, std::string>>& given);

  std::vector<const void*> slots() const;
  const std::string& text(std::size_t param) const { return texts_[param]; }

 private:
  struct alignas(16) Slot {
    char bytes[16];
  };
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::string> texts_;
  std::vector<std::unique_ptr<std::string>> strings_;
};

/// "5s", "250ms", … in microseconds, also negative.
bool parse_param(std::string_view type, const std::string& text, void* slot);

}  // namespace weir::entry
