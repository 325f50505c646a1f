// Where UTF-8 goes wrong: for messages, after a fast check said that it does. And base64.
#include <cstring>

#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace {

// Length of the well-formed sequence at p, 0 when there is none.
std::uint64_t sequence(const unsigned char* p, std::uint64_t left) {
  const unsigned char lead = p[0];
  if (lead < 0x80) {
    return 1;
  }
  const std::uint64_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || left < size) {
    return 0;
  }
  unsigned char low = 0x80, high = 0xBF;
  if (lead == 0xE0) {
    low = 0xA0;
  } else if (lead == 0xED) {
    high = 0x9F;
  } else if (lead == 0xF0) {
    low = 0x90;
  } else if (lead == 0xF4) {
    high = 0x8F;
  }
  if (p[1] < low || p[1] > high) {
    return 0;
  }
  for (std::uint64_t i = 2; i < size; ++i) {
    if ((p[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return size;
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') {
    return c - 'A';
  }
  if (c >= 'a' && c <= 'z') {
    return c - 'a' + 26;
  }
  if (c >= '0' && c <= '9') {
    return c - '0' + 52;
  }
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

extern "C" {

uint64_t weir_utf8_error(const char* data, uint64_t size) {
  const auto* p = reinterpret_cast<const unsigned char*>(data);
  std::uint64_t at = 0;
  while (at < size) {
    const std::uint64_t length = sequence(p + at, size - at);
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return size;
}

int32_t weir_base64_decode(weir_worker* worker, const char* data, uint64_t size, weir_str* result) {
  if (size % 4 != 0) {
    return 5016;
  }
  auto* out = static_cast<char*>(weir_scratch_take(worker, size / 4 * 3));
  char* p = out;
  for (std::uint64_t i = 0; i < size; i += 4) {
    const bool last = i + 4 == size;
    const int padding = last && data[i + 3] == '=' ? (data[i + 2] == '=' ? 2 : 1) : 0;
    std::uint32_t group = 0;
    for (int k = 0; k < 4; ++k) {
      const int digit = k >= 4 - padding ? 0 : base64_digit(data[i + static_cast<std::uint64_t>(k)]);
      if (digit < 0) {
        return 5016;
      }
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    // Bits that stand for nothing must be zero, so that each value has one text.
    if ((padding == 2 && (group & 0xFFFF) != 0) || (padding == 1 && (group & 0xFF) != 0)) {
      return 5016;
    }
    *p++ = static_cast<char>(group >> 16);
    if (padding < 2) {
      *p++ = static_cast<char>(group >> 8);
    }
    if (padding < 1) {
      *p++ = static_cast<char>(group);
    }
  }
  *result = {out, static_cast<std::uint64_t>(p - out)};
  return 0;
}

}  // extern "C"
