#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::state {

/// The name of a state row in the store: operator id (u32 big endian), window end (i64 big endian, sign flipped), key
/// group (u16 big endian), canonical key bytes. Rows of one window and group are together, in key order.
struct RowKey {
  std::uint32_t operator_id = 0;
  std::int64_t window_end = 0;
  std::uint16_t group = 0;
  std::string_view key;
};

inline constexpr std::size_t row_key_prefix = 14;

void append_row_key(std::string& out, const RowKey& key);
/// No value: too short. The view points into `bytes`.
std::optional<RowKey> parse_row_key(std::string_view bytes);

}  // namespace weir::state
