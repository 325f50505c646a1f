// The only includer of utf8proc.
#include <utf8proc.h>

#include <cstring>

#include "runtime/value/helpers.h"
#include "runtime/value/pinned.h"
#include "runtime/value/text.h"

namespace weir::value {

std::string unicode_version() {
  return utf8proc_unicode_version();
}

}  // namespace weir::value

extern "C" {

void weir_case_map(weir_worker* worker, const char* data, uint64_t size, int32_t upper, weir_str* result) {
  // A simple mapping can be longer than its letter: at most 3 bytes for 2, or for 1.
  auto* out = static_cast<char*>(weir_scratch_take(worker, size * 3));
  char* p = out;
  const auto* text = reinterpret_cast<const utf8proc_uint8_t*>(data);
  std::uint64_t at = 0;
  while (at < size) {
    const auto c = static_cast<unsigned char>(data[at]);
    if (c < 0x80) {
      const bool letter = static_cast<unsigned char>((c | 0x20) - 'a') < 26;
      *p++ = static_cast<char>(letter ? (upper != 0 ? c & ~0x20 : c | 0x20) : c);
      ++at;
      continue;
    }
    utf8proc_int32_t point;
    const utf8proc_ssize_t length =
        utf8proc_iterate(text + at, static_cast<utf8proc_ssize_t>(size - at), &point);
    if (length <= 0) {
      *p++ = data[at++];
      continue;
    }
    const utf8proc_int32_t mapped = upper != 0 ? utf8proc_toupper(point) : utf8proc_tolower(point);
    p += utf8proc_encode_char(mapped, reinterpret_cast<utf8proc_uint8_t*>(p));
    at += static_cast<std::uint64_t>(length);
  }
  *result = {out, static_cast<std::uint64_t>(p - out)};
}

}  // extern "C"
