#include "runtime/connectors/file/file_sink.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>

#include "runtime/connectors/file/claim.h"
#include "runtime/connectors/file/file_lane.h"
#include "runtime/connectors/file/output_names.h"

namespace weir::connectors::file {
namespace {

using files::Failpoint;
using outbox::LaneCut;
using outbox::Peek;
using protocol::StagedFile;

constexpr std::string_view fenced_suffix = ".fenced";

/// "bytes 0-120, 3 rows of epochs 4-6"
std::string range_of(const StagedFile& file) {
  return fmt::format("bytes 0-{}, {} rows of epochs {}-{}", file.length, file.rows, file.first_epoch,
                     file.last_epoch);
}

/// The generation that a staging folder's name says; 0: none.
std::uint64_t generation_of(std::string_view name) {
  std::uint64_t generation = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), generation);
  return error == std::errc{} && end == name.data() + name.size() ? generation : 0;
}

class FileSink final : public outbox::Sink {
 public:
  FileSink(files::Host& host, FileSinkOptions options)
      : host_(host), options_(std::move(options)), open_files_(std::make_shared<OpenFiles>()) {
    hidden_ = files::join(options_.target, ".weir");
    staging_ = files::join(".weir", options_.name);
  }

  const std::string& name() const override { return options_.name; }
  std::string connector() const override { return "file"; }
  std::string target() const override { return options_.target; }

  Result<void> check() override;
  Result<bool> is_claimed() override {
    return files::exists(host_.files, files::join(hidden_, "claim.json"));
  }
  Result<void> claim(const outbox::Claim& claim) override;
  Result<void> fence(std::uint64_t generation) override;
  Result<Peek> peek(const StagedFile& file) override;
  Result<void> inspect(const protocol::SinkState& state, std::uint64_t state_generation) override;
  Result<void> settle(const protocol::SinkState& state) override;
  Result<void> clean() override;
  Result<std::unique_ptr<outbox::Lane>> open_lane(std::uint32_t lane) override;
  Result<void> prepare(std::uint64_t epoch, std::span<const LaneCut> cuts) override;
  Result<void> deliver(std::uint64_t epoch, const StagedFile& file) override;
  Result<void> forget(std::uint64_t epoch, const StagedFile& file) override;

 private:
  std::string in_target(std::string_view path) const { return files::join(options_.target, path); }
  std::string own_folder() const { return files::join(staging_, std::to_string(generation_)); }
  Result<void> try_link();
  Result<void> fence_folder(const std::string& name);
  Result<void> merge_folder(const std::string& from, const std::string& to);
  Result<std::optional<std::string>> find_staged(const StagedFile& file);
  Result<bool> is_published(const StagedFile& file);
  Result<void> check_nothing_later(const protocol::SinkState& state, std::uint64_t state_generation);
  Result<std::optional<std::string>> source_of(const StagedFile& file);
  Result<std::string> copy_prefix(const StagedFile& file, const std::string& from);
  Result<void> link_final(const StagedFile& file, const std::string& from);

  files::Host& host_;
  FileSinkOptions options_;
  std::string hidden_;   // TARGET/.weir
  std::string staging_;  // .weir/SINK, below the target
  std::string lineage8_;
  std::uint64_t generation_ = 0;
  std::vector<std::optional<std::string>> sources_;  // of the pending files, as inspected: source_of()
  std::shared_ptr<OpenFiles> open_files_;
};

// ---- before anything is read

Result<void> FileSink::check() {
  auto refuse = [&](const Status& status) {
    RunError code = status.system_error() == EXDEV   ? RunError::staging_elsewhere
                    : status.is(RunError::disk_full) ? RunError::disk_full
                                                     : RunError::target_unwritable;
    return fail(code, fmt::format("sink {}, target {}: {}", options_.name, options_.target, status.message()),
                status.system_error());
  };
  if (auto made = files::make_folders(host_.files, in_target(staging_)); !made) return refuse(made.error());
  WEIR_TRY(auto target, host_.files.stat(options_.target));
  WEIR_TRY(auto staging, host_.files.stat(in_target(staging_)));
  if (target && staging && target->device != 0 && staging->device != 0 && target->device != staging->device)
    return fail(RunError::staging_elsewhere,
                fmt::format("sink {}: {} is on another file system than {}", options_.name,
                            in_target(staging_), options_.target));
  constexpr int most_tries = 20;
  for (int tries = 1;; ++tries) {
    auto linked = try_link();
    if (linked) return {};
    // Another start may be trying at the same time.
    bool met = linked.error().is(RunError::file_not_found) || linked.error().is(RunError::file_exists);
    if (!met || tries == most_tries) return refuse(linked.error());
  }
}

