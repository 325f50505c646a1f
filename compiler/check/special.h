// Functions of the library whose types follow rules of their own.
#pragma once

#include <string>
#include <vector>

namespace weir::check {

bool is_special(const std::string& name);
const std::vector<std::string>& special_names();
// Typed as their signature says, but some arguments must be literals: patterns that are compiled in advance.
bool takes_literals(const std::string& name);

}  // namespace weir::check
