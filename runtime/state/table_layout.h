#pragma once

#include <stdint.h>

#include "runtime/abi/abi.h"

/// The memory of keyed state as both the runtime and the inlined helper see it: plain C, no behaviour.
/// A table holds one slice per window; a slice is an open-addressing table of rows that are never moved.

/// 16-byte aligned; the accumulators follow at once, then the key bytes.
struct weir_row {
  uint64_t hash;
  weir_row* next_dirty;  // next row of the slice that changed in this epoch
  uint32_t key_size;
  uint32_t epoch;  // weir_table.epoch when it last changed
  uint64_t reserved;
};

struct weir_slot {
  uint64_t hash;
  weir_row* row;  // null: free
};

struct weir_slice {
  int64_t start;
  weir_slot* slots;  // mask + 1 of them, a power of two
  uint64_t mask;
  uint64_t count;
  uint64_t limit;   // grow when count reaches it
  weir_row* dirty;  // rows that changed in this epoch, newest first
};

enum { WEIR_SLICE_CACHE = 64 };

struct weir_table {
  weir_slice* current;  // of the last upsert
  uint32_t state_size;
  uint32_t epoch;
  weir_slice* cache[WEIR_SLICE_CACHE];  // by weir_slice_place(window start); null or any slice of that place
};

inline uint32_t weir_slice_place(int64_t window_start) {
  return static_cast<uint32_t>((static_cast<uint64_t>(window_start) * 0x9e3779b97f4a7c15ull) >> 58);
}

inline char* weir_row_accumulators(weir_row* row) {
  return reinterpret_cast<char*>(row) + sizeof(weir_row);
}
inline char* weir_row_key(weir_row* row, uint32_t state_size) {
  return weir_row_accumulators(row) + state_size;
}

extern "C" {
/// Hints of generated code: the row of this key will be wanted soon. The first brings its place in the table near, the
/// second, some time later, the row itself. In bitcode.
void weir_table_prefetch(weir_table* table, int64_t window_start, uint64_t hash);
void weir_table_prefetch_row(weir_table* table, int64_t window_start, uint64_t hash);
/// Finds or makes the slice of a window.
weir_slice* weir_table_find_slice(weir_table* table, int64_t window_start);
/// Adds a row that is not there, with zero accumulators, unmarked.
weir_row* weir_table_insert(weir_table* table, weir_slice* slice, uint64_t hash, const char* key,
                            uint64_t key_size);
}
