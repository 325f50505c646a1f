// What embed_pages.py generates. Used by explain.cpp only.
#pragma once

#include <span>
#include <string_view>

namespace weir::diagnostics {

struct EmbeddedPage {
  int code;
  std::string_view text;
};

// Ascending by code.
std::span<const EmbeddedPage> embedded_pages();

}  // namespace weir::diagnostics
