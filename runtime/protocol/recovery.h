#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/protocol/slot.h"

namespace weir::protocol {

/// A decided delivery that no slot acknowledges.
struct PendingFile {
  std::string sink;
  std::string target;
  StagedFile file;
  friend bool operator==(const PendingFile&, const PendingFile&) = default;
};

/// What the slots say, and so what a start has to do.
struct Recovery {
  std::optional<Manifest> manifest;  // the newest decision; absent: start from the beginning
  std::string pipeline;              // empty: the log is empty
  std::string lineage;
  bool ended = false;                 // the newest decision's input came to its end and all is acknowledged
  std::uint64_t last_slot = 0;        // 0: the log is empty
  std::vector<PendingFile> pending;   // in delivery order, rolled and open ones
  std::vector<std::uint64_t> epochs;  // decided and retained, ascending

  std::uint64_t next_epoch() const { return manifest ? manifest->epoch + 1 : 1; }
};

/// `slots`: all from the oldest needed one to the newest, ascending. Failure: payload_invalid if they cannot have
/// been written by this protocol (a gap, an epoch out of order, a decision by a generation that is not the newest).
Result<Recovery> decide_recovery(std::span<const Slot> slots);

/// The oldest slot that must be kept once the next slot is written, if `keep` decided epochs stay restorable (at
/// least 1). With `deciding` the next slot is itself a decision and counts as one of them.
std::uint64_t oldest_needed(std::span<const Slot> slots, std::uint32_t keep, bool deciding);

}  // namespace weir::protocol
