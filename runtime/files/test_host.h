#pragma once

#include <memory>
#include <utility>

#include "runtime/files/host.h"

namespace weir::files {

/// A host for tests: given files, a clock that stands, a fixed random sequence, messages kept.
struct TestHost {
  explicit TestHost(std::unique_ptr<Files> files_to_use, std::uint64_t seed = 1,
                    std::unique_ptr<Failpoints> points = std::make_unique<Failpoints>())
      : files(std::move(files_to_use)), failpoints(std::move(points)), random(seed) {}

  std::unique_ptr<Files> files;
  std::unique_ptr<Failpoints> failpoints;
  base::ManualClock clock;
  base::SeededRandom random;
  base::MemoryLogger logger;
  Host host{*files, *failpoints, clock, random, logger};
};

}  // namespace weir::files
