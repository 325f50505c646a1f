#include "runtime/exec/record_end.h"

#include <cstring>

namespace weir::exec {

const char* RecordEnd::find(const char* p, const char* end) {
  if (!csv_) {
    const void* newline = p == end ? nullptr : std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    return newline ? static_cast<const char*>(newline) + 1 : nullptr;
  }
  for (; p != end; ++p) {
    if (place_ == Place::in_quotes) {
      if (*p == '"') place_ = Place::behind_quote;
    } else if (*p == '"' && place_ != Place::in_field) {
      place_ = Place::in_quotes;  // of a field, or the second of a pair
    } else if (*p == '\n') {
      return p + 1;
    } else {
      place_ = *p == ',' ? Place::field_begin : Place::in_field;
    }
  }
  return nullptr;
}

}  // namespace weir::exec
