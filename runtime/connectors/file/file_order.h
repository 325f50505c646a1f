#pragma once

#include <string_view>

namespace weir::connectors::file {

/// Reading order of `files: in_order`: by name, but a rotated `X.N` before `X`, larger N first. Strict.
bool read_before(std::string_view a, std::string_view b);

}  // namespace weir::connectors::file
