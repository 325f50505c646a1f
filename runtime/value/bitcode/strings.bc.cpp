// Comparison of strings, the scratch arena, look-up in maps.
#include <cstring>

#include "runtime/value/helpers.h"

extern "C" {

int32_t weir_string_equal(const char* a, uint64_t a_size, const char* b, uint64_t b_size) {
  return a_size == b_size && (a_size == 0 || std::memcmp(a, b, a_size) == 0) ? 1 : 0;
}

int32_t weir_string_compare(const char* a, uint64_t a_size, const char* b, uint64_t b_size) {
  const std::uint64_t common = a_size < b_size ? a_size : b_size;
  const int order = common == 0 ? 0 : std::memcmp(a, b, common);
  return order != 0 ? order : (a_size > b_size ? 1 : 0) - (a_size < b_size ? 1 : 0);
}

void* weir_scratch_take(weir_worker* worker, uint64_t size) {
  const std::uint64_t rounded = (size + 15) & ~15ull;
  auto* p = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(worker->scratch.cur) + 15) &
                                    ~std::uintptr_t{15});
  if (p > worker->scratch.end || static_cast<std::uint64_t>(worker->scratch.end - p) < rounded) {
    p = weir_scratch_grow(worker, rounded);
  }
  worker->scratch.cur = p + rounded;
  return p;
}

void weir_string_concat(weir_worker* worker, weir_str* result, const weir_str* parts, uint64_t count) {
  std::uint64_t size = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    size += parts[i].size;
  }
  auto* begin = static_cast<char*>(weir_scratch_take(worker, size));
  char* p = begin;
  for (std::uint64_t i = 0; i < count; ++i) {
    p = weir_put_bytes(p, parts[i].data, parts[i].size);
  }
  *result = {begin, size};
}

const void* weir_map_find(const void* entries, uint64_t count, uint32_t entry_size, uint32_t value_offset,
                          const char* key, uint64_t key_size) {
  const auto* base = static_cast<const char*>(entries);
  std::uint64_t low = 0, high = count;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    const char* entry = base + middle * entry_size;
    weir_str name;
    std::memcpy(&name, entry, sizeof name);
    const std::int32_t order = weir_string_compare(name.data, name.size, key, key_size);
    if (order == 0) {
      return entry + value_offset;
    }
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

}  // extern "C"
