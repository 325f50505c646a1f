#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/status.h"

namespace weir::files::lossy {

/// A descriptor with an owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// A regular file: what is on disk, and what was written since its last sync.
class Content {
 public:
  Content(Descriptor disk, std::uint64_t disk_size, std::uint64_t names)
      : links(names), disk_(std::move(disk)), kept_(disk_size), disk_size_(disk_size) {}

  std::uint64_t size() const { return kept_ + tail_.size(); }
  int descriptor() const { return disk_.get(); }
  bool dirty() const { return kept_ != disk_size_ || !tail_.empty() || !patches_.empty(); }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out, const std::string& path) const;
  void append(std::string_view data) { tail_ += data; }
  void write_at(std::uint64_t offset, std::string_view data);
  void truncate(std::uint64_t size);
  /// Brings the disk to what the process sees.
  Result<void> flush(const std::string& path);
  /// Gives the same disk contents to another, unnamed inode.
  Result<void> move_to(Descriptor disk, const std::string& path);

  std::uint64_t links;  // names that the process sees

 private:
  Descriptor disk_;
  std::uint64_t kept_;  // the first bytes on disk that still count
  std::uint64_t disk_size_;
  std::string tail_;                                            // what comes after them
  std::vector<std::pair<std::uint64_t, std::string>> patches_;  // written over them, oldest first
};

struct Folder;

/// What a name stands for; neither: the name is absent.
struct Node {
  std::shared_ptr<Content> file;
  std::shared_ptr<Folder> folder;
  bool present() const { return file || folder; }
  friend bool operator==(const Node&, const Node&) = default;
};

struct Folder {
  Descriptor disk;                     // none: not durable itself yet
  std::map<std::string, Node> names;   // where the process sees something else than the disk has
  std::map<std::string, Node> synced;  // without `disk`: its names as of its last sync
  // Where it is on disk.
  std::weak_ptr<Folder> disk_parent;
  std::string disk_name;
  bool removed = false;  // the process does not see it any more
};

}  // namespace weir::files::lossy
