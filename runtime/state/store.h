#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/files/host.h"
#include "runtime/protocol/manifest.h"
#include "runtime/state/delta.h"
#include "runtime/state/row_key.h"

namespace weir::state {

/// State on disk: one RocksDB in STATE/db-GENERATION, and checkpoints in STATE/checkpoints/EPOCH-GENERATION: hard links
/// to that RocksDB's files as of EPOCH, and a journal of what changed in the epochs after it. An epoch appends to the
/// journal; once that is long, or if much changed, an epoch makes the next checkpoint instead. A generation writes
/// under its own names only: an older one that wakes late touches nothing that a newer one decided.
/// One thread (the coordinator's).
class Store {
 public:
  /// Touches nothing yet. Without a generation it can verify only. `journal_epochs`: the longest journal.
  Store(files::Host& host, std::string state_folder, std::uint64_t generation = 0,
        std::uint64_t journal_epochs = 0);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Every file of the checkpoint is there, with its length and checksum. Writes nothing. Failure: state_missing or
  /// state_damaged, naming the file.
  Result<void> verify(const protocol::StateCheckpoint& checkpoint);
  /// Removes what earlier generations worked on, makes the generation's RocksDB from the checkpoint (empty without a
  /// folder) and hands every row to `row`, ascending keys.
  /// `row` returns false for what it cannot take: state_damaged.
  using Row = std::function<bool(const RowKey& key, std::string_view value)>;
  Result<void> restore(const protocol::StateCheckpoint& checkpoint, const Row& row);

  /// Applies what changed up to the epoch's barrier, and makes it survive a crash. Without changes: the checkpoint
  /// before. Failure: disk_full, sync_failed, file_io or state_store; restore() is then next.
  Result<protocol::StateCheckpoint> write(std::uint64_t epoch, std::span<const Delta> deltas);

  /// Removes every checkpoint folder but those named (relative to the state folder) and those of later generations.
  Result<void> collect(std::uint64_t epoch, std::span<const std::string> retained);

 private:
  struct Database;

  Result<void> remove_workspaces();
  Result<void> apply(std::span<const Delta> deltas);
  Result<void> ingest(std::uint64_t epoch, std::span<const Delta> deltas);
  Result<void> replay(const protocol::StateCheckpoint& checkpoint);
  Result<protocol::StateCheckpoint> append(std::uint64_t epoch, std::span<const Delta> deltas);
  Result<protocol::StateCheckpoint> make_checkpoint(std::uint64_t epoch, std::span<const Delta> deltas);
  Result<std::vector<protocol::StateFile>> describe(const std::string& folder) const;
  void close();

  files::Host& host_;
  std::string folder_;
  std::uint64_t generation_;
  std::uint64_t journal_epochs_;
  std::unique_ptr<Database> database_;
  protocol::StateCheckpoint newest_;
  bool folder_made_ = false;              // STATE/checkpoints
  bool own_ = false;                      // the newest checkpoint is this generation's: it may be appended to
  std::unique_ptr<files::File> journal_;  // of the newest checkpoint; null: none yet
  protocol::StateFile written_;           // how much of it
  std::uint64_t entries_ = 0;
};

}  // namespace weir::state
