#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"

namespace weir::protocol {

/// Version of the slots' payloads. A reader refuses any other.
inline constexpr std::uint32_t format_version = 1;

/// "No event time yet" in times and watermarks.
inline constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

/// A file of a source as it was when it was discovered; the path only says where it was.
struct FileIdentity {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born_us = 0;       // 0: the file system does not keep it
  std::uint64_t size = 0;         // at the listing
  std::uint64_t head_length = 0;  // min(size, 4 KiB) at discovery
  std::uint64_t head_hash = 0;    // xxh3-64 of the head
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// How far a split was read at a barrier. `offset` and `ended` are the position.
struct SplitPosition {
  std::uint64_t ordinal = 0;
  std::uint64_t file = 0;    // index into the source's files: the file being read
  std::uint64_t offset = 0;  // bytes of that file
  bool ended = false;
  std::int64_t max_time =
      no_time;  // greatest event time so far, microseconds: the carried progress before lateness
  std::uint64_t records = 0;       // taken so far
  std::uint64_t guard_length = 0;  // min(offset, 64 KiB)
  std::uint64_t guard_hash = 0;    // xxh3-64 of the guard_length bytes before offset
  friend bool operator==(const SplitPosition&, const SplitPosition&) = default;
};

struct SourceState {
  std::string name;
  std::string fingerprint;
  std::vector<FileIdentity> files;  // in the order of discovery, which is the split order
  std::vector<SplitPosition> splits;
  std::int64_t watermark = no_time;
  std::uint64_t read = 0;
  std::uint64_t rejected = 0;
  std::uint64_t dropped = 0;
  std::uint64_t late = 0;
  friend bool operator==(const SourceState&, const SourceState&) = default;
};

/// A stateful operator: what its state is, by name.
struct OperatorState {
  std::string name;
  std::uint32_t id = 0;  // in the keys of the store
  std::string fingerprint;
  std::vector<std::string> key_columns;
  std::vector<std::string> state_columns;
  std::vector<std::string> lineage;  // sources that reach it
  std::uint64_t state_size = 0;
  std::int64_t watermark = no_time;
  friend bool operator==(const OperatorState&, const OperatorState&) = default;
};

struct StateFile {
  std::string name;
  std::uint64_t length = 0;
  std::uint32_t crc32c = 0;
  friend bool operator==(const StateFile&, const StateFile&) = default;
};

/// Where the state of the epoch is. No folder: there is no state yet.
struct StateCheckpoint {
  std::string folder;  // relative to the state folder
  std::uint32_t key_groups = 1024;
  std::vector<StateFile> files;  // what must be there, whole
  friend bool operator==(const StateCheckpoint&, const StateCheckpoint&) = default;
};

/// One staged file as of a barrier: its first `length` bytes are decided output. (Sink lineage, generation, lane, counter)
/// is the file's identity and its final name.
struct StagedFile {
  std::uint64_t generation = 0;
  std::uint32_t lane = 0;
  std::uint64_t counter = 0;  // from 1 in each generation and lane
  std::string staged;         // path below the target, where the generation that made it keeps it
  std::string name;           // final name in the target
  std::uint64_t length = 0;
  std::uint32_t crc32c = 0;  // of the first `length` bytes
  bool rolled = false;       // complete: to be published. Else it grows on
  std::uint64_t rows = 0;
  std::uint64_t first_epoch = 0;  // whose rows it holds
  std::uint64_t last_epoch = 0;
  friend bool operator==(const StagedFile&, const StagedFile&) = default;
};

/// The newest file number that the generation of the manifest gave out in a lane and decided.
struct LaneMarker {
  std::uint32_t lane = 0;
  std::uint64_t counter = 0;
  friend bool operator==(const LaneMarker&, const LaneMarker&) = default;
};

struct SinkState {
  std::string name;
  std::string connector;
  std::string target;
  std::vector<LaneMarker> markers;
  std::vector<StagedFile>
      files;               // every delivery that is not acknowledged, of whatever epoch, in delivery order
  std::uint64_t rows = 0;  // decided so far
  std::uint64_t bytes = 0;
  friend bool operator==(const SinkState&, const SinkState&) = default;
};

/// Everything that an epoch is. Written in a decide slot; that is the decision.
struct Manifest {
  std::uint64_t epoch = 0;  // from 1
  std::uint64_t generation = 0;
  std::string pipeline;
  std::string lineage;
  std::string fingerprint;  // of the program
  std::uint32_t parallelism = 1;
  bool aligned = true;
  bool ended = false;           // every split is ended and every window is closed
  std::int64_t decided_us = 0;  // wall clock, for people only
  std::vector<SourceState> sources;
  std::vector<OperatorState> operators;
  StateCheckpoint state;
  std::vector<SinkState> sinks;
  std::map<std::string, std::string> environment;  // pinned versions
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// JSON text, fields by name, and back. Failure: payload_invalid.
std::string to_text(const Manifest& manifest);
Result<Manifest> parse_manifest(std::string_view text);

}  // namespace weir::protocol
