#include "runtime/base/logger.h"

#include <fmt/core.h>
#include <unistd.h>

namespace weir::base {

void StderrLogger::write(Level level, std::string_view message) {
  std::string_view prefix = level == Level::info ? "" : level == Level::warning ? "warning: " : "error: ";
  std::string line = fmt::format("weir: {}{}\n", prefix, message);
  // There is nobody to tell when standard error is closed.
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace weir::base
