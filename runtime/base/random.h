#pragma once

#include <cstdint>
#include <string>

namespace weir::base {

/// The only source of randomness. Nothing that reaches an output may depend on it. Any thread.
class Random {
 public:
  virtual ~Random() = default;
  virtual std::uint64_t next() = 0;
};

/// The kernel's generator.
class SystemRandom final : public Random {
 public:
  std::uint64_t next() override;
};

/// A fixed sequence for a seed (splitmix64). For tests; one thread.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() override;

 private:
  std::uint64_t state_;
};

/// A version 4 UUID in its usual text form, lower case.
std::string make_uuid(Random& random);

}  // namespace weir::base
