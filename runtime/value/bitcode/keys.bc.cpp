// Canonical key bytes of scalars, and their hash.
#include <xxhash.h>

#include <cstring>

#include "runtime/value/helpers.h"

namespace {

constexpr std::uint64_t kSign = 1ull << 63;

inline void store_big(char* p, std::uint64_t value) {
  value = __builtin_bswap64(value);
  std::memcpy(p, &value, 8);
}

inline std::uint64_t load_big(const char* p) {
  std::uint64_t value;
  std::memcpy(&value, p, 8);
  return __builtin_bswap64(value);
}

}  // namespace

extern "C" {

char* weir_key_put_bool(char* p, int32_t value) {
  *p = value != 0 ? 1 : 0;
  return p + 1;
}

char* weir_key_put_int(char* p, int64_t value) {
  store_big(p, static_cast<std::uint64_t>(value) ^ kSign);
  return p + 8;
}

char* weir_key_put_i128(char* p, weir_i128 value) {
  store_big(p, static_cast<std::uint64_t>(value >> 64) ^ kSign);
  store_big(p + 8, static_cast<std::uint64_t>(value));
  return p + 16;
}

char* weir_key_put_string(char* p, const char* data, uint64_t size) {
  const std::uint32_t length = __builtin_bswap32(static_cast<std::uint32_t>(size));
  std::memcpy(p, &length, 4);
  if (size != 0) {
    std::memcpy(p + 4, data, size);
  }
  return p + 4 + size;
}

const char* weir_key_get_bool(const char* p, uint8_t* out) {
  *out = static_cast<std::uint8_t>(*p);
  return p + 1;
}

const char* weir_key_get_int(const char* p, int64_t* out) {
  *out = static_cast<std::int64_t>(load_big(p) ^ kSign);
  return p + 8;
}

const char* weir_key_get_i128(const char* p, weir_i128* out) {
  const auto high = static_cast<std::int64_t>(load_big(p) ^ kSign);
  *out = static_cast<weir_i128>(static_cast<unsigned __int128>(static_cast<weir_i128>(high)) << 64 |
                                load_big(p + 8));
  return p + 16;
}

const char* weir_key_get_string(const char* p, weir_str* out) {
  std::uint32_t length;
  std::memcpy(&length, p, 4);
  *out = {p + 4, __builtin_bswap32(length)};
  return p + 4 + out->size;
}

uint64_t weir_hash(const char* data, uint64_t size) {
  return XXH3_64bits_withSeed(data, size, WEIR_HASH_SEED);
}

uint64_t weir_hash_seeded(const char* data, uint64_t size, uint64_t seed) {
  return XXH3_64bits_withSeed(data, size, seed);
}

}  // extern "C"
