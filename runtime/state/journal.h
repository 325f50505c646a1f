#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/state/delta.h"

namespace weir::state {

/// What changed in the epochs after a checkpoint, one entry per epoch, appended to one file beside the checkpoint's.
/// Integers are little endian. Entry: length of what follows (u64), epoch (u64), number of ranges (u64), number of
/// rows (u64); per range two texts, from and to; per row two texts, key and value. A text: its length (u32), its
/// bytes. Whether an entry is whole is not told by the file: the manifest has the decided length and its checksum.
void append_entry(std::string& out, std::uint64_t epoch, std::span<const Delta> deltas);

/// What append_entry will add, at most.
std::uint64_t entry_size(std::span<const Delta> deltas);

/// Takes what the entries say, in order: of each entry first the ranges, then the rows.
struct EntryVisitor {
  std::function<void(std::string_view from, std::string_view to)> dropped;
  std::function<void(std::string_view key, std::string_view value)> row;
  std::function<void()> entry_done;
};
/// False: not whole entries. What came before was handed over.
bool read_entries(std::string_view journal, const EntryVisitor& visitor);

}  // namespace weir::state
