#include "runtime/state/table_layout.h"

namespace {

inline uint64_t word_at(const char* at) {
  uint64_t word;
  __builtin_memcpy(&word, at, sizeof word);
  return word;
}

// Keys are short: a call would cost more than the comparison.
inline bool equal_keys(const char* a, const char* b, uint64_t size) {
  if (size < 8) {
    for (uint64_t at = 0; at < size; ++at)
      if (a[at] != b[at]) return false;
    return true;
  }
  for (uint64_t at = 0; at + 8 < size; at += 8)
    if (word_at(a + at) != word_at(b + at)) return false;
  return word_at(a + size - 8) == word_at(b + size - 8);
}

inline weir_slice* known_slice(weir_table* table, int64_t window_start) {
  weir_slice* slice = table->cache[weir_slice_place(window_start)];
  return slice != nullptr && slice->start == window_start ? slice : nullptr;
}

}  // namespace

extern "C" void weir_table_prefetch(weir_table* table, int64_t window_start, uint64_t hash) {
  if (weir_slice* slice = known_slice(table, window_start))
    __builtin_prefetch(&slice->slots[hash & slice->mask], 0);
}

extern "C" void weir_table_prefetch_row(weir_table* table, int64_t window_start, uint64_t hash) {
  weir_slice* slice = known_slice(table, window_start);
  if (slice == nullptr) return;
  if (weir_row* row = slice->slots[hash & slice->mask].row) {
    __builtin_prefetch(row, 1);
    __builtin_prefetch(reinterpret_cast<char*>(row) + 48, 1);
  }
}

extern "C" void* weir_table_upsert(weir_table* table, int64_t window_start, uint64_t hash, const char* key,
                                   uint64_t key_size) {
  weir_slice* slice = table->cache[weir_slice_place(window_start)];
  if (__builtin_expect(slice == nullptr || slice->start != window_start, 0))
    slice = weir_table_find_slice(table, window_start);
  table->current = slice;
  weir_row* row;
  for (uint64_t at = hash & slice->mask;; at = (at + 1) & slice->mask) {
    weir_slot& slot = slice->slots[at];
    row = slot.row;
    if (row == nullptr) {
      row = weir_table_insert(table, slice, hash, key, key_size);
      break;
    }
    if (slot.hash == hash && row->key_size == key_size &&
        equal_keys(weir_row_key(row, table->state_size), key, key_size))
      break;
  }
  if (row->epoch != table->epoch) {
    row->epoch = table->epoch;
    row->next_dirty = slice->dirty;
    slice->dirty = row;
  }
  return weir_row_accumulators(row);
}
