#include "runtime/base/status.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace weir {
namespace {

constexpr bool yes = true;
constexpr bool no = false;

constexpr RunErrorInfo all[] = {
#define WEIR_RUN_ERROR(number, name, domain, retry, title, explanation) \
  {RunError::name, #name, #domain, retry, title, explanation},
#include "runtime/base/run_errors.def"
#undef WEIR_RUN_ERROR
};

static_assert(std::ranges::is_sorted(all, {}, &RunErrorInfo::error),
              "rows stand in the order of their numbers");

}  // namespace

std::span<const RunErrorInfo> run_errors() {
  return all;
}

const RunErrorInfo& info(RunError error) {
  auto found = std::ranges::lower_bound(all, error, {}, &RunErrorInfo::error);
  if (found == std::end(all) || found->error != error) std::abort();
  return *found;
}

std::string Status::to_string() const {
  return fmt::format("E{}: {}: {}", code(), info(error_).title, message_);
}

}  // namespace weir
