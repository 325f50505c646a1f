#include "runtime/state/rocks_files.h"

#include <cstring>
#include <mutex>
#include <set>
#include <vector>

namespace weir::state {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus to_rocks(const Status& status) {
  if (status.is(RunError::file_not_found)) return IOStatus::PathNotFound(status.message());
  if (status.is(RunError::disk_full)) return IOStatus::NoSpace(status.message());
  return IOStatus::IOError(status.message());
}

IOStatus to_rocks(const Result<void>& result) {
  return result ? IOStatus::OK() : to_rocks(result.error());
}

class Sequential final : public rocksdb::FSSequentialFile {
 public:
  explicit Sequential(std::unique_ptr<files::File> file) : file_(std::move(file)) {}
  IOStatus Read(std::size_t n, const IOOptions&, Slice* result, char* scratch, IODebugContext*) override {
    auto read = file_->read_at(at_, {scratch, n});
    if (!read) return to_rocks(read.error());
    at_ += *read;
    *result = Slice(scratch, *read);
    return IOStatus::OK();
  }
  IOStatus Skip(std::uint64_t n) override {
    at_ += n;
    return IOStatus::OK();
  }

 private:
  std::unique_ptr<files::File> file_;
  std::uint64_t at_ = 0;
};

class RandomAccess final : public rocksdb::FSRandomAccessFile {
 public:
  explicit RandomAccess(std::unique_ptr<files::File> file) : file_(std::move(file)) {}
  IOStatus Read(std::uint64_t offset, std::size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    auto read = file_->read_at(offset, {scratch, n});
    if (!read) return to_rocks(read.error());
    *result = Slice(scratch, *read);
    return IOStatus::OK();
  }

 private:
  std::unique_ptr<files::File> file_;
};

class Writable final : public rocksdb::FSWritableFile {
 public:
  Writable(std::unique_ptr<files::File> file, std::uint64_t size) : file_(std::move(file)), size_(size) {}
  using rocksdb::FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    auto done = file_->append({data.data(), data.size()});
    if (done) size_ += data.size();
    return to_rocks(done);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions&, IODebugContext*) override {
    if (size == size_) return IOStatus::OK();
    size_ = size;
    return to_rocks(file_->truncate(size));
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    file_.reset();
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return to_rocks(file_->sync_data()); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return to_rocks(file_->sync()); }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return size_; }

 private:
  std::unique_ptr<files::File> file_;
  std::uint64_t size_;
};

class ReadWrite final : public rocksdb::FSRandomRWFile {
 public:
  explicit ReadWrite(std::unique_ptr<files::File> file) : file_(std::move(file)) {}
  IOStatus Write(std::uint64_t offset, const Slice& data, const IOOptions&, IODebugContext*) override {
    return to_rocks(file_->write_at(offset, {data.data(), data.size()}));
  }
  IOStatus Read(std::uint64_t offset, std::size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    auto read = file_->read_at(offset, {scratch, n});
    if (!read) return to_rocks(read.error());
    *result = Slice(scratch, *read);
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return to_rocks(file_->sync_data()); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return to_rocks(file_->sync()); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  std::unique_ptr<files::File> file_;
};

class Directory final : public rocksdb::FSDirectory {
 public:
  Directory(files::Files& files, std::string path) : files_(files), path_(std::move(path)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return to_rocks(files_.sync_folder(path_)); }

