#include "runtime/base/random.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <cstdlib>

namespace weir::base {

std::uint64_t SystemRandom::next() {
  std::uint64_t value;
  // A request of at most 256 bytes is never cut short once the generator is seeded.
  if (getrandom(&value, sizeof value, 0) != sizeof value) std::abort();
  return value;
}

std::uint64_t SeededRandom::next() {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t value = state_;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

std::string make_uuid(Random& random) {
  std::uint64_t high = (random.next() & ~0xf000ull) | 0x4000ull;
  std::uint64_t low = (random.next() & ~(3ull << 62)) | (2ull << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xffff,
                     low >> 48, low & 0xffffffffffff);
}

}  // namespace weir::base
