#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/protocol/manifest.h"

namespace weir::outbox {

/// What a lane had staged when it passed a barrier.
struct LaneCut {
  std::uint32_t lane = 0;
  std::uint64_t counter = 0;  // newest file number of this generation in the lane; 0: none yet
  std::vector<protocol::StagedFile>
      files;               // what this epoch changed: a file rolled at this barrier, or the open one
  std::uint64_t rows = 0;  // of this epoch
  std::uint64_t bytes = 0;
};

enum class Roll { as_due, now };

/// One worker's way into one sink. Used by that worker's thread only.
class Lane {
 public:
  virtual ~Lane() = default;
  /// Final bytes of `count` whole rows. Failure ends the attempt.
  virtual Result<void> append(std::string_view rows, std::uint64_t count) = 0;
  /// At barrier `epoch`: everything appended so far belongs to it. Hands the bytes to the operating system, does not
  /// sync. `now` closes the file whatever its size and age (stop, end of input).
  virtual Result<LaneCut> cut(std::uint64_t epoch, Roll roll) = 0;
};

/// Who owns a target.
struct Claim {
  std::string pipeline;
  std::string lineage;
  bool replace_output = false;  // remove what another lineage of this pipeline published there, then own it
};

/// What a target shows of a delivery. Asking changes nothing.
enum class Peek { committed, not_committed, unknown };

/// A target. Order of calls: check, claim, fence, inspect, settle, then clean once the acknowledgements are in the log, then
/// open_lane once per worker, then per epoch prepare, deliver, forget. All by the coordinator, except that `prepare`
/// may run on another thread while lanes append.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual const std::string& name() const = 0;
  virtual std::string connector() const = 0;
  virtual std::string target() const = 0;

  /// Before any input is read: can this target be written? Failures name the setting and the fix.
  virtual Result<void> check() = 0;
  /// Does some run own this target already? Asking changes nothing.
  virtual Result<bool> is_claimed() = 0;
  /// Failure: foreign_target if another owner is named there.
  virtual Result<void> claim(const Claim& claim) = 0;
  /// Makes every earlier generation unable to publish.
  virtual Result<void> fence(std::uint64_t generation) = 0;
  virtual Result<Peek> peek(const protocol::StagedFile& file) = 0;
  /// Is everything in `state` there as it was decided, and nothing that was decided later? Writes nothing: all sinks are
  /// asked before one settles. `state.files` holds what is pending.
  virtual Result<void> inspect(const protocol::SinkState& state, std::uint64_t state_generation) = 0;
  /// Publishes everything that was inspected (rolled files as they are, of open ones the decided prefix), each once,
  /// whatever an earlier attempt did of it.
  virtual Result<void> settle(const protocol::SinkState& state) = 0;
  /// Removes what earlier generations left staged.
  virtual Result<void> clean() = 0;

  virtual Result<std::unique_ptr<Lane>> open_lane(std::uint32_t lane) = 0;
  /// Makes the cuts of one epoch durable.
  virtual Result<void> prepare(std::uint64_t epoch, std::span<const LaneCut> cuts) = 0;
  /// After the decision: publishes a rolled file; done already is success.
  virtual Result<void> deliver(std::uint64_t epoch, const protocol::StagedFile& file) = 0;
  /// After the acknowledgement is in the log: drops what was kept for another try.
  virtual Result<void> forget(std::uint64_t epoch, const protocol::StagedFile& file) = 0;
};

}  // namespace weir::outbox
