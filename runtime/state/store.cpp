#include "runtime/state/store.h"

#include <fmt/core.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <charconv>
#include <cstdarg>
#include <limits>

#include "runtime/base/crc32c.h"
#include "runtime/state/journal.h"
#include "runtime/state/rocks_files.h"
#include "runtime/state/rocks_threads.h"
#include "runtime/value/key_order.h"

namespace weir::state {
namespace {

using files::Failpoint;

Status from_rocks(const rocksdb::Status& status, std::string_view doing) {
  RunError error = status.IsNoSpace()      ? RunError::disk_full
                   : status.IsIOError()    ? RunError::file_io
                   : status.IsCorruption() ? RunError::state_damaged
                                           : RunError::state_store;
  return Status(error, fmt::format("{}: {}", doing, status.ToString()));
}

/// RocksDB's own log would be one more file to look after; what fails is reported by status.
class Silent final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

constexpr std::string_view journal_name = "journal";
constexpr std::uint64_t longest_journal = 8 << 20;  // bytes; a start reads it all
constexpr std::size_t batch_bytes = 1 << 20;

// Immutable once written; the others are small and may be appended to or replaced by a running database.
bool is_table(std::string_view name) {
  return name.ends_with(".sst");
}

}  // namespace

struct Store::Database {
  explicit Database(files::Files& files)
      : file_system(make_rocks_files(files)), env(make_rocks_env(file_system)) {
    options.create_if_missing = true;
    options.env = env.get();
    options.info_log = std::make_shared<Silent>();
    options.keep_log_file_num = 1;
    options.max_background_jobs = 2;
    options.max_open_files = 256;
    options.use_fsync = true;
    options.compression = rocksdb::kNoCompression;
    options.max_manifest_file_size = 1 << 20;
    options.write_buffer_size = 2 * longest_journal;
    options.avoid_flush_during_shutdown = true;
    options.stats_dump_period_sec = 0;
    options.stats_persist_period_sec = 0;
    options.persist_stats_to_disk = false;
    options.skip_stats_update_on_db_open = true;
    options.skip_checking_sst_file_sizes_on_db_open = true;  // verified before
    options.level0_slowdown_writes_trigger = 1 << 20;
    options.level0_stop_writes_trigger = 1 << 20;
    rocksdb::BlockBasedTableOptions table;
    table.no_block_cache = true;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  }

