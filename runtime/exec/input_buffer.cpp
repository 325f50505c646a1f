#include "runtime/exec/input_buffer.h"

#include <algorithm>
#include <cstring>

#include "runtime/value/helpers.h"

namespace weir::exec {
void InputBuffer::release() {
  memory_.reset();
  capacity_ = begin_ = end_ = 0;
}

InputBuffer::Space InputBuffer::space() {
  std::size_t unread = end_ - begin_;
  if (capacity_ - end_ < read_size_) {
    if (capacity_ < unread + read_size_) {
      std::size_t capacity = std::max(capacity_ * 2, unread + read_size_);
      auto memory = std::make_unique_for_overwrite<char[]>(capacity + WEIR_INPUT_PADDING);
      if (unread) std::memcpy(memory.get(), memory_.get() + begin_, unread);
      std::memset(memory.get() + capacity, 0, WEIR_INPUT_PADDING);
      memory_ = std::move(memory);
      capacity_ = capacity;
    } else {
      std::memmove(memory_.get(), memory_.get() + begin_, unread);
    }
    begin_ = 0;
    end_ = unread;
  }
  return {memory_.get() + end_, capacity_ - end_};
}

void StandIn::set(std::string_view record) {
  head_ = record.substr(0, head_size);
  // Never valid UTF-8, and one line in every format.
  constexpr std::string_view line = "\xff\n";
  if (!bytes_) bytes_ = std::make_unique<char[]>(line.size() + WEIR_INPUT_PADDING);
  std::memcpy(bytes_.get(), line.data(), line.size());
  size_ = line.size();
}

}  // namespace weir::exec
