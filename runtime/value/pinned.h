// Versions of what values depend on besides the program: for the manifest, where a change between runs is named.
#pragma once

#include <map>
#include <string>

namespace weir::value {

// "tzdata" (from the machine's zone files; "none" without them), "unicode".
std::map<std::string, std::string> pinned_versions();

// The version of Unicode that case mapping follows, "15.0.0".
std::string unicode_version();

}  // namespace weir::value
