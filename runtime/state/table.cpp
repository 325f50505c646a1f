#include "runtime/state/table.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include "runtime/state/row_key.h"
#include "runtime/value/key_order.h"

namespace weir::state {
namespace {

constexpr std::size_t first_slots = 16;

std::string_view key_of(const weir_state_row& row) {
  return {row.key, row.key_size};
}

}  // namespace

Table::Table(TableShape shape) : shape_(std::move(shape)) {
  static_assert(offsetof(Handle, table) == 0);
  handle_.owner = this;
  handle_.table.state_size = shape_.state_size;
  handle_.table.epoch = 1;
}

std::int64_t Table::window_end(std::int64_t start) const {
  return shape_.window_size == 0 ? std::numeric_limits<std::int64_t>::max() : start + shape_.window_size;
}

std::size_t Table::rows() const {
  std::size_t sum = 0;
  for (const auto& [start, slice] : slices_) sum += slice->head.count;
  return sum;
}

std::size_t Table::bytes() const {
  std::size_t sum = 0;
  for (const auto& [start, slice] : slices_)
    sum += slice->arena.bytes() + slice->slots.size() * sizeof(weir_slot);
  return sum;
}

Table::Slice& Table::slice(std::int64_t start) {
  std::unique_ptr<Slice>& found = slices_[start];
  if (!found) {
    found = std::make_unique<Slice>();
    found->slots.resize(first_slots);
    found->head = {start, found->slots.data(), first_slots - 1, 0, first_slots / 4 * 3, nullptr};
  }
  handle_.table.cache[weir_slice_place(start)] = &found->head;
  return *found;
}

void Table::place(Slice& slice, weir_row* row) {
  std::uint64_t at = row->hash & slice.head.mask;
  while (slice.slots[at].row) at = (at + 1) & slice.head.mask;
  slice.slots[at] = {row->hash, row};
}

void Table::grow(Slice& slice) {
  std::vector<weir_slot> old = std::move(slice.slots);
  slice.slots.assign(old.size() * 2, weir_slot{});
  slice.head.slots = slice.slots.data();
  slice.head.mask = slice.slots.size() - 1;
  slice.head.limit = slice.slots.size() / 4 * 3;
  for (const weir_slot& slot : old)
    if (slot.row) place(slice, slot.row);
}

bool Table::close_until(std::int64_t watermark, const Close& close) {
  std::vector<weir_state_row> rows;
  while (!slices_.empty() && window_end(slices_.begin()->first) <= watermark) {
    auto at = slices_.begin();
    Slice& slice = *at->second;
    rows.clear();
    rows.reserve(slice.head.count);
    for (const weir_slot& slot : slice.slots)
      if (slot.row)
        rows.push_back(
            {weir_row_key(slot.row, shape_.state_size), slot.row->key_size, weir_row_accumulators(slot.row)});
    value::sort_by_key(rows, key_of);
    std::span<const weir_state_row> left(rows);
    while (!left.empty()) {
      auto part = left.first(std::min(left.size(), close_batch));
      if (!close(at->first, part)) return false;
      left = left.subspan(part.size());
    }
    drop(at);
  }
  return true;
}

void Table::drop(std::map<std::int64_t, std::unique_ptr<Slice>>::iterator at) {
  weir_slice* head = &at->second->head;
  weir_slice*& cached = handle_.table.cache[weir_slice_place(at->first)];
  if (cached == head) cached = nullptr;
  if (handle_.table.current == head) handle_.table.current = nullptr;
  if (at->second->stored) {
    Delta::Range range;
    RowKey key{shape_.operator_id, window_end(at->first), static_cast<std::uint16_t>(shape_.first_group), {}};
    append_row_key(range.from, key);
    key.group = static_cast<std::uint16_t>(shape_.last_group);
    append_row_key(range.to, key);
    dropped_.push_back(std::move(range));
  }
  slices_.erase(at);
}

void Table::append_value(std::string& out, const char* accumulators) const {
  std::size_t begin = out.size();
  out.append(accumulators, shape_.state_size);
  for (std::uint32_t offset : shape_.string_offsets) {
    weir_str text;
    std::memcpy(&text, accumulators + offset, sizeof text);
    // A pointer means nothing in the store: 1 where there was one, else 0.
    std::uint64_t present = text.data != nullptr;
    std::memcpy(out.data() + begin + offset, &present, sizeof present);
    auto size = static_cast<std::uint32_t>(text.size);
    out.append(reinterpret_cast<const char*>(&size), sizeof size);
    out.append(text.data ? text.data : "", size);
  }
}

void Table::take_delta(Delta& out) {
  for (auto& [start, slice] : slices_) {
    if (!slice->head.dirty) continue;
    slice->stored = true;
    RowKey key{shape_.operator_id, window_end(start), 0, {}};
    for (weir_row* row = slice->head.dirty; row; row = row->next_dirty) {
      std::uint64_t offset = out.bytes.size();
      key.group = static_cast<std::uint16_t>(WEIR_KEY_GROUP(row->hash));
      key.key = {weir_row_key(row, shape_.state_size), row->key_size};
      append_row_key(out.bytes, key);
      std::size_t key_end = out.bytes.size();
      append_value(out.bytes, weir_row_accumulators(row));
      out.rows.push_back({offset, static_cast<std::uint32_t>(key_end - offset),
                          static_cast<std::uint32_t>(out.bytes.size() - key_end)});
    }
    slice->head.dirty = nullptr;
  }
  out.dropped.insert(out.dropped.end(), std::make_move_iterator(dropped_.begin()),
                     std::make_move_iterator(dropped_.end()));
  dropped_.clear();
  ++handle_.table.epoch;
}

bool Table::restore(std::int64_t window_end, std::uint64_t hash, std::string_view key,
                    std::string_view value) {
  std::int64_t start = shape_.window_size == 0 ? 0 : window_end - shape_.window_size;
  if (value.size() < shape_.state_size) return false;
  Slice& target = slice(start);
  target.stored = true;
  weir_row* row = weir_table_insert(&handle_.table, &target.head, hash, key.data(), key.size());
  char* accumulators = weir_row_accumulators(row);
  std::memcpy(accumulators, value.data(), shape_.state_size);
  value.remove_prefix(shape_.state_size);
  for (std::uint32_t offset : shape_.string_offsets) {
    std::uint32_t size = 0;
    if (value.size() < sizeof size) return false;
    std::memcpy(&size, value.data(), sizeof size);
    value.remove_prefix(sizeof size);
    if (value.size() < size) return false;
    weir_str text;
    std::memcpy(&text, accumulators + offset, sizeof text);
    if (text.data) {
      char* kept = target.arena.allocate(std::max<std::size_t>(size, 1));
      std::memcpy(kept, value.data(), size);
      text = {kept, size};
      std::memcpy(accumulators + offset, &text, sizeof text);
    }
    value.remove_prefix(size);
  }
  return value.empty();
}

}  // namespace weir::state