 private:
  files::Files& files_;
  std::string path_;
};

struct HeldLock final : rocksdb::FileLock {
  explicit HeldLock(std::string held) : path(std::move(held)) {}
  std::string path;
};

class RocksFiles final : public rocksdb::FileSystem {
 public:
  explicit RocksFiles(files::Files& files) : files_(files) {}
  const char* Name() const override { return "weir"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions&,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext*) override {
    return open<Sequential>(path, result);
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions&,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext*) override {
    return open<RandomAccess>(path, result);
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) override {
    // A new inode: an older one of this name may have a second link elsewhere.
    if (auto info = files_.stat(path); info && *info) {
      if (auto gone = files_.unlink(path); !gone) return to_rocks(gone.error());
    }
    auto file = files_.open(path, files::OpenMode::create_new);
    if (!file) return to_rocks(file.error());
    *result = std::make_unique<Writable>(std::move(*file), 0);
    return IOStatus::OK();
  }
  IOStatus ReopenWritableFile(const std::string& path, const FileOptions&,
                              std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) override {
    auto file = files_.open(path, files::OpenMode::create_or_update);
    if (!file) return to_rocks(file.error());
    auto size = (*file)->size();
    if (!size) return to_rocks(size.error());
    *result = std::make_unique<Writable>(std::move(*file), *size);
    return IOStatus::OK();
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* result, IODebugContext*) override {
    auto file = files_.open(path, files::OpenMode::update);
    if (!file) return to_rocks(file.error());
    *result = std::make_unique<ReadWrite>(std::move(*file));
    return IOStatus::OK();
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) override {
    *result = std::make_unique<Directory>(files_, path);
    return IOStatus::OK();
  }
  IOStatus FileExists(const std::string& path, const IOOptions&, IODebugContext*) override {
    auto info = files_.stat(path);
    if (!info) return to_rocks(info.error());
    return *info ? IOStatus::OK() : IOStatus::NotFound(path);
  }
  IOStatus GetChildren(const std::string& path, const IOOptions&, std::vector<std::string>* result,
                       IODebugContext*) override {
    auto entries = files_.list(path);
    if (!entries) return to_rocks(entries.error());
    result->clear();
    for (files::Entry& entry : *entries) result->push_back(std::move(entry.name));
    return IOStatus::OK();
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) override {
    return to_rocks(files_.unlink(path));
  }
  IOStatus CreateDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return to_rocks(files_.make_folder(path));
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions&, IODebugContext*) override {
    auto info = files_.stat(path);
    if (info && *info) return IOStatus::OK();
    return to_rocks(files_.make_folder(path));
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return to_rocks(files_.remove_folder(path));
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions&, std::uint64_t* size,
                       IODebugContext*) override {
    auto info = files_.stat(path);
    if (!info) return to_rocks(info.error());
    if (!*info) return IOStatus::PathNotFound(path);
    *size = (*info)->size;
    return IOStatus::OK();
  }
  IOStatus GetFileModificationTime(const std::string& path, const IOOptions&, std::uint64_t* seconds,
                                   IODebugContext*) override {
    auto info = files_.stat(path);
    if (!info) return to_rocks(info.error());
    if (!*info) return IOStatus::PathNotFound(path);
    *seconds = static_cast<std::uint64_t>((*info)->modified_us / 1'000'000);
    return IOStatus::OK();
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                      IODebugContext*) override {
    return to_rocks(files_.rename(from, to));
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions&,
                    IODebugContext*) override {
    return to_rocks(files_.link(from, to));
  }
  IOStatus NumFileLinks(const std::string& path, const IOOptions&, std::uint64_t* count,
                        IODebugContext*) override {
    auto info = files_.stat(path);
    if (!info) return to_rocks(info.error());
    *count = *info ? (*info)->links : 0;
    return IOStatus::OK();
  }
  IOStatus AreFilesSame(const std::string& first, const std::string& second, const IOOptions&, bool* same,
                        IODebugContext*) override {
    auto a = files_.stat(first);
    auto b = files_.stat(second);
    if (!a) return to_rocks(a.error());
    if (!b) return to_rocks(b.error());
    *same = *a && *b && (*a)->inode == (*b)->inode && (*a)->device == (*b)->device;
    return IOStatus::OK();
  }
  // The state folder's own lock keeps other processes out.
  IOStatus LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** lock,
                    IODebugContext*) override {
    std::lock_guard guard(mutex_);
    if (!locked_.insert(path).second) return IOStatus::IOError(path + " is open already");
    *lock = new HeldLock(path);
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) override {
    std::unique_ptr<HeldLock> held(static_cast<HeldLock*>(lock));
    std::lock_guard guard(mutex_);
    locked_.erase(held->path);
    return IOStatus::OK();
  }
  IOStatus GetTestDirectory(const IOOptions&, std::string*, IODebugContext*) override {
    return IOStatus::NotSupported("no test folder");
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&, std::string* result,
                           IODebugContext*) override {
    *result = path;
    return IOStatus::OK();
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is, IODebugContext*) override {
    auto info = files_.stat(path);
    if (!info) return to_rocks(info.error());
    *is = *info && (*info)->kind == files::Kind::folder;
    return IOStatus::OK();
  }

 private:
  template <typename Wrapper, typename Base>
  IOStatus open(const std::string& path, std::unique_ptr<Base>* result) {
    auto file = files_.open(path, files::OpenMode::read);
    if (!file) return to_rocks(file.error());
    *result = std::make_unique<Wrapper>(std::move(*file));
    return IOStatus::OK();
  }

  files::Files& files_;
  std::mutex mutex_;  // guards locked_; nothing else is locked while it is held
  std::set<std::string> locked_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> make_rocks_files(files::Files& files) {
  return std::make_shared<RocksFiles>(files);
}

}  // namespace weir::state
