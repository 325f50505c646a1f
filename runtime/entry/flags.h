#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/exec/options.h"
#include "runtime/exec/plan.h"

namespace weir::entry {

/// What was said on the command line. A flag beats the script; what is not given is absent.
struct Flags {
  std::string state_folder;
  bool fresh = false;
  bool replace_output = false;
  bool take_over = false;
  bool verify_input = false;
  std::vector<std::pair<std::string, std::string>> params;    // --set-file first, then --set
  std::vector<std::pair<std::string, std::string>> bindings;  // --bind
  std::uint32_t parallelism = 1;
  exec::CheckpointMode checkpoint = exec::CheckpointMode::time;
  std::int64_t checkpoint_every_us = 0;
  std::uint64_t checkpoint_records = 0;
  std::uint64_t journal_epochs = exec::RunOptions{}.journal_epochs;  // WEIR_JOURNAL_EPOCHS, for tests
  std::uint64_t lane_bytes = exec::RunOptions{}.lane_bytes;          // for tests
  bool until_end = false;
  bool drain = false;
  std::int64_t stop_within_us = 60'000'000;
  bool guarantees = false;
  bool plan = false;                          // print the plan and leave
  std::string redirect_sinks;                 // folder; each sink goes to a folder of its name in it
  std::optional<std::int64_t> roll_every_us;  // instead of each sink's own
  std::string summary_file;
};

struct ParsedFlags {
  Flags flags;
  std::optional<int> exit;  // nothing is to be run: the code to leave with (after --help, or bad use)
};

/// Writes help to standard output and complaints to standard error.
ParsedFlags parse_flags(int count, const char* const* arguments, const exec::Plan& plan);

/// "250ms", "10us", "5s", "1m", "2h", "1d" in microseconds.
std::optional<std::int64_t> parse_duration(const std::string& text);

}  // namespace weir::entry
