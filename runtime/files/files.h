#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"

namespace weir::files {

/// An open file. Closed by its destructor, which reports nothing: what must be durable is synced first.
/// One thread appends; read_at and the sync functions may be called by any thread at the same time.
/// Offsets and sizes are bytes. Failure: disk_full, sync_failed or file_io, with the path in the message; after a
/// failed write or sync the file's contents past the last successful sync are unknown.
class File {
 public:
  virtual ~File() = default;

  /// Fills `out` from `offset` on; fewer bytes only at the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) = 0;
  /// Writes all of `data` at the end.
  virtual Result<void> append(std::string_view data) = 0;
  virtual Result<void> write_at(std::uint64_t offset, std::string_view data) = 0;
  virtual Result<void> truncate(std::uint64_t size) = 0;
  virtual Result<std::uint64_t> size() = 0;
  /// fsync: contents and length survive a crash. The *name* needs sync_folder.
  virtual Result<void> sync() = 0;
  /// fdatasync: as sync, without times.
  virtual Result<void> sync_data() = 0;
};

enum class OpenMode {
  read,              // must exist; no writes
  update,            // must exist; reads, append, write_at
  create_new,        // must be absent, else file_exists; reads and writes
  create_or_empty,   // created, or cut to no bytes; reads and writes
  create_or_update,  // created, or as it is; reads and writes
};

enum class Kind { file, folder, other };

struct Info {
  Kind kind = Kind::file;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t modified_us = 0;
  std::optional<std::int64_t> born_us;  // absent where the file system does not keep it
  std::uint64_t links = 1;
};

struct Entry {
  std::string name;
  Kind kind = Kind::file;
};

/// Held until destroyed or the process ends.
class Lock {
 public:
  virtual ~Lock() = default;
};

/// The one way to files and folders that Weir owns: state, log, targets. Any thread. Every descriptor is closed on
/// exec. Paths are absolute or relative to the working folder. Failures name the path: file_not_found, file_exists,
/// not_permitted, disk_full, sync_failed, else file_io.
class Files {
 public:
  virtual ~Files() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) = 0;
  /// Absent: no error, no value.
  virtual Result<std::optional<Info>> stat(const std::string& path) = 0;
  /// Names without "." and "..", sorted by bytes. A symbolic link is of kind other, whatever it points to.
  virtual Result<std::vector<Entry>> list(const std::string& path) = 0;

  /// A second name for a file; fails with file_exists if `to` exists. Atomic.
  virtual Result<void> link(const std::string& from, const std::string& to) = 0;
  /// Replaces a file at `to`; a folder at `to` must be empty. Atomic.
  virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> unlink(const std::string& path) = 0;
  /// Fails with file_exists if anything is there.
  virtual Result<void> make_folder(const std::string& path) = 0;
  virtual Result<void> remove_folder(const std::string& path) = 0;
  /// Makes names in this folder durable: created, linked, renamed, removed ones.
  virtual Result<void> sync_folder(const std::string& path) = 0;

  /// An exclusive advisory lock. The file is created if need be and says `contents`. Held by another process:
  /// already_running, whose message is what the file says.
  virtual Result<std::unique_ptr<Lock>> lock(const std::string& path, std::string_view contents) = 0;
};

/// The operating system's files.
std::unique_ptr<Files> make_system_files();

/// The layer that WEIR_FILES names: unset or "system" gives the system's files, "lossy" gives LossyFiles over them.
/// Any other value is a failure. WEIR_FILES_FAULT (faulty.h) puts failing operations on top.
Result<std::unique_ptr<Files>> make_files_from_environment();

// Helpers over any implementation.

/// The whole file.
Result<std::string> read_whole(Files& files, const std::string& path);
Result<bool> exists(Files& files, const std::string& path);
/// Makes the folder and each missing parent, and makes all of them durable.
Result<void> make_folders(Files& files, const std::string& path);
/// Everything under `path` and the folder itself. Absent: no error. Another process may remove the same, or put files
/// into it while this goes on; file_exists if it does not stop.
Result<void> remove_tree(Files& files, const std::string& path);
/// The file's first `length` bytes (all if fewer): their number and CRC32C.
struct Checksum {
  std::uint64_t length = 0;
  std::uint32_t crc32c = 0;
  friend bool operator==(const Checksum&, const Checksum&) = default;
};
Result<Checksum> checksum(Files& files, const std::string& path, std::uint64_t length = UINT64_MAX);

std::string parent_folder(const std::string& path);
std::string join(std::string_view folder, std::string_view name);

}  // namespace weir::files
