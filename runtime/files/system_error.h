#pragma once

#include <string>
#include <string_view>

#include "runtime/base/status.h"

namespace weir::files {

/// The status for an operating system error number on a path: "PATH: cannot ACTION: TEXT".
Status system_failure(std::string_view action, const std::string& path, int error);

inline std::unexpected<Status> system_fail(std::string_view action, const std::string& path, int error) {
  return std::unexpected<Status>(system_failure(action, path, error));
}

}  // namespace weir::files
