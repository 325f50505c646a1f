#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/exec/attempt.h"

namespace weir::entry {

/// Waits for SIGTERM and SIGINT on a thread of its own. The first asks for a stop; a second one, or the end of
/// `stop_within`, ends the process with code 1 and says what it was waiting for. Made before any other thread.
class Signals {
 public:
  Signals(exec::StopRequest& stop, const exec::Phase& phase, std::int64_t stop_within_us);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  void wait();
  [[noreturn]] void give_up(const char* why);

  exec::StopRequest& stop_;
  const exec::Phase& phase_;
  std::int64_t stop_within_us_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace weir::entry