  std::shared_ptr<rocksdb::FileSystem> file_system;
  std::unique_ptr<rocksdb::Env> env;
  rocksdb::Options options;
  std::unique_ptr<rocksdb::DB> db;
};

Store::Store(files::Host& host, std::string state_folder, std::uint64_t generation,
             std::uint64_t journal_epochs)
    : host_(host),
      folder_(std::move(state_folder)),
      generation_(generation),
      journal_epochs_(journal_epochs) {}

Store::~Store() {
  close();
}

void Store::close() {
  if (database_ && database_->db) {
    rocksdb::CancelAllBackgroundWork(database_->db.get(), true);
    database_->db->Close().PermitUncheckedError();
  }
  database_.reset();
}

Result<void> Store::verify(const protocol::StateCheckpoint& checkpoint) {
  if (checkpoint.folder.empty()) return {};
  std::string folder = files::join(folder_, checkpoint.folder);
  for (const protocol::StateFile& file : checkpoint.files) {
    std::string path = files::join(folder, file.name);
    WEIR_TRY(auto info, host_.files.stat(path));
    if (!info) return fail(RunError::state_missing, fmt::format("{} is missing", path));
    bool grows = file.name == journal_name;
    if (grows ? info->size < file.length : info->size != file.length)
      return fail(RunError::state_damaged,
                  fmt::format("{} has {} bytes instead of {}", path, info->size, file.length));
    WEIR_TRY(auto sum, files::checksum(host_.files, path, file.length));
    if (sum.crc32c != file.crc32c)
      return fail(RunError::state_damaged,
                  fmt::format("{} has another checksum than when it was written", path));
  }
  return {};
}

namespace {

/// Of EPOCH-GENERATION, db-GENERATION, delta-GENERATION-EPOCH.sst; 0: not such a name.
std::uint64_t generation_of(std::string_view name) {
  std::size_t dash = name.find('-');
  std::uint64_t generation = 0;
  if (dash != std::string_view::npos)
    std::from_chars(name.data() + dash + 1, name.data() + name.size(), generation);
  return generation;
}

}  // namespace

Result<void> Store::remove_workspaces() {
  WEIR_TRY(auto entries, host_.files.list(folder_));
  for (const files::Entry& entry : entries) {
    if (!entry.name.starts_with("db-") && !entry.name.starts_with("delta-")) continue;
    std::uint64_t generation = generation_of(entry.name);
    if (generation > generation_) continue;
    auto removed = files::remove_tree(host_.files, files::join(folder_, entry.name));
    // One that was fenced and does not know it yet may go on there: a later start removes it.
    bool busy = !removed && generation < generation_ && removed.error().is(RunError::file_exists);
    if (!removed && !busy) return removed;
  }
  return {};
}

Result<void> Store::restore(const protocol::StateCheckpoint& checkpoint, const Row& row) {
  close();
  newest_ = checkpoint;
  own_ = false;
  journal_.reset();
  std::string db_folder = files::join(folder_, fmt::format("db-{}", generation_));
  WEIR_CHECK(remove_workspaces());
  WEIR_CHECK(files::make_folders(host_.files, db_folder));
  for (const protocol::StateFile& file : checkpoint.files) {
    if (file.name == journal_name) continue;
    std::string from = files::join(files::join(folder_, checkpoint.folder), file.name);
    std::string to = files::join(db_folder, file.name);
    if (is_table(file.name)) {
      WEIR_CHECK(host_.files.link(from, to));
      continue;
    }
    WEIR_TRY(std::string contents, files::read_whole(host_.files, from));
    WEIR_TRY(auto copy, host_.files.open(to, files::OpenMode::create_new));
    WEIR_CHECK(copy->append(contents));
    WEIR_CHECK(copy->sync());
  }
  WEIR_CHECK(host_.files.sync_folder(db_folder));
  database_ = std::make_unique<Database>(host_.files);
  rocksdb::DB* opened = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(database_->options, db_folder, &opened);
  if (!status.ok()) return std::unexpected(from_rocks(status, "opening " + db_folder));
  database_->db.reset(opened);
  if (checkpoint.folder.empty()) return {};
  WEIR_CHECK(replay(checkpoint));
  rocksdb::ReadOptions read;
  read.total_order_seek = true;
  read.fill_cache = false;
  std::unique_ptr<rocksdb::Iterator> at(database_->db->NewIterator(read));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    auto key = parse_row_key({at->key().data(), at->key().size()});
    if (!key || !row(*key, {at->value().data(), at->value().size()}))
      return fail(RunError::state_damaged, fmt::format("{} holds a row that does not fit the program",
                                                       files::join(folder_, checkpoint.folder)));
  }
  if (!at->status().ok()) return std::unexpected(from_rocks(at->status(), "reading " + db_folder));
  return {};
}

/// What the checkpoint's journal says goes into the store again. Another generation's journal is never appended to:
/// the first epoch with changes makes a checkpoint.
Result<void> Store::replay(const protocol::StateCheckpoint& checkpoint) {
  auto journal = std::ranges::find(checkpoint.files, journal_name, &protocol::StateFile::name);
  if (journal == checkpoint.files.end()) return {};
  std::string path = files::join(files::join(folder_, checkpoint.folder), journal->name);
  WEIR_TRY(std::string text, files::read_whole(host_.files, path));
  text.resize(std::min<std::uint64_t>(text.size(), journal->length));
  rocksdb::WriteOptions how;
  how.disableWAL = true;
  rocksdb::Status status;
  rocksdb::WriteBatch batch;
  EntryVisitor visitor;
  auto note = [&](const rocksdb::Status& done) {
    if (status.ok()) status = done;
  };
  visitor.dropped = [&](std::string_view from, std::string_view to) { note(batch.DeleteRange(from, to)); };
  visitor.row = [&](std::string_view key, std::string_view value) { note(batch.Put(key, value)); };
  visitor.entry_done = [&] {
    note(database_->db->Write(how, &batch));
    batch.Clear();
  };
  if (!read_entries(text, visitor))
    return fail(RunError::state_damaged, fmt::format("{} has an entry that cannot be read", path));
  if (!status.ok()) return std::unexpected(from_rocks(status, "reading " + path));
  return {};
}

