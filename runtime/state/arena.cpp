#include "runtime/state/arena.h"

#include <algorithm>

namespace weir::state {

void Arena::grow(std::size_t at_least) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  std::size_t size = std::max(at_least, next_);
  next_ = std::min(next_ * 2, largest);
  chunks_.push_back(std::make_unique_for_overwrite<Unit[]>(size / sizeof(Unit)));
  cursor_ = chunks_.back()[0].bytes;
  left_ = size;
  bytes_ += size;
}

}  // namespace weir::state