/// Does what publishing will do.
Result<void> FileSink::try_link() {
  std::string staged = in_target(files::join(staging_, "trial"));
  std::string linked = in_target(fmt::format(".weir-trial-{}", options_.name));
  for (const std::string& path : {staged, linked})
    if (auto removed = host_.files.unlink(path); !removed && !removed.error().is(RunError::file_not_found))
      return removed;
  WEIR_TRY(auto file, host_.files.open(staged, files::OpenMode::create_new));
  WEIR_CHECK(file->append("trial\n"));
  WEIR_CHECK(host_.files.link(staged, linked));
  WEIR_CHECK(host_.files.unlink(linked));
  return host_.files.unlink(staged);
}

Result<void> FileSink::claim(const outbox::Claim& claim) {
  WEIR_CHECK(files::make_folders(host_.files, in_target(staging_)));
  WEIR_CHECK(claim_target(host_, options_.target, claim));
  lineage8_ = claim.lineage.substr(0, 8);
  return {};
}

/// A generation publishes out of its own folder, by path. Once the folder has another name it can't.
Result<void> FileSink::fence(std::uint64_t generation) {
  WEIR_TRY(auto entries, host_.files.list(in_target(staging_)));
  for (const files::Entry& entry : entries) {
    std::uint64_t earlier = generation_of(entry.name);
    if (earlier == 0) continue;
    if (earlier >= generation)
      return fail(RunError::target_ahead,
                  fmt::format("{} is of generation {}, this run is {}",
                              in_target(files::join(staging_, entry.name)), earlier, generation));
    WEIR_CHECK(fence_folder(entry.name));
  }
  generation_ = generation;
  open_files_ = std::make_shared<OpenFiles>();
  WEIR_CHECK(files::make_folders(host_.files, in_target(own_folder())));
  return host_.files.sync_folder(in_target(staging_));
}

Result<void> FileSink::fence_folder(const std::string& name) {
  std::string from = in_target(files::join(staging_, name));
  std::string to = from + std::string(fenced_suffix);
  WEIR_TRY(bool fenced, files::exists(host_.files, to));
  if (fenced) return merge_folder(from, to);
  auto renamed = host_.files.rename(from, to);
  // Done by another start at the same time.
  if (!renamed && renamed.error().is(RunError::file_not_found)) return {};
  return renamed;
}

/// A folder was made again after it was fenced: somebody put back what a refused start had named. What is not in the
/// fenced one goes there.
Result<void> FileSink::merge_folder(const std::string& from, const std::string& to) {
  WEIR_TRY(auto entries, host_.files.list(from));
  for (const files::Entry& entry : entries) {
    WEIR_TRY(bool known, files::exists(host_.files, files::join(to, entry.name)));
    if (!known) WEIR_CHECK(host_.files.rename(files::join(from, entry.name), files::join(to, entry.name)));
  }
  WEIR_CHECK(host_.files.sync_folder(to));
  return files::remove_tree(host_.files, from);
}

// ---- what is decided

/// Where the file is staged now, below the target.
Result<std::optional<std::string>> FileSink::find_staged(const StagedFile& file) {
  std::string folder = files::parent_folder(file.staged);
  for (std::string path : {file.staged, files::join(folder + std::string(fenced_suffix), file.name)}) {
    WEIR_TRY(bool there, files::exists(host_.files, in_target(path)));
    if (there) return path;
  }
  return std::nullopt;
}

/// Failure: published_differs.
Result<bool> FileSink::is_published(const StagedFile& file) {
  std::string path = in_target(file.name);
  WEIR_TRY(auto found, host_.files.stat(path));
  if (!found) return false;
  files::Checksum sum;
  if (found->size == file.length) {
    WEIR_TRY(sum, files::checksum(host_.files, path));
  }
  if (sum == files::Checksum{file.length, file.crc32c}) return true;
  return fail(RunError::published_differs, fmt::format("{} has {} bytes; decided were {} with CRC32C {:08x}",
                                                       path, found->size, file.length, file.crc32c));
}