using weir::state::Table;

extern "C" weir_slice* weir_table_find_slice(weir_table* table, std::int64_t window_start) {
  return &Table::of(table).slice(window_start).head;
}

extern "C" weir_row* weir_table_insert(weir_table* table, weir_slice* slice, std::uint64_t hash,
                                       const char* key, std::uint64_t key_size) {
  static_assert(sizeof(weir_row) % 16 == 0);
  Table& owner = Table::of(table);
  auto& target = *reinterpret_cast<Table::Slice*>(slice);
  if (slice->count >= slice->limit) owner.grow(target);
  auto* row =
      reinterpret_cast<weir_row*>(target.arena.allocate(sizeof(weir_row) + table->state_size + key_size));
  *row = {hash, nullptr, static_cast<std::uint32_t>(key_size), 0, 0};
  std::memset(weir_row_accumulators(row), 0, table->state_size);
  std::memcpy(weir_row_key(row, table->state_size), key, key_size);
  owner.place(target, row);
  ++slice->count;
  return row;
}

extern "C" weir_str weir_table_keep(weir_table* table, const char* data, std::uint64_t size) {
  auto& slice = *reinterpret_cast<Table::Slice*>(table->current);
  char* kept = slice.arena.allocate(size ? size : 1);
  std::memcpy(kept, data, size);
  return {kept, size};
}
