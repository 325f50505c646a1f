#include "runtime/connectors/file/file_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "runtime/connectors/file/file_list.h"
#include "runtime/connectors/file/file_split.h"
#include "runtime/connectors/file/input_file.h"

namespace weir::connectors::file {
namespace {

using protocol::FileIdentity;
using protocol::SplitPosition;

std::size_t read_size_for(std::size_t splits) {
  // Small enough to be still in the core's cache when it is parsed; larger reads were slower.
  return splits <= 1024 ? 256 << 10 : 64 << 10;
}

class FileSource final : public exec::Source {
 public:
  explicit FileSource(FileSourceOptions options)
      : options_(std::make_shared<const FileSourceOptions>(std::move(options))) {}

  Result<exec::OpenedSource> open(const protocol::SourceState* saved) override;
  std::uint64_t line_of(std::string_view path, std::uint64_t offset) override;

 private:
  Result<exec::OpenedSource> make(std::vector<ListedFile> files, std::vector<SplitPosition> positions) const;
  Result<void> check_saved(ListedFile& file, const SplitPosition* position, bool read_whole) const;
  FileSplit::Look look() const;

  std::shared_ptr<const FileSourceOptions> options_;
};

FileSplit::Look FileSource::look() const {
  if (!options_->follow || !options_->in_order || options_->until_end) return {};
  return [options = options_] { return list_files(options->pattern, options->in_order); };
}

Result<exec::OpenedSource> FileSource::make(std::vector<ListedFile> files,
                                            std::vector<SplitPosition> positions) const {
  exec::OpenedSource opened;
  for (const ListedFile& file : files) opened.files.push_back(file.identity);
  std::size_t read_size = read_size_for(options_->in_order ? 1 : files.size());
  for (SplitPosition& position : positions) {
    if (position.ended) {
      opened.splits.push_back(nullptr);
      continue;
    }
    std::vector<ListedFile> own = options_->in_order ? files : std::vector<ListedFile>{files[position.file]};
    auto split = std::make_unique<FileSplit>(options_, std::move(own), options_->in_order ? 0 : position.file,
                                             position, read_size, look());
    WEIR_CHECK(split->check_header());
    opened.splits.push_back(std::move(split));
  }
  opened.positions = std::move(positions);
  return opened;
}

Result<void> FileSource::check_saved(ListedFile& listed, const SplitPosition* position,
                                     bool read_whole) const {
  WEIR_TRY(InputFile file, open_listed(options_->pattern, listed.identity, listed.current_path));
  WEIR_TRY(std::uint64_t size, file.size());
  const FileIdentity& identity = listed.identity;
  std::uint64_t read = read_whole ? identity.size : position ? position->offset : 0;
  std::uint64_t at_least = options_->follow ? read : std::max(read, identity.size);
  if (size < at_least)
    return fail(RunError::split_truncated, fmt::format("source {}: {} has {} bytes, and had at least {}",
                                                       options_->name, listed.current_path, size, at_least));
  if (options_->follow && read_whole && size > identity.size)
    return fail_grown(options_->name, listed.current_path, size, identity.size);
  auto changed = [&](std::string_view part) {
    return fail(RunError::split_changed, fmt::format("source {}: {} was rewritten: {} is not what was read",
                                                     options_->name, listed.current_path, part));
  };
  WEIR_TRY(auto head, file.hash(0, identity.head_length));
  if (head != identity.head_hash) return changed(fmt::format("its head ({} bytes)", identity.head_length));
  if (position && position->guard_length > guard_limit) {
    WEIR_TRY(auto sum, file.checksum(position->guard_length));
    if (sum != position->guard_hash)
      return changed(fmt::format("its first {} bytes", position->guard_length));
  } else if (position && position->guard_length > 0) {
    WEIR_TRY(auto guard, file.hash(position->offset - position->guard_length, position->guard_length));
    if (guard != position->guard_hash)
      return changed(
          fmt::format("bytes {} to {}", position->offset - position->guard_length, position->offset));
  }
  return {};
}

Result<exec::OpenedSource> FileSource::open(const protocol::SourceState* saved) {
  WEIR_TRY(std::vector<FileIdentity> listed, list_files(options_->pattern, options_->in_order));
  if (!saved) {
    if (listed.empty() && !(options_->follow && options_->in_order))
      return fail(RunError::source_unreadable,
                  fmt::format("source {}: no regular file matches {}", options_->name, options_->pattern));
    std::vector<ListedFile> files;
    for (FileIdentity& file : listed) files.push_back({file, file.path, !options_->follow});
    std::vector<SplitPosition> positions(options_->in_order ? 1 : files.size());
    for (std::size_t at = 0; at < positions.size(); ++at) {
      positions[at].ordinal = at;
      positions[at].file = options_->in_order ? 0 : at;
    }
    return make(std::move(files), std::move(positions));
  }

  std::vector<SplitPosition> positions = saved->splits;
  std::size_t expected = options_->in_order ? 1 : saved->files.size();
  bool fits =
      positions.size() == expected && std::ranges::all_of(positions, [&](const SplitPosition& position) {
        return position.file < std::max<std::size_t>(saved->files.size(), 1);
      });
  if (!fits)
    return fail(RunError::program_changed,
                fmt::format("source {}: its positions are not those of `files: {}`", options_->name,
                            options_->in_order ? "in_order" : "each"));
  std::vector<ListedFile> files;
  std::uint64_t current = options_->in_order && !positions.empty() ? positions[0].file : 0;
  bool ended = std::ranges::all_of(positions, &SplitPosition::ended);
  for (std::size_t at = 0; at < saved->files.size(); ++at) {
    const FileIdentity& identity = saved->files[at];
    auto now =
        std::ranges::find_if(listed, [&](const FileIdentity& each) { return same_file(each, identity); });
    const SplitPosition* position =
        options_->in_order ? (at == current ? &positions[0] : nullptr) : &positions[at];
    bool read_whole = options_->in_order && at < current;
    ListedFile file{identity, identity.path, !options_->follow || read_whole};
    if (now == listed.end()) {
      // A followed log may be removed once it is read and rotated away.
      if (!(options_->follow && read_whole))
        return fail(
            RunError::split_missing,
            fmt::format("source {}: {} is missing (no file that {} matches is the one that was listed)",
                        options_->name, identity.path, options_->pattern));
    } else {
      file.current_path = now->path;
      if (ended && position && now->size > position->offset)
        return fail(RunError::new_input, fmt::format("source {}: {} has {} bytes, and the run ended or was "
                                                     "drained at byte {}; start over with --fresh",
                                                     options_->name, now->path, now->size, position->offset));
      if (options_->follow && !read_whole) file.identity.size = now->size;
      WEIR_CHECK(check_saved(file, position, read_whole));
    }
    files.push_back(std::move(file));
  }
  for (FileIdentity& file : listed) {
    if (std::ranges::any_of(saved->files, [&](const FileIdentity& each) { return same_file(each, file); }))
      continue;
    if (!options_->follow)
      return fail(RunError::new_input,
                  fmt::format("source {}: {} is new since the first start", options_->name, file.path));
    files.push_back({file, file.path, false});
    if (options_->in_order) continue;
    SplitPosition position;
    position.ordinal = positions.size();
    position.file = files.size() - 1;
    positions.push_back(position);
  }
  return make(std::move(files), std::move(positions));
}

std::uint64_t FileSource::line_of(std::string_view path, std::uint64_t offset) {
  auto file = InputFile::open(std::string(path));
  if (!file) return 0;
  std::uint64_t line = 1;
  std::string chunk(1 << 20, '\0');
  for (std::uint64_t at = 0; at < offset;) {
    auto got = file->read_at(at, {chunk.data(), std::min<std::uint64_t>(chunk.size(), offset - at)});
    if (!got || *got == 0) return 0;
    line += static_cast<std::uint64_t>(std::count(chunk.data(), chunk.data() + *got, '\n'));
    at += *got;
  }
  return line;
}

}  // namespace

std::unique_ptr<exec::Source> make_file_source(FileSourceOptions options) {
  return std::make_unique<FileSource>(std::move(options));
}

}  // namespace weir::connectors::file
