#include "runtime/base/clock.h"

#include <chrono>

namespace weir::base {

using std::chrono::duration_cast;
using std::chrono::microseconds;

std::int64_t SystemClock::wall_us() {
  return duration_cast<microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::int64_t SystemClock::steady_us() {
  return duration_cast<microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace weir::base
