#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"

namespace weir::files {

/// A named place in a step where a crash is tested. Rows: runtime/protocol/failpoints.def.
enum class Failpoint : std::uint16_t {
#define WEIR_FAILPOINT(name, step, when, needs, recovery) name,
#include "runtime/protocol/failpoints.def"
#undef WEIR_FAILPOINT
};

struct FailpointInfo {
  Failpoint point;
  std::string_view name;
  std::string_view step;      // of the epoch, of the start or of the end
  std::string_view when;      // the place within the step
  std::string_view needs;     // what a program or run must have to reach it, words apart by spaces
  std::string_view recovery;  // what the next start does
};

/// All rows in the order in which a run reaches them.
std::span<const FailpointInfo> failpoints();
std::optional<Failpoint> find_failpoint(std::string_view name);

enum class FailAction { kill, stop };

/// What to do where, as WEIR_FAILPOINT says it: "NAME@N" kills the process with SIGKILL at the Nth hit (from 1),
/// "NAME@N:stop" suspends it with SIGSTOP. Several orders are apart by commas.
struct FailOrder {
  Failpoint point;
  std::uint64_t hit = 1;
  FailAction action = FailAction::kill;
};
Result<FailOrder> parse_fail_order(std::string_view text);

/// Counts hits, writes them down, and carries out the order. One per process, handed to whatever has failpoints.
/// Any thread.
class Failpoints {
 public:
  /// Neither kills nor writes.
  Failpoints();
  /// `log_path` empty: no log. Otherwise every hit appends "NAME COUNT EPOCH\n" to that file with one write(2),
  /// before the order is carried out, so that it survives the kill.
  static Result<std::unique_ptr<Failpoints>> make(std::vector<FailOrder> orders, const std::string& log_path);
  /// WEIR_FAILPOINT and WEIR_FAILPOINT_LOG.
  static Result<std::unique_ptr<Failpoints>> from_environment();
  ~Failpoints();
  Failpoints(const Failpoints&) = delete;
  Failpoints& operator=(const Failpoints&) = delete;

  /// `epoch` is the epoch under way; 0 before the first.
  void hit(Failpoint point, std::uint64_t epoch);
  std::uint64_t hits(Failpoint point) const;

 private:
  std::vector<FailOrder> orders_;
  int log_ = -1;
  std::unique_ptr<std::atomic<std::uint64_t>[]> counts_;
};

}  // namespace weir::files
