// The text form of a UUID. Header only.
#pragma once

#include "runtime/value/helpers.h"

namespace weir::stdlib {

// 128 bits, of which version and variant replace six.
inline weir_str uuid_text(weir_worker* worker, std::uint64_t high, std::uint64_t low, std::uint64_t version) {
  high = (high & ~0xF000ull) | version << 12;
  low = (low & ~(3ull << 62)) | 2ull << 62;
  auto* out = static_cast<char*>(weir_scratch_take(worker, 36));
  int at = 0;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) {
      out[at++] = '-';
    }
    const std::uint64_t word = i < 16 ? high : low;
    out[at++] = "0123456789abcdef"[word >> (60 - i % 16 * 4) & 15];
  }
  return {out, 36};
}

}  // namespace weir::stdlib
