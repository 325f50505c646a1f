#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "runtime/files/files.h"
#include "runtime/files/system_error.h"

namespace weir::files {
namespace {

/// A call that is repeated while a signal interrupts it.
template <typename Call>
auto retry(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class SystemFile final : public File {
 public:
  SystemFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~SystemFile() override { ::close(descriptor_); }
  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override {
    std::size_t done = 0;
    while (done < out.size()) {
      auto got = retry([&] {
        return ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      });
      if (got < 0) return system_fail("read", path_, errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  Result<void> append(std::string_view data) override {
    std::scoped_lock guard(end_mutex_);
    if (!end_known_) {
      WEIR_TRY(end_, size());
      end_known_ = true;
    }
    auto written = write_at(end_, data);
    if (!written)
      end_known_ = false;
    else
      end_ += data.size();
    return written;
  }

  Result<void> write_at(std::uint64_t offset, std::string_view data) override {
    while (!data.empty()) {
      auto put =
          retry([&] { return ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset)); });
      if (put < 0) return system_fail("write", path_, errno);
      offset += static_cast<std::uint64_t>(put);
      data.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

  Result<void> truncate(std::uint64_t size) override {
    std::scoped_lock guard(end_mutex_);
    end_known_ = false;
    if (retry([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0)
      return system_fail("truncate", path_, errno);
    return {};
  }

  Result<std::uint64_t> size() override {
    struct stat info;
    if (::fstat(descriptor_, &info) != 0) return system_fail("look at", path_, errno);
    return static_cast<std::uint64_t>(info.st_size);
  }

  Result<void> sync() override {
    if (retry([&] { return ::fsync(descriptor_); }) != 0) return system_fail("sync", path_, errno);
    return {};
  }

  Result<void> sync_data() override {
    if (retry([&] { return ::fdatasync(descriptor_); }) != 0) return system_fail("sync", path_, errno);
    return {};
  }

 private:
  int descriptor_;
  std::string path_;
  std::mutex end_mutex_;  // guards the two below
  std::uint64_t end_ = 0;
  bool end_known_ = false;
};

class SystemLock final : public Lock {
 public:
  explicit SystemLock(int descriptor) : descriptor_(descriptor) {}
  ~SystemLock() override { ::close(descriptor_); }
  SystemLock(const SystemLock&) = delete;
  SystemLock& operator=(const SystemLock&) = delete;

 private:
  int descriptor_;
};

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY;
    case OpenMode::update:
      return O_RDWR;
    case OpenMode::create_new:
      return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::create_or_empty:
      return O_RDWR | O_CREAT | O_TRUNC;
    case OpenMode::create_or_update:
      return O_RDWR | O_CREAT;
  }
  return O_RDONLY;
}

Kind kind_of_mode(unsigned mode) {
  return S_ISREG(mode) ? Kind::file : S_ISDIR(mode) ? Kind::folder : Kind::other;
}

Kind kind_of_entry(const std::string& folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return Kind::file;
  if (entry.d_type == DT_DIR) return Kind::folder;
  if (entry.d_type != DT_UNKNOWN) return Kind::other;
  struct stat info;
  if (::lstat(join(folder, entry.d_name).c_str(), &info) != 0) return Kind::other;
  return kind_of_mode(info.st_mode);
}

class SystemFiles final : public Files {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    int descriptor = retry([&] { return ::open(path.c_str(), open_flags(mode) | O_CLOEXEC, 0644); });
    if (descriptor < 0)
      return system_fail(mode == OpenMode::read || mode == OpenMode::update ? "open" : "create", path, errno);
    return std::make_unique<SystemFile>(descriptor, path);
  }

  Result<std::optional<Info>> stat(const std::string& path) override {
    struct statx info;
    if (::statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS | STATX_BTIME, &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
      return system_fail("look at", path, errno);
    }
    auto microseconds = [](const statx_timestamp& time) {
      return static_cast<std::int64_t>(time.tv_sec) * 1'000'000 + time.tv_nsec / 1000;
    };
    Info result;
    result.kind = kind_of_mode(info.stx_mode);
    result.size = info.stx_size;
    result.device = (static_cast<std::uint64_t>(info.stx_dev_major) << 32) | info.stx_dev_minor;
    result.inode = info.stx_ino;
    result.modified_us = microseconds(info.stx_mtime);
    if (info.stx_mask & STATX_BTIME) result.born_us = microseconds(info.stx_btime);
    result.links = info.stx_nlink;
    return result;
  }

  Result<std::vector<Entry>> list(const std::string& path) override {
    DIR* folder = ::opendir(path.c_str());
    if (!folder) return system_fail("list", path, errno);
    std::vector<Entry> entries;
    errno = 0;
    while (const dirent* entry = ::readdir(folder)) {
      std::string_view name = entry->d_name;
      if (name != "." && name != "..") entries.push_back({std::string(name), kind_of_entry(path, *entry)});
      errno = 0;
    }
    int error = errno;
    ::closedir(folder);
    if (error != 0) return system_fail("list", path, error);
    std::ranges::sort(entries, {}, &Entry::name);
    return entries;
  }

  Result<void> link(const std::string& from, const std::string& to) override {
    if (::link(from.c_str(), to.c_str()) != 0) return two_paths("link", from, to);
    return {};
  }

  Result<void> rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return two_paths("rename", from, to);
    return {};
  }

  Result<void> unlink(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return system_fail("remove", path, errno);
    return {};
  }

  Result<void> make_folder(const std::string& path) override {
    if (::mkdir(path.c_str(), 0755) != 0) return system_fail("make folder", path, errno);
    return {};
  }

  Result<void> remove_folder(const std::string& path) override {
    if (::rmdir(path.c_str()) != 0) return system_fail("remove folder", path, errno);
    return {};
  }

  Result<void> sync_folder(const std::string& path) override {
    int descriptor = retry([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor < 0) return system_fail("open", path, errno);
    int result = retry([&] { return ::fsync(descriptor); });
    int error = errno;
    ::close(descriptor);
    if (result != 0) return system_fail("sync", path, error);
    return {};
  }

  Result<std::unique_ptr<Lock>> lock(const std::string& path, std::string_view contents) override {
    int descriptor = retry([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644); });
    if (descriptor < 0) return system_fail("create", path, errno);
    auto lock = std::make_unique<SystemLock>(descriptor);
    if (retry([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) != 0) {
      if (errno != EWOULDBLOCK) return system_fail("lock", path, errno);
      char holder[256];
      auto got = ::pread(descriptor, holder, sizeof holder, 0);
      return fail(RunError::already_running,
                  std::string(holder, got > 0 ? static_cast<std::size_t>(got) : 0));
    }
    // What the file says is a courtesy; the lock is what counts.
    if (::ftruncate(descriptor, 0) == 0) {
      [[maybe_unused]] auto written = ::pwrite(descriptor, contents.data(), contents.size(), 0);
    }
    return lock;
  }

 private:
  static std::unexpected<Status> two_paths(std::string_view action, const std::string& from,
                                           const std::string& to) {
    return system_fail(fmt::format("{} {} to it", action, from), to, errno);
  }
};

}  // namespace

std::unique_ptr<Files> make_system_files() {
  return std::make_unique<SystemFiles>();
}

}  // namespace weir::files
