#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "runtime/connectors/stdio/stdio.h"

namespace weir::connectors::stdio {
namespace {

class StdoutView final : public exec::View {
 public:
  explicit StdoutView(std::string header) : header_(std::move(header)) {}

  Result<void> write(std::string_view rows) override {
    std::lock_guard lock(mutex_);
    if (!header_.empty()) {
      WEIR_CHECK(write_all(header_));
      header_.clear();
    }
    return write_all(rows);
  }

 private:
  static Result<void> write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        return fail(RunError::view_failed, fmt::format("standard output: {}", std::strerror(errno)), errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }

  std::mutex mutex_;  // one write's rows stay together
  std::string header_;
};

}  // namespace

std::shared_ptr<exec::View> make_stdout_view(std::string header) {
  return std::make_shared<StdoutView>(std::move(header));
}

}  // namespace weir::connectors::stdio
