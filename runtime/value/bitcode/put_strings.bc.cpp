// Strings as JSON and CSV text: blocks of 16 bytes are copied and looked at together.
#include <emmintrin.h>

#include <cstring>

#include "runtime/value/helpers.h"

namespace {

// One byte that JSON cannot hold as it is.
inline char* put_escape(char* p, unsigned char c) {
  *p++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *p++ = static_cast<char>(c);
      return p;
    case '\b':
      *p++ = 'b';
      return p;
    case '\f':
      *p++ = 'f';
      return p;
    case '\n':
      *p++ = 'n';
      return p;
    case '\r':
      *p++ = 'r';
      return p;
    case '\t':
      *p++ = 't';
      return p;
    default:
      std::memcpy(p, "u00", 3);
      p[3] = static_cast<char>('0' + (c >> 4));
      p[4] = "0123456789abcdef"[c & 15];
      return p + 5;
  }
}

inline bool is_plain(unsigned char c) {
  return c >= 0x20 && c != '"' && c != '\\';
}

}  // namespace

extern "C" {

char* weir_put_json_string(char* p, const char* data, uint64_t size) {
  const char* end = data + size;
  *p++ = '"';
  while (end - data >= 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(p), block);
    const __m128i special = _mm_or_si128(
        _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'))),
        _mm_cmpeq_epi8(_mm_max_epu8(block, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f)));
    const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(special));
    if (mask == 0) {
      data += 16;
      p += 16;
      continue;
    }
    const int at = __builtin_ctz(mask);
    p = put_escape(p + at, static_cast<unsigned char>(data[at]));
    data += at + 1;
  }
  if (end - data >= 8) {
    // Eight at once if none of them needs an escape.
    std::uint64_t word;
    std::memcpy(&word, data, 8);
    constexpr std::uint64_t kOnes = 0x0101010101010101ull;
    constexpr std::uint64_t kTops = 0x8080808080808080ull;
    const std::uint64_t quote = word ^ kOnes * '"';
    const std::uint64_t slash = word ^ kOnes * '\\';
    const std::uint64_t hit =
        ((word - kOnes * 0x20) & ~word) | ((quote - kOnes) & ~quote) | ((slash - kOnes) & ~slash);
    if ((hit & kTops) == 0) {
      std::memcpy(p, data, 8);
      p += 8;
      data += 8;
    }
  }
  for (; data != end; ++data) {
    const auto c = static_cast<unsigned char>(*data);
    if (is_plain(c)) {
      *p++ = *data;
    } else {
      p = put_escape(p, c);
    }
  }
  *p = '"';
  return p + 1;
}

char* weir_put_csv_string(char* p, const char* data, uint64_t size) {
  bool quote = size == 0;
  for (std::uint64_t i = 0; i < size && !quote; ++i) {
    quote = data[i] == ',' || data[i] == '"' || data[i] == '\n' || data[i] == '\r';
  }
  if (!quote) {
    std::memcpy(p, data, size);
    return p + size;
  }
  *p++ = '"';
  for (std::uint64_t i = 0; i < size; ++i) {
    if (data[i] == '"') {
      *p++ = '"';
    }
    *p++ = data[i];
  }
  *p = '"';
  return p + 1;
}

}  // extern "C"
