#pragma once

#include <cstdint>

namespace weir::base {

/// The only way to ask for the time. Implementations may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Microseconds since 1970-01-01T00:00:00Z; may jump.
  virtual std::int64_t wall_us() = 0;
  /// Microseconds since an arbitrary moment; never goes back.
  virtual std::int64_t steady_us() = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t wall_us() override;
  std::int64_t steady_us() override;
};

/// Stands still until it is moved. For tests.
class ManualClock final : public Clock {
 public:
  std::int64_t wall_us() override { return now_; }
  std::int64_t steady_us() override { return now_; }
  void advance_us(std::int64_t by) { now_ += by; }

 private:
  std::int64_t now_ = 1'700'000'000'000'000;
};

}  // namespace weir::base
