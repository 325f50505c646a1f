#include "runtime/value/scratch.h"

#include <cstdio>
#include <cstdlib>

namespace {

// In front of each block's first byte; its size keeps that byte 16-byte aligned.
struct alignas(16) Block {
  Block* older;
};

Block* block_of(char* begin) {
  return begin == nullptr ? nullptr : reinterpret_cast<Block*>(begin) - 1;
}

}  // namespace

extern "C" {

char* weir_scratch_grow(weir_worker* worker, uint64_t size) {
  weir_arena& arena = worker->scratch;
  const auto old_size = static_cast<uint64_t>(arena.end - arena.begin);
  uint64_t capacity = old_size * 2 > 65536 ? old_size * 2 : 65536;
  capacity = capacity > size ? capacity : (size + 65535) & ~65535ull;
  void* memory = std::malloc(sizeof(Block) + capacity);
  if (memory == nullptr) {
    std::fputs("out of memory\n", stderr);
    std::_Exit(1);
  }
  auto* block = static_cast<Block*>(memory);
  block->older = block_of(arena.begin);
  arena.begin = reinterpret_cast<char*>(block + 1);
  arena.cur = arena.begin;
  arena.end = arena.begin + capacity;
  return arena.cur;
}

void weir_scratch_free(weir_worker* worker) {
  for (Block* block = block_of(worker->scratch.begin); block != nullptr;) {
    Block* older = block->older;
    std::free(block);
    block = older;
  }
  worker->scratch = {};
}

}  // extern "C"