Result<Peek> FileSink::peek(const StagedFile& file) {
  auto source = source_of(file);
  if (source) return *source ? Peek::not_committed : Peek::committed;
  switch (source.error().error()) {
    case RunError::delivery_unknown:
    case RunError::staged_damaged:
    case RunError::published_differs:
      return Peek::unknown;
    default:
      return std::unexpected(std::move(source).error());
  }
}

/// The staged file that is still to be published, whole as decided; nothing if it is published already.
Result<std::optional<std::string>> FileSink::source_of(const StagedFile& file) {
  WEIR_TRY(bool published, is_published(file));
  if (published) return std::nullopt;
  WEIR_TRY(auto staged, find_staged(file));
  if (!staged)
    return fail(RunError::delivery_unknown,
                fmt::format("sink {}: {} is missing, and so is {} ({})", options_.name,
                            in_target(file.staged), in_target(file.name), range_of(file)));
  std::string path = in_target(*staged);
  WEIR_TRY(files::Checksum sum, files::checksum(host_.files, path, file.length));
  WEIR_TRY(auto found, host_.files.stat(path));
  bool whole = sum == files::Checksum{file.length, file.crc32c} && found &&
               (!file.rolled || found->size == file.length);
  if (!whole)
    return fail(RunError::staged_damaged,
                fmt::format("sink {}: {} has {} bytes with CRC32C {:08x}; decided were {} with {:08x} ({})",
                            options_.name, path, found ? found->size : 0, sum.crc32c, file.length,
                            file.crc32c, range_of(file)));
  return staged;
}

Result<void> FileSink::check_nothing_later(const protocol::SinkState& state, std::uint64_t state_generation) {
  WEIR_TRY(auto entries, host_.files.list(options_.target));
  for (const files::Entry& entry : entries) {
    auto name = parse_output_name(entry.name);
    if (!name || name->sink != options_.name || name->lineage8 != lineage8_ ||
        name->generation < state_generation)
      continue;
    auto marker = std::ranges::find(state.markers, name->lane, &protocol::LaneMarker::lane);
    std::uint64_t decided = marker == state.markers.end() ? 0 : marker->counter;
    if (name->generation == state_generation && name->counter <= decided) continue;
    return fail(RunError::target_ahead,
                fmt::format("{}; the newest decision is of generation {} and knows {} files of lane {}",
                            in_target(entry.name), state_generation, decided, name->lane));
  }
  return {};
}

Result<void> FileSink::inspect(const protocol::SinkState& state, std::uint64_t state_generation) {
  WEIR_CHECK(check_nothing_later(state, state_generation));
  sources_.clear();
  for (const StagedFile& file : state.files) {
    WEIR_TRY(sources_.emplace_back(), source_of(file));
  }
  return {};
}

Result<void> FileSink::settle(const protocol::SinkState& state) {
  for (std::size_t index = 0; index < state.files.size(); ++index) {
    const StagedFile& file = state.files[index];
    if (!sources_[index]) continue;
    std::string from = *sources_[index];
    if (!file.rolled) {
      WEIR_TRY(from, copy_prefix(file, from));
    }
    WEIR_CHECK(link_final(file, from));
    WEIR_CHECK(host_.files.sync_folder(options_.target));
    host_.failpoints.hit(Failpoint::recovery_published, file.last_epoch);
  }
  // Those that were found there may have been linked by a process that died before this.
  return host_.files.sync_folder(options_.target);
}

/// An earlier generation may still hold the inode open: the decided bytes go to a file of this one.
Result<std::string> FileSink::copy_prefix(const StagedFile& file, const std::string& from) {
  std::string to = files::join(own_folder(), file.name);
  host_.failpoints.hit(Failpoint::recovery_copy_before, file.last_epoch);
  WEIR_TRY(auto source, host_.files.open(in_target(from), files::OpenMode::read));
  WEIR_TRY(auto copy, host_.files.open(in_target(to), files::OpenMode::create_new));
  std::string buffer(1 << 20, '\0');
  for (std::uint64_t offset = 0; offset < file.length;) {
    std::size_t want = std::min<std::uint64_t>(buffer.size(), file.length - offset);
    WEIR_TRY(std::size_t got, source->read_at(offset, std::span(buffer.data(), want)));
    if (got == 0)
      return fail(RunError::staged_damaged, fmt::format("{} ends at {}", in_target(from), offset));
    WEIR_CHECK(copy->append(std::string_view(buffer.data(), got)));
    offset += got;
  }
  host_.failpoints.hit(Failpoint::recovery_copy_written, file.last_epoch);
  WEIR_CHECK(copy->sync());
  host_.failpoints.hit(Failpoint::recovery_copy_synced, file.last_epoch);
  return to;
}

