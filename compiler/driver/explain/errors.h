// Errors that no script has: of a record (5000s) and of a run (6000s).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weir::driver::explain {

// What `weir explain E6043` prints; nothing if there is no such error of a record or a run.
std::optional<std::string> error_page(std::string_view code);

}  // namespace weir::driver::explain
