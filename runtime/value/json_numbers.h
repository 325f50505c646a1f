// The grammar of numbers in JSON. Header only.
#pragma once

#include <string_view>

#include "runtime/value/bitcode/digits.h"

namespace weir::value {

// Whether the whole text is -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
inline bool is_json_number(std::string_view text) {
  const char* p = text.data();
  const char* end = p + text.size();
  const auto digits = [&] {
    const char* first = p;
    while (p != end && is_digit(*p)) {
      ++p;
    }
    return p != first;
  };
  if (p != end && *p == '-') {
    ++p;
  }
  if (p != end && *p == '0') {
    ++p;
  } else if (!digits()) {
    return false;
  }
  if (p != end && *p == '.') {
    ++p;
    if (!digits()) {
      return false;
    }
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p != end && (*p == '+' || *p == '-')) {
      ++p;
    }
    if (!digits()) {
      return false;
    }
  }
  return p == end;
}

}  // namespace weir::value
