#include "runtime/files/system_error.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>

namespace weir::files {
namespace {

RunError classify(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return RunError::file_not_found;
    case EEXIST:
    case ENOTEMPTY:
      return RunError::file_exists;
    case ENOSPC:
    case EDQUOT:
      return RunError::disk_full;
    case EACCES:
    case EPERM:
    case EROFS:
      return RunError::not_permitted;
    default:
      return RunError::file_io;
  }
}

}  // namespace

Status system_failure(std::string_view action, const std::string& path, int error) {
  // After a failed fsync the data may be gone, whatever the number says.
  RunError code = action == "sync" && error != ENOENT ? RunError::sync_failed : classify(error);
  return Status(code, fmt::format("{}: cannot {}: {}", path, action, std::strerror(error)), error);
}

}  // namespace weir::files