/// Without a write-ahead log: what is durable is the journal, and the next checkpoint.
Result<void> Store::apply(std::span<const Delta> deltas) {
  rocksdb::WriteOptions how;
  how.disableWAL = true;
  rocksdb::WriteBatch batch;
  rocksdb::Status status;
  auto write = [&] {
    if (status.ok()) status = database_->db->Write(how, &batch);
    batch.Clear();
  };
  for (const Delta& delta : deltas)
    for (const Delta::Range& range : delta.dropped)
      if (status.ok()) status = batch.DeleteRange(range.from, range.to);
  for (const Delta& delta : deltas)
    for (const Delta::Row& row : delta.rows) {
      if (status.ok()) status = batch.Put(delta.key(row), delta.value(row));
      if (batch.GetDataSize() >= batch_bytes) write();
    }
  write();
  if (!status.ok()) return std::unexpected(from_rocks(status, "changing the state store"));
  return {};
}

Result<void> Store::ingest(std::uint64_t epoch, std::span<const Delta> deltas) {
  struct Entry {
    std::string_view key;
    std::string_view value;
  };
  std::vector<Entry> entries;
  for (const Delta& delta : deltas)
    for (const Delta::Row& row : delta.rows) entries.push_back({delta.key(row), delta.value(row)});
  value::sort_by_key(entries, [](const Entry& entry) { return entry.key; });

  std::string path = files::join(folder_, fmt::format("delta-{}-{}.sst", generation_, epoch));
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(database_->options), database_->options);
  auto check = [&](const rocksdb::Status& status) -> Result<void> {
    if (!status.ok()) return std::unexpected(from_rocks(status, "writing " + path));
    return {};
  };
  WEIR_CHECK(check(writer.Open(path)));
  for (const Entry& entry : entries)
    WEIR_CHECK(
        check(writer.Put({entry.key.data(), entry.key.size()}, {entry.value.data(), entry.value.size()})));
  for (const Delta& delta : deltas)
    for (const Delta::Range& range : delta.dropped)
      WEIR_CHECK(check(writer.DeleteRange(range.from, range.to)));
  WEIR_CHECK(check(writer.Finish()));
  rocksdb::IngestExternalFileOptions how;
  how.move_files = true;
  how.failed_move_fall_back_to_copy = false;
  how.snapshot_consistency = false;
  how.allow_blocking_flush = true;
  return check(database_->db->IngestExternalFile({path}, how));
}

Result<std::vector<protocol::StateFile>> Store::describe(const std::string& folder) const {
  std::vector<protocol::StateFile> described;
  WEIR_TRY(auto entries, host_.files.list(folder));
  for (const files::Entry& entry : entries) {
    std::string path = files::join(folder, entry.name);
    auto before = std::ranges::find(newest_.files, entry.name, &protocol::StateFile::name);
    if (is_table(entry.name) && before != newest_.files.end()) {
      described.push_back(*before);
      continue;
    }
    WEIR_TRY(auto sum, files::checksum(host_.files, path));
    described.push_back({entry.name, sum.length, sum.crc32c});
  }
  return described;
}

Result<protocol::StateCheckpoint> Store::write(std::uint64_t epoch, std::span<const Delta> deltas) {
  if (std::ranges::all_of(deltas, &Delta::empty)) return newest_;
  host_.failpoints.hit(Failpoint::snapshot_before, epoch);
  std::uint64_t length = (journal_ ? written_.length : 0) + entry_size(deltas);
  protocol::StateCheckpoint made;
  if (own_ && length <= longest_journal && entries_ < journal_epochs_) {
    WEIR_TRY(made, append(epoch, deltas));
  } else {
    WEIR_TRY(made, make_checkpoint(epoch, deltas));
  }
  host_.failpoints.hit(Failpoint::snapshot_after, epoch);
  newest_ = made;
  return made;
}

