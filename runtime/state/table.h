#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/state/arena.h"
#include "runtime/state/delta.h"
#include "runtime/state/table_layout.h"

namespace weir::state {

/// How one operator's state rows look.
struct TableShape {
  std::uint32_t operator_id = 0;
  std::uint32_t state_size = 16;              // bytes of accumulators, a multiple of 16
  std::vector<std::uint32_t> string_offsets;  // of each weir_str in the accumulators whose bytes are state
  std::int64_t window_size = 0;               // microseconds; 0: no window, the one slice ends with the input
  std::uint32_t first_group = 0;              // this table owns [first_group, last_group)
  std::uint32_t last_group = WEIR_KEY_GROUPS;
};

/// Keyed state of one operator in one worker: per window a hash table that is dropped whole. One thread.
class Table {
 public:
  explicit Table(TableShape shape);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// What generated code and weir_table_upsert take.
  weir_table* handle() { return &handle_.table; }

  using Close = std::function<bool(std::int64_t window_start, std::span<const weir_state_row> rows)>;
  /// Hands over every window whose end is at or before `watermark`, ascending ends, rows by ascending key bytes, in
  /// spans of at most `close_batch` rows, and drops it. `close` may touch other tables, not this one. Returns false as
  /// soon as `close` does; what is left then is not to be used.
  bool close_until(std::int64_t watermark, const Close& close);
  static constexpr std::size_t close_batch = 1024;

  /// Appends what changed since the last call, and begins a new epoch of changes.
  void take_delta(Delta& out);

  /// Puts back a row as the store has it; unmarked. False: the value does not have this table's shape.
  bool restore(std::int64_t window_end, std::uint64_t hash, std::string_view key, std::string_view value);

  std::int64_t window_end(std::int64_t start) const;
  std::size_t windows() const { return slices_.size(); }
  std::size_t rows() const;
  std::size_t bytes() const;
  const TableShape& shape() const { return shape_; }

 private:
  friend weir_slice* ::weir_table_find_slice(weir_table*, std::int64_t);
  friend weir_row* ::weir_table_insert(weir_table*, weir_slice*, std::uint64_t, const char*, std::uint64_t);
  friend weir_str(::weir_table_keep)(weir_table*, const char*, std::uint64_t);

  struct Slice {
    weir_slice head{};
    std::vector<weir_slot> slots;
    Arena arena;
    bool stored = false;  // the store has rows of it
  };
  struct Handle {
    weir_table table{};
    Table* owner = nullptr;
  };

  Slice& slice(std::int64_t start);
  void grow(Slice& slice);
  void place(Slice& slice, weir_row* row);
  void append_value(std::string& out, const char* accumulators) const;
  void drop(std::map<std::int64_t, std::unique_ptr<Slice>>::iterator at);
  static Table& of(weir_table* table) { return *reinterpret_cast<Handle*>(table)->owner; }

  TableShape shape_;
  Handle handle_;
  std::map<std::int64_t, std::unique_ptr<Slice>> slices_;  // by window start
  std::vector<Delta::Range> dropped_;
};

}  // namespace weir::state
