// Where values stand in memory: the C layouts of runtime/abi/abi.h for Weir's types. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/types/type.h"

namespace weir::lower {

struct Layout {
  std::uint64_t size = 0;  // bytes of a slot, a multiple of `align`
  std::uint64_t align = 1;
};

Layout layout_of(const types::Type& type);

// Offset of each field in a record's slot.
std::vector<std::uint64_t> field_offsets(const types::Type& record);
std::uint64_t field_offset(const types::Type& record, int index);

// T? : offset of the presence byte. The value stands at offset 0.
std::uint64_t presence_offset(const types::Type& optional);

// map<string, T>: an entry is {weir_str key; T value}.
Layout map_entry_layout(const types::Type& map);
std::uint64_t map_value_offset(const types::Type& map);

// Decimals of up to 18 digits stand in 64 bits, others in 128.
inline bool is_wide(const types::Type& decimal) {
  return decimal.precision > 18;
}

inline std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

}  // namespace weir::lower
