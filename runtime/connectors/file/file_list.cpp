#include "runtime/connectors/file/file_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/connectors/file/file_order.h"

namespace weir::connectors::file {
namespace {

using protocol::FileIdentity;

/// A rename takes microseconds; a rotation of many logs is over long before this many looks.
constexpr int most_looks = 100;

void wait_for_renames() {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// One look. A path that goes away while it is looked at is left out.
Result<std::vector<FileIdentity>> look(const std::string& pattern, bool in_order) {
  WEIR_TRY(std::vector<std::string> paths, match_files(pattern));
  if (in_order)
    std::ranges::sort(paths, [](const auto& a, const auto& b) { return read_before(a, b); });
  else
    std::ranges::sort(paths);
  std::vector<FileIdentity> files;
  for (const std::string& path : paths) {
    auto file = InputFile::open(path);
    if (!file && file.error().system_error() == ENOENT) continue;
    if (!file) return std::unexpected(std::move(file).error());
    WEIR_TRY(FileIdentity identity, file->identify());
    // A second name of a file is not a second file.
    if (std::ranges::none_of(files, [&](const FileIdentity& each) { return same_file(each, identity); }))
      files.push_back(std::move(identity));
  }
  return files;
}

bool agree(const std::vector<FileIdentity>& a, const std::vector<FileIdentity>& b) {
  return std::ranges::equal(
      a, b, [](const FileIdentity& x, const FileIdentity& y) { return x.path == y.path && same_file(x, y); });
}

}  // namespace

Result<std::vector<FileIdentity>> list_files(const std::string& pattern, bool in_order) {
  WEIR_TRY(std::vector<FileIdentity> before, look(pattern, in_order));
  for (int looks = 0; looks < most_looks; ++looks) {
    WEIR_TRY(std::vector<FileIdentity> now, look(pattern, in_order));
    if (agree(before, now)) return now;
    before = std::move(now);
    wait_for_renames();
  }
  return fail(RunError::source_unreadable,
              fmt::format("{}: the files change their names all the time", pattern));
}

Result<InputFile> open_listed(const std::string& pattern, const FileIdentity& identity, std::string& path) {
  for (int looks = 0; looks < most_looks; ++looks) {
    auto file = InputFile::open(path);
    if (file) {
      WEIR_TRY(FileIdentity opened, file->identify());
      if (same_file(opened, identity)) return file;
    } else if (file.error().system_error() != ENOENT) {
      return file;
    }
    WEIR_TRY(std::vector<FileIdentity> files, list_files(pattern, false));
    auto found =
        std::ranges::find_if(files, [&](const FileIdentity& each) { return same_file(each, identity); });
    if (found != files.end()) path = found->path;
    if (found == files.end() && looks > 2) break;
    wait_for_renames();
  }
  return fail(
      RunError::split_missing,
      fmt::format("{} is missing (no file that {} matches is the one that was listed)", path, pattern));
}

}  // namespace weir::connectors::file