Result<protocol::StateCheckpoint> Store::append(std::uint64_t epoch, std::span<const Delta> deltas) {
  std::string folder = files::join(folder_, newest_.folder);
  bool begins = !journal_;
  if (begins) {
    WEIR_TRY(journal_, host_.files.open(files::join(folder, journal_name), files::OpenMode::create_new));
    written_ = {std::string(journal_name), 0, 0};
  }
  std::string entry;
  append_entry(entry, epoch, deltas);
  WEIR_CHECK(journal_->append(entry));
  host_.failpoints.hit(Failpoint::snapshot_written, epoch);
  WEIR_CHECK(journal_->sync_data());
  if (begins) WEIR_CHECK(host_.files.sync_folder(folder));
  host_.failpoints.hit(Failpoint::snapshot_synced, epoch);
  written_.length += entry.size();
  written_.crc32c = base::crc32c(entry, written_.crc32c);
  ++entries_;
  WEIR_CHECK(apply(deltas));
  protocol::StateCheckpoint made = newest_;
  std::erase_if(made.files, [](const protocol::StateFile& file) { return file.name == journal_name; });
  made.files.push_back(written_);
  return made;
}

Result<protocol::StateCheckpoint> Store::make_checkpoint(std::uint64_t epoch, std::span<const Delta> deltas) {
  if (entry_size(deltas) > longest_journal)
    WEIR_CHECK(ingest(epoch, deltas));
  else
    WEIR_CHECK(apply(deltas));
  auto check = [&](const rocksdb::Status& status, const std::string& doing) -> Result<void> {
    if (!status.ok()) return std::unexpected(from_rocks(status, doing));
    return {};
  };
  host_.failpoints.hit(Failpoint::snapshot_written, epoch);
  WEIR_CHECK(check(database_->db->Flush(rocksdb::FlushOptions()), "writing the state store"));
  host_.failpoints.hit(Failpoint::snapshot_synced, epoch);
  std::string all = files::join(folder_, "checkpoints");
  if (!folder_made_) WEIR_CHECK(files::make_folders(host_.files, all));
  folder_made_ = true;
  protocol::StateCheckpoint made;
  made.folder = fmt::format("checkpoints/{}-{}", epoch, generation_);
  std::string path = files::join(folder_, made.folder);
  // Left by an attempt that did not decide this epoch.
  WEIR_CHECK(files::remove_tree(host_.files, path));
  WEIR_CHECK(files::remove_tree(host_.files, path + ".tmp"));
  rocksdb::Checkpoint* raw = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(database_->db.get(), &raw);
  std::unique_ptr<rocksdb::Checkpoint> maker(raw);
  // Flushed before: nothing has to be written for it.
  constexpr auto no_flush = std::numeric_limits<std::uint64_t>::max();
  if (status.ok()) status = maker->CreateCheckpoint(path, no_flush);
  WEIR_CHECK(check(status, "linking " + path));
  host_.failpoints.hit(Failpoint::snapshot_checkpoint_linked, epoch);
  WEIR_TRY(made.files, describe(path));
  // What is in the folder was synced when it was made; its name is not.
  WEIR_CHECK(host_.files.sync_folder(all));
  own_ = true;
  journal_.reset();
  entries_ = 0;
  return made;
}

Result<void> Store::collect(std::uint64_t epoch, std::span<const std::string> retained) {
  std::string all = files::join(folder_, "checkpoints");
  WEIR_TRY(bool any, files::exists(host_.files, all));
  if (!any) return {};
  WEIR_TRY(auto entries, host_.files.list(all));
  for (const files::Entry& entry : entries) {
    if (std::ranges::find(retained, "checkpoints/" + entry.name) != retained.end()) continue;
    if (generation_of(entry.name) > generation_) continue;
    host_.failpoints.hit(Failpoint::collect_checkpoint, epoch);
    WEIR_CHECK(files::remove_tree(host_.files, files::join(all, entry.name)));
  }
  return {};
}

}  // namespace weir::state
