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

/// State on disk: one RocksDB in STATE/db-GENERATION, and one folder of hard links per decided epoch in
/// STATE/checkpoints/EPOCH-GENERATION. A generation writes under its own names only: an older one that wakes late
/// touches nothing that a newer one decided.
/// One thread (the coordinator's).
class Store {
 public:
  /// Touches nothing yet. Without a generation it can verify only.
  Store(files::Host& host, std::string state_folder, std::uint64_t generation = 0);
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

  /// Applies what changed up to the epoch's barrier, and makes a checkpoint of it that survives a crash. Without
  /// changes: the checkpoint before. Failure: disk_full, sync_failed, file_io or state_store; restore() is then next.
  Result<protocol::StateCheckpoint> write(std::uint64_t epoch, std::span<const Delta> deltas);

  /// Removes every checkpoint folder but those named (relative to the state folder) and those of later generations.
  Result<void> collect(std::uint64_t epoch, std::span<const std::string> retained);

 private:
  struct Database;

  Result<void> remove_workspaces();
  Result<void> ingest(std::uint64_t epoch, std::span<const Delta> deltas);
  Result<std::vector<protocol::StateFile>> describe(const std::string& folder) const;
  void close();

  files::Host& host_;
  std::string folder_;
  std::uint64_t generation_;
  std::unique_ptr<Database> database_;
  protocol::StateCheckpoint newest_;
  bool folder_made_ = false;  // STATE/checkpoints
};

}  // namespace weir::state
