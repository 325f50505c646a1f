#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace weir::exec {

/// What travels through an exchange.
struct Message {
  enum class Kind { batch, watermark, barrier };
  Kind kind = Kind::batch;
  std::unique_ptr<char[]> rows;  // batch
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  std::int64_t watermark = 0;
  std::uint64_t epoch = 0;  // barrier
};

/// A worker's end of all exchanges: one FIFO per (operator, sending worker). `push` and `wake` by any thread, the rest
/// by the owner. One mutex, held for moments; nothing is called while it is held.
class Inbox {
 public:
  Inbox(std::size_t operators, std::size_t workers) : workers_(workers), channels_(operators * workers) {}

  void push(std::size_t operator_index, std::size_t from, Message message);
  void wake();

  struct Taken {
    std::size_t operator_index;
    std::size_t from;
    Message message;
  };
  /// The next message, deepest operator first, of a channel that is not blocked.
  std::optional<Taken> take();
  void block(std::size_t operator_index, std::size_t from);
  void unblock_all();

  /// Events from here on end the next `park` at once.
  void begin_round();
  void park(std::chrono::microseconds at_most);

 private:
  struct Channel {
    std::deque<Message> messages;
    bool blocked = false;
  };

  std::size_t workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool signalled_ = false;
  std::size_t waiting_ = 0;  // messages in all channels
  std::vector<Channel> channels_;
};

/// All inboxes of an attempt, and how many bytes each worker has sent that are not applied yet.
class Fabric {
 public:
  Fabric(std::size_t operators, std::size_t workers);

  std::size_t workers() const { return inboxes_.size(); }
  Inbox& inbox(std::size_t worker) { return *inboxes_[worker]; }
  void send(std::size_t from, std::size_t to, std::size_t operator_index, Message message);
  /// A batch of `bytes` that `from` had sent is applied.
  void applied(std::size_t from, std::uint64_t bytes);
  /// False: a source of this worker has to wait.
  /// Of lanes that have as much output as one epoch may have; while there is one, nobody reads input.
  void lane_full() { full_lanes_.fetch_add(1, std::memory_order_relaxed); }
  void lane_empty() {
    if (full_lanes_.fetch_sub(1, std::memory_order_relaxed) == 1) wake_all();
  }
  bool has_room(std::size_t worker) const {
    if (full_lanes_.load(std::memory_order_relaxed) > 0) return false;
    return sent_[worker].load(std::memory_order_relaxed) < soft_limit;
  }
  void wake_all();

  static constexpr std::int64_t soft_limit = 8 << 20;

 private:
  std::vector<std::unique_ptr<Inbox>> inboxes_;
  std::atomic<int> full_lanes_{0};
  std::vector<std::atomic<std::int64_t>> sent_;
};

}  // namespace weir::exec
