#include "runtime/exec/input_buffer.h"

#include <algorithm>
#include <cstring>

#include "runtime/value/helpers.h"

namespace weir::exec {
namespace {

constexpr std::size_t head_size = 1024;

}  // namespace

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

void StandIn::set(std::string_view head) {
  head = head.substr(0, head_size);
  if (!bytes_) bytes_ = std::make_unique<char[]>(head_size + 2 + WEIR_INPUT_PADDING);
  std::memcpy(bytes_.get(), head.data(), head.size());
  // Line ends and quotes would frame it otherwise; the last byte is never valid UTF-8.
  std::replace_if(
      bytes_.get(), bytes_.get() + head.size(), [](char c) { return c == '\n' || c == '\r' || c == '"'; },
      ' ');
  bytes_[head.size()] = '\xff';
  bytes_[head.size() + 1] = '\n';
  size_ = head.size() + 2;
}

}  // namespace weir::exec
