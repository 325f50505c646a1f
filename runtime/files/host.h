#pragma once

#include "runtime/base/clock.h"
#include "runtime/base/logger.h"
#include "runtime/base/random.h"
#include "runtime/files/failpoints.h"
#include "runtime/files/files.h"

namespace weir::files {

/// What a process has from outside, made once in main() and handed down. Everything outlives its users. Any thread,
/// except `random`, which is for the coordinator.
struct Host {
  Files& files;
  Failpoints& failpoints;
  base::Clock& clock;
  base::Random& random;
  base::Logger& logger;
};

}  // namespace weir::files
