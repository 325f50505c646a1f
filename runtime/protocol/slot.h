#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/protocol/manifest.h"

namespace weir::protocol {

/// The numbers are on disk.
enum class SlotKind : std::uint32_t { fence = 1, plan = 2, decide = 3, ack = 4, ended = 5, amend = 6 };
std::string_view to_string(SlotKind kind);

/// A new generation begins; the generation is the number of the fence's slot.
struct Fence {
  std::string pipeline;
  std::string lineage;
  std::string fingerprint;  // of the program
  std::string weir;         // version
  std::string reason;       // "start", "take-over", "recovery"
  std::uint64_t pid = 0;
  std::string host;
  std::int64_t started_us = 0;  // wall clock, for people only
  friend bool operator==(const Fence&, const Fence&) = default;
};

/// A delivery that the target holds for good.
struct Acknowledged {
  std::string sink;
  std::string name;  // StagedFile::name
  friend bool operator==(const Acknowledged&, const Acknowledged&) = default;
};

struct Ack {
  std::uint64_t epoch = 0;  // the newest decided one
  std::vector<Acknowledged> files;
  friend bool operator==(const Ack&, const Ack&) = default;
};

/// Bounded input came to its end, and everything is acknowledged.
struct Ended {
  std::uint64_t epoch = 0;
  friend bool operator==(const Ended&, const Ended&) = default;
};

/// Deliveries that somebody settled by hand: they count as acknowledged.
struct Amend {
  std::uint64_t epoch = 0;
  std::string reason;
  std::vector<Acknowledged> accepted;
  friend bool operator==(const Amend&, const Amend&) = default;
};

using Body = std::variant<Fence, Manifest, Ack, Ended, Amend>;

struct Slot {
  std::uint64_t number = 0;  // from 1
  std::uint64_t generation = 0;
  std::uint64_t oldest = 0;  // the oldest slot that is still needed; lower ones may be gone
  Body body;
  friend bool operator==(const Slot&, const Slot&) = default;
};

SlotKind kind_of(const Body& body);

/// The payload of a slot and back. Number and kind stand in the frame.
std::string payload_text(const Slot& slot);
Result<Slot> parse_payload(std::uint64_t number, SlotKind kind, std::string_view text);

}  // namespace weir::protocol
