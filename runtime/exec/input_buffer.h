#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weir::exec {

/// A record may have this many bytes; a longer one is a record error.
inline constexpr std::uint64_t longest_record = 16 << 20;
/// What is kept of a longer one.
inline constexpr std::size_t head_size = 1024;

/// Bytes read and not yet consumed, in one piece, with WEIR_INPUT_PADDING readable bytes behind them. Reused for the
/// whole split. One thread.
class InputBuffer {
 public:
  /// `read_size`: bytes asked for at once.
  explicit InputBuffer(std::size_t read_size) : read_size_(read_size) {}

  std::string_view unread() const { return {memory_.get() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes) { begin_ += bytes; }
  void clear() { begin_ = end_ = 0; }
  /// Gives the memory back.
  void release();

  struct Space {
    char* data;
    std::size_t size;
  };
  /// Room for the next read; invalidates views.
  Space space();
  void filled(std::size_t bytes) { end_ += bytes; }

 private:
  std::size_t read_size_;
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// What stands for a record that is too long: a line that no decoder accepts. The record's first bytes are kept apart.
class StandIn {
 public:
  /// `record`: the record's begin.
  void set(std::string_view record);
  void clear() { size_ = 0; }
  /// The record's first bytes, at most `head_size`.
  std::string_view head() const { return head_; }
  bool active() const { return size_ > 0; }
  const char* data() const { return bytes_.get(); }
  const char* end() const { return bytes_.get() + size_; }

 private:
  std::string head_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

}  // namespace weir::exec
