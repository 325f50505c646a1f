// The scan of a JSON string for what is not plain, by blocks of 16 bytes. Header only.
#pragma once

#include <emmintrin.h>

#include <cstdint>

namespace weir::value {

// Nonzero bytes where a JSON string ends, escapes, or has a control character.
inline __m128i special_bytes(__m128i block) {
  const __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
  const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f));
  return _mm_or_si128(_mm_or_si128(quote, backslash), control);
}

// The first special byte at or behind p; or a place at or behind `end`, up to 32 bytes beyond it, when there is none
// before. *high becomes true when a byte before it is above 127.
inline const char* scan_string(const char* p, const char* end, bool* high) {
  __m128i seen = _mm_setzero_si128();
  for (;;) {
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto first_mask = static_cast<std::uint32_t>(_mm_movemask_epi8(special_bytes(first)));
    if (first_mask != 0) {
      const int at = __builtin_ctz(first_mask);
      const auto top = static_cast<std::uint32_t>(_mm_movemask_epi8(first)) & ((1u << at) - 1);
      *high = *high || top != 0 || _mm_movemask_epi8(seen) != 0;
      return p + at;
    }
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16));
    const auto second_mask = static_cast<std::uint32_t>(_mm_movemask_epi8(special_bytes(second)));
    seen = _mm_or_si128(seen, first);
    if (second_mask != 0) {
      const int at = __builtin_ctz(second_mask);
      const auto top = static_cast<std::uint32_t>(_mm_movemask_epi8(second)) & ((1u << at) - 1);
      *high = *high || top != 0 || _mm_movemask_epi8(seen) != 0;
      return p + 16 + at;
    }
    seen = _mm_or_si128(seen, second);
    p += 32;
    if (p >= end) {
      return p;
    }
  }
}

}  // namespace weir::value
