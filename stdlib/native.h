// What the bodies of native functions share. Header only; see README.md.
#pragma once

#include <cstring>

#include "runtime/abi/abi.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace weir::stdlib {

// Slots of optional results.
struct OptionalInt {
  std::int64_t value;
  std::uint8_t present;
};
struct OptionalString {
  weir_str value;
  std::uint8_t present;
};
struct OptionalFloat {
  double value;
  std::uint8_t present;
};

inline bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Number of code points.
inline std::int64_t count_points(const char* data, std::uint64_t size) {
  std::int64_t count = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    count += is_continuation(data[i]) ? 0 : 1;
  }
  return count;
}

// Byte offset of the code point `index`, or `size` when there are not so many.
inline std::uint64_t point_offset(const char* data, std::uint64_t size, std::int64_t index) {
  std::uint64_t at = 0;
  for (; at < size; ++at) {
    if (!is_continuation(data[at]) && index-- == 0) {
      return at;
    }
  }
  return size;
}

// Offset of the first `part` at or behind `from`, or `size` when there is none (also for a part that cannot fit).
inline std::uint64_t find(const char* data, std::uint64_t size, const char* part, std::uint64_t part_size,
                          std::uint64_t from) {
  if (part_size == 0) {
    return from;
  }
  while (from + part_size <= size) {
    const void* hit = std::memchr(data + from, part[0], size - from - part_size + 1);
    if (hit == nullptr) {
      break;
    }
    from = static_cast<std::uint64_t>(static_cast<const char*>(hit) - data);
    if (std::memcmp(data + from, part, part_size) == 0) {
      return from;
    }
    ++from;
  }
  return size;
}

inline weir_str copied(weir_worker* worker, const char* data, std::uint64_t size) {
  auto* out = static_cast<char*>(weir_scratch_take(worker, size));
  weir_put_bytes(out, data, size);
  return {out, size};
}

// What a function answers with may not be larger than this: a larger one is E5019.
inline constexpr std::uint64_t kLargestText = 1ull << 28;

// White space of ASCII.
inline bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace weir::stdlib
