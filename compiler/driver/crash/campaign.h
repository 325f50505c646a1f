// Kills a program at every crash point, recovers it, and compares what it published with an undisturbed run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/driver/crash/matrix.h"

namespace weir::driver::crash {

// One way in which a crash treats what was not synced, and how often files roll.
struct Mode {
  std::string name;    // "kept, roll each epoch"
  bool lossy = false;  // what was not synced is lost, as in a power cut
  bool roll_each = false;
};

struct Plan {
  std::string app;                 // the built program
  std::vector<std::string> flags;  // passed to every run: --bind, --set, --parallelism
  std::vector<std::string> sinks;  // file sinks by name
  Features features;
  std::string folder;                    // scratch, exists
  std::uint64_t checkpoint_records = 0;  // 0: a tenth of the input
  bool quick = false;  // one occurrence per point; two of the four modes, which differ in both respects
  unsigned jobs = 2;   // runs at a time
  std::chrono::seconds limit{60};  // for one run
};

struct PointResult {
  std::string point;
  std::string step;
  bool applies = false;       // the program can reach it
  std::uint64_t crashes = 0;  // real kills there
  std::uint64_t passed = 0;
};

struct Failure {
  std::string what;       // "decide_linked_a@4, unsynced lost, roll each epoch"
  std::string found;      // the difference, or how the run ended
  std::string reproduce;  // command lines
};

struct Report {
  std::string refusal;  // nonempty: nothing could be tested, and why
  std::uint64_t records = 0;
  std::uint64_t rows = 0;  // of the undisturbed run
  std::uint64_t epochs = 0;
  std::uint64_t checkpoint_records = 0;
  std::vector<PointResult> points;
  std::vector<Failure> failures;
  bool passed() const;  // every point that applies was hit and every comparison was equal
};

// `progress` is called from several threads, one at a time, with a line for a terminal.
Report run_campaign(const Plan& plan, const std::function<void(const std::string&)>& progress);

}  // namespace weir::driver::crash
