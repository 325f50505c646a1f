#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::state {

/// What changed in state between two barriers, as the store keeps it. Made by a worker at a barrier, written by the
/// coordinator.
struct Delta {
  struct Row {
    std::uint64_t offset = 0;  // of the row's key in `bytes`; its value follows
    std::uint32_t key_size = 0;
    std::uint32_t value_size = 0;
  };
  struct Range {  // every stored key in [from, to) is gone
    std::string from;
    std::string to;
  };

  std::string bytes;
  std::vector<Row> rows;
  std::vector<Range> dropped;

  bool empty() const { return rows.empty() && dropped.empty(); }
  std::string_view key(const Row& row) const { return {bytes.data() + row.offset, row.key_size}; }
  std::string_view value(const Row& row) const {
    return {bytes.data() + row.offset + row.key_size, row.value_size};
  }
};

}  // namespace weir::state
