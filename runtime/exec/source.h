#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/protocol/manifest.h"

namespace weir::exec {

/// Unread bytes of a split, from the split's position on. At least WEIR_INPUT_PADDING bytes behind `end` are readable.
/// Valid until the next call of the split.
struct Piece {
  const char* data = nullptr;
  const char* end = nullptr;
  std::uint64_t base = 0;         // offset of `data` in its file
  bool last = false;              // nothing follows `end` in this file
  std::string_view path;          // as at discovery
  const void* decoder = nullptr;  // for weir_input
};

enum class Readiness {
  ready,      // the piece has bytes
  waiting,    // nothing more now, perhaps later
  caught_up,  // what was there at the start of the run is read, and the run goes no further
  ended,      // the split's end is reached
};

/// One split in the hands of one worker.
class Split {
 public:
  virtual ~Split() = default;

  /// The bytes from the position on. With `more` beyond what the last call gave: the caller found no whole record in
  /// it; `ready` then means that the piece has grown. A record that is longer than the limit is replaced by a
  /// stand-in (see `too_long`). Failure: a read error.
  virtual Result<Readiness> read(Piece& piece, bool more) = 0;
  /// The last piece is the head of a record that is longer than the limit; its bytes are a stand-in that no decoder
  /// accepts, and the position behind it is that of the next record.
  virtual bool too_long() const { return false; }
  /// Of that record: its first bytes, at most `head_size`. Valid until the next call.
  virtual std::string_view head_of_too_long() const { return {}; }
  /// Moves the position behind the first `bytes` bytes of the last piece.
  virtual void consume(std::uint64_t bytes) = 0;
  /// Bytes of the split before the position, earlier files included.
  virtual std::uint64_t total() const = 0;
  /// The split is given up where it is (drain).
  virtual void end() = 0;
  /// Sets file, offset, ended and the guards.
  virtual void note(protocol::SplitPosition& position) = 0;
  /// Files that the split has found since the source was opened, in order, after those in the source's state.
  virtual std::vector<protocol::FileIdentity> found_files() { return {}; }
};

struct OpenedSource {
  std::vector<protocol::FileIdentity> files;
  std::vector<protocol::SplitPosition> positions;  // by ordinal
  std::vector<std::unique_ptr<Split>> splits;      // by ordinal; null: ended
};

/// Where records come from. Used by the coordinator; the splits are then the workers'.
class Source {
 public:
  virtual ~Source() = default;
  /// `saved`: the newest manifest's entry, or null at the first start. Checks that the saved files are what they were.
  /// Failures name the file: split_missing, split_changed, split_truncated, new_input, source_unreadable.
  virtual Result<OpenedSource> open(const protocol::SourceState* saved) = 0;
  /// False: what was read cannot be read again, so that nothing can be resumed.
  virtual bool replayable() const { return true; }
  /// 1-based line of a byte of a file, for messages; 0 where that is not known.
  virtual std::uint64_t line_of(std::string_view path, std::uint64_t offset) = 0;
};

/// Where rows go that nobody delivers: written as they come. Any thread; each call's rows stay together.
class View {
 public:
  virtual ~View() = default;
  virtual Result<void> write(std::string_view rows) = 0;
};

}  // namespace weir::exec