/// Put if absent: a name that is taken by the decided bytes counts as done.
Result<void> FileSink::link_final(const StagedFile& file, const std::string& from) {
  auto linked = host_.files.link(in_target(from), in_target(file.name));
  if (linked || !linked.error().is(RunError::file_exists)) return linked;
  WEIR_TRY([[maybe_unused]] bool published, is_published(file));
  return {};
}

Result<void> FileSink::clean() {
  WEIR_TRY(auto entries, host_.files.list(in_target(staging_)));
  for (const files::Entry& entry : entries) {
    std::string path = in_target(files::join(staging_, entry.name));
    std::string_view name = entry.name;
    if (name.ends_with(fenced_suffix)) name.remove_suffix(fenced_suffix.size());
    std::uint64_t generation = generation_of(name);
    // What a newer generation has staged is not for one that was fenced to remove.
    if (generation == 0 || generation > generation_) continue;
    if (entry.name != std::to_string(generation_)) {
      WEIR_CHECK(files::remove_tree(host_.files, path));
      continue;
    }
    WEIR_TRY(auto copies, host_.files.list(path));
    for (const files::Entry& copy : copies) WEIR_CHECK(host_.files.unlink(files::join(path, copy.name)));
  }
  return host_.files.sync_folder(in_target(staging_));
}

// ---- the epoch

Result<std::unique_ptr<outbox::Lane>> FileSink::open_lane(std::uint32_t lane) {
  LanePlace place{options_.target, own_folder(), lineage8_, generation_, lane};
  return std::make_unique<FileLane>(host_, options_, std::move(place), open_files_);
}

Result<void> FileSink::prepare(std::uint64_t epoch, std::span<const LaneCut> cuts) {
  bool new_names = open_files_->take_new_names();
  for (const LaneCut& cut : cuts)
    for (const StagedFile& file : cut.files) {
      auto open = open_files_->find(file.name);
      if (!open) return fail(RunError::lane_failed, fmt::format("{} is not open", in_target(file.staged)));
      WEIR_CHECK(open->sync_data());
      if (file.rolled) open_files_->remove(file.name);
      host_.failpoints.hit(Failpoint::prepare_lane_synced, epoch);
    }
  if (new_names) WEIR_CHECK(host_.files.sync_folder(in_target(own_folder())));
  host_.failpoints.hit(Failpoint::prepare_folder_synced, epoch);
  return {};
}

Result<void> FileSink::deliver(std::uint64_t epoch, const StagedFile& file) {
  host_.failpoints.hit(Failpoint::deliver_before, epoch);
  WEIR_TRY(auto staged, find_staged(file));
  if (staged) {
    WEIR_TRY(auto open, host_.files.open(in_target(*staged), files::OpenMode::update));
    WEIR_CHECK(open->sync_data());
    host_.failpoints.hit(Failpoint::deliver_data_synced, epoch);
    // By the name that this generation gave it: fenced, it fails.
    WEIR_CHECK(link_final(file, file.staged));
    host_.failpoints.hit(Failpoint::deliver_linked, epoch);
  } else {
    WEIR_TRY(bool published, is_published(file));
    if (!published)
      return fail(RunError::delivery_unknown,
                  fmt::format("sink {}: {} is missing, and so is {} ({})", options_.name,
                              in_target(file.staged), in_target(file.name), range_of(file)));
  }
  WEIR_CHECK(host_.files.sync_folder(options_.target));
  host_.failpoints.hit(Failpoint::deliver_folder_synced, epoch);
  return {};
}

Result<void> FileSink::forget(std::uint64_t, const StagedFile& file) {
  auto removed = host_.files.unlink(in_target(file.staged));
  if (!removed && !removed.error().is(RunError::file_not_found)) return removed;
  return {};
}

}  // namespace

std::unique_ptr<outbox::Sink> make_file_sink(files::Host& host, FileSinkOptions options) {
  return std::make_unique<FileSink>(host, std::move(options));
}

}  // namespace weir::connectors::file
