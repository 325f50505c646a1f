#include <algorithm>
#include <cstdlib>

#include <fmt/core.h>

#include "runtime/base/crc32c.h"
#include "runtime/files/faulty.h"
#include "runtime/files/files.h"
#include "runtime/files/lossy.h"

namespace weir::files {

Result<std::unique_ptr<Files>> make_files_from_environment() {
  const char* text = std::getenv("WEIR_FILES");
  std::string_view mode = text ? text : "";
  std::unique_ptr<Files> files;
  if (mode.empty() || mode == "system")
    files = make_system_files();
  else if (mode == "lossy")
    files = make_lossy_files();
  else
    return fail(RunError::file_io, fmt::format("WEIR_FILES is \"{}\"; expected system or lossy", mode));
  if (const char* fault = std::getenv("WEIR_FILES_FAULT"); fault && *fault) {
    WEIR_TRY(FaultPlan plan, parse_fault_plan(fault));
    files = make_faulty_files(std::move(files), std::move(plan));
  }
  return files;
}

Result<std::string> read_whole(Files& files, const std::string& path) {
  WEIR_TRY(auto file, files.open(path, OpenMode::read));
  WEIR_TRY(std::uint64_t size, file->size());
  std::string contents(size, '\0');
  WEIR_TRY(std::size_t got, file->read_at(0, contents));
  contents.resize(got);
  return contents;
}

Result<bool> exists(Files& files, const std::string& path) {
  WEIR_TRY(auto found, files.stat(path));
  return found.has_value();
}

std::string parent_folder(const std::string& path) {
  std::size_t end = path.find_last_not_of('/');
  if (end == std::string::npos) return path.empty() ? "." : "/";
  std::size_t slash = path.rfind('/', end);
  if (slash == std::string::npos) return ".";
  std::size_t last = path.find_last_not_of('/', slash);
  return last == std::string::npos ? "/" : path.substr(0, last + 1);
}

std::string join(std::string_view folder, std::string_view name) {
  std::string joined(folder);
  if (!joined.empty() && joined.back() != '/') joined += '/';
  return joined.append(name);
}

Result<void> make_folders(Files& files, const std::string& path) {
  WEIR_TRY(auto found, files.stat(path));
  if (found && found->kind != Kind::folder)
    return fail(RunError::file_exists, fmt::format("{}: is not a folder", path));
  std::string parent = parent_folder(path);
  if (parent == path) return {};
  WEIR_CHECK(make_folders(files, parent));
  if (!found) {
    auto made = files.make_folder(path);
    // Another process may have made it meanwhile.
    if (!made && !made.error().is(RunError::file_exists)) return made;
  }
  // Whoever made it may have died before this.
  auto synced = files.sync_folder(parent);
  if (!synced && found && synced.error().is(RunError::not_permitted)) return {};
  return synced;
}

namespace {

/// Somebody else may have removed it.
Result<void> unless_gone(Result<void> removed) {
  if (!removed && removed.error().is(RunError::file_not_found)) return {};
  return removed;
}

Result<void> remove_contents(Files& files, const std::string& folder) {
  auto entries = files.list(folder);
  if (!entries) return unless_gone(std::unexpected(std::move(entries).error()));
  for (const Entry& entry : *entries) {
    std::string inside = join(folder, entry.name);
    if (entry.kind == Kind::folder)
      WEIR_CHECK(remove_tree(files, inside));
    else
      WEIR_CHECK(unless_gone(files.unlink(inside)));
  }
  return {};
}

}  // namespace

Result<void> remove_tree(Files& files, const std::string& path) {
  WEIR_TRY(auto found, files.stat(path));
  if (!found) return {};
  if (found->kind != Kind::folder) return unless_gone(files.unlink(path));
  constexpr int most_tries = 20;
  for (int tries = 1;; ++tries) {
    WEIR_CHECK(remove_contents(files, path));
    auto removed = files.remove_folder(path);
    // Somebody else may have put something into it.
    if (removed || !removed.error().is(RunError::file_exists) || tries == most_tries)
      return unless_gone(std::move(removed));
  }
}

Result<Checksum> checksum(Files& files, const std::string& path, std::uint64_t length) {
  WEIR_TRY(auto file, files.open(path, OpenMode::read));
  std::string buffer(1 << 20, '\0');
  Checksum sum;
  while (sum.length < length) {
    std::size_t want = std::min<std::uint64_t>(buffer.size(), length - sum.length);
    WEIR_TRY(std::size_t got, file->read_at(sum.length, std::span(buffer.data(), want)));
    sum.crc32c = base::crc32c(std::string_view(buffer.data(), got), sum.crc32c);
    sum.length += got;
    if (got < want) break;
  }
  return sum;
}

}  // namespace weir::files
