#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace weir::state {

/// Memory in growing chunks, freed as a whole. What it gives is 16-byte aligned, never moved, not initialised.
class Arena {
 public:
  char* allocate(std::size_t size) {
    size = (size + 15) & ~std::size_t{15};
    if (size > left_) grow(size);
    char* given = cursor_;
    cursor_ += size;
    left_ -= size;
    return given;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void grow(std::size_t at_least);

  struct alignas(16) Unit {
    char bytes[16];
  };
  char* cursor_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_ = 1024;
  std::size_t bytes_ = 0;
  std::vector<std::unique_ptr<Unit[]>> chunks_;
};

}  // namespace weir::state
