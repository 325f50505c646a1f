#include "runtime/files/lossy.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <mutex>
#include <set>

#include "runtime/files/lossy_nodes.h"
#include "runtime/files/system_error.h"

namespace weir::files {
namespace {

using lossy::Content;
using lossy::Descriptor;
using lossy::Folder;
using lossy::Node;

using Inode = std::pair<std::uint64_t, std::uint64_t>;

/// The folder that a path's last name is in.
struct Place {
  std::shared_ptr<Folder> folder;
  std::string name;
};

class LossyFiles;

class LossyFile final : public File {
 public:
  LossyFile(LossyFiles& files, std::shared_ptr<Content> content, std::string path)
      : files_(files), content_(std::move(content)), path_(std::move(path)) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) override;
  Result<void> append(std::string_view data) override;
  Result<void> write_at(std::uint64_t offset, std::string_view data) override;
  Result<void> truncate(std::uint64_t size) override;
  Result<std::uint64_t> size() override;
  Result<void> sync() override;
  Result<void> sync_data() override { return sync(); }

 private:
  LossyFiles& files_;
  std::shared_ptr<Content> content_;
  std::string path_;
};

class LossyFiles final : public Files {
 public:
  LossyFiles() : system_(make_system_files()) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Result<std::optional<Info>> stat(const std::string& path) override;
  Result<std::vector<Entry>> list(const std::string& path) override;
  Result<void> link(const std::string& from, const std::string& to) override;
  Result<void> rename(const std::string& from, const std::string& to) override;
  Result<void> unlink(const std::string& path) override;
  Result<void> make_folder(const std::string& path) override;
  Result<void> remove_folder(const std::string& path) override;
  Result<void> sync_folder(const std::string& path) override;
  Result<std::unique_ptr<Lock>> lock(const std::string& path, std::string_view contents) override;

  std::mutex mutex;  // guards every node
  /// Keeps a changed file that nobody has open. `mutex` is held.
  void note_dirty(const std::shared_ptr<Content>& content) { dirty_.insert(content); }
  void note_clean(const std::shared_ptr<Content>& content) { dirty_.erase(content); }

 private:
  // All with `mutex` held.
  Result<Place> locate(const std::string& path);
  Result<std::shared_ptr<Folder>> find_folder(const std::string& path);
  Result<Node> look_up(const std::shared_ptr<Folder>& folder, const std::string& name,
                       const std::string& path);
  Result<std::shared_ptr<Folder>> walk(std::string_view path, const std::string& whole);
  Result<std::shared_ptr<Folder>> disk_folder(const std::shared_ptr<Folder>& parent, const std::string& name,
                                              Inode inode, const std::string& path);
  Result<std::shared_ptr<Content>> disk_file(int folder, const std::string& name, Inode inode,
                                             const std::string& path);
  Result<std::shared_ptr<Content>> new_file(std::shared_ptr<Folder> folder, const std::string& path);
  Result<Descriptor> unnamed_file(std::shared_ptr<Folder> folder, const std::string& path);
  Result<bool> is_empty(const std::shared_ptr<Folder>& folder, const std::string& path);
  Result<std::vector<Entry>> list_names(const std::shared_ptr<Folder>& folder, const std::string& path);
  void drop_name(const Node& node);

  // From the process's view to the disk.
  Result<void> apply_names(const std::shared_ptr<Folder>& folder, const std::string& path);
  Result<void> put_file(const std::shared_ptr<Folder>& folder, const std::string& name,
                        const std::shared_ptr<Content>& content, const std::string& path);
  Result<void> put_folder(const std::shared_ptr<Folder>& parent, const std::string& name,
                          const std::shared_ptr<Folder>& folder, const std::string& path);
  Result<void> remove_from_disk(int folder, const std::string& name, const std::string& path);

  std::unique_ptr<Files> system_;
  std::map<Inode, std::weak_ptr<Content>> files_;
  std::map<Inode, std::shared_ptr<Folder>> folders_;
  std::set<std::shared_ptr<Content>> dirty_;
  std::uint64_t temporaries_ = 0;
};

std::optional<struct stat> look(int folder, const char* name) {
  struct stat info;
  if (::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return info;
}

Inode inode_of(const struct stat& info) {
  return {info.st_dev, info.st_ino};
}

// ---- an open file

Result<std::size_t> LossyFile::read_at(std::uint64_t offset, std::span<char> out) {
  std::scoped_lock guard(files_.mutex);
  return content_->read_at(offset, out, path_);
}

Result<void> LossyFile::append(std::string_view data) {
  std::scoped_lock guard(files_.mutex);
  content_->append(data);
  files_.note_dirty(content_);
  return {};
}

Result<void> LossyFile::write_at(std::uint64_t offset, std::string_view data) {
  std::scoped_lock guard(files_.mutex);
  content_->write_at(offset, data);
  files_.note_dirty(content_);
  return {};
}

Result<void> LossyFile::truncate(std::uint64_t size) {
  std::scoped_lock guard(files_.mutex);
  content_->truncate(size);
  files_.note_dirty(content_);
  return {};
}

Result<std::uint64_t> LossyFile::size() {
  std::scoped_lock guard(files_.mutex);
  return content_->size();
}

Result<void> LossyFile::sync() {
  std::scoped_lock guard(files_.mutex);
  WEIR_CHECK(content_->flush(path_));
  files_.note_clean(content_);
  return {};
}

// ---- from paths to nodes

Result<std::shared_ptr<Folder>> LossyFiles::walk(std::string_view path, const std::string& whole) {
  struct stat root;
  if (::stat("/", &root) != 0) return system_fail("look at", "/", errno);
  WEIR_TRY(auto folder, disk_folder(nullptr, "/", inode_of(root), whole));
  std::vector<std::shared_ptr<Folder>> parents;
  while (!path.empty()) {
    std::size_t slash = path.find('/');
    std::string name(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (!parents.empty()) {
        folder = parents.back();
        parents.pop_back();
      }
      continue;
    }
    WEIR_TRY(Node node, look_up(folder, name, whole));
    if (!node.folder) return system_fail("open", whole, node.file ? ENOTDIR : ENOENT);
    parents.push_back(folder);
    folder = node.folder;
  }
  return folder;
}

std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  char buffer[PATH_MAX];
  const char* working = ::getcwd(buffer, sizeof buffer);
  return join(working ? working : "/", path);
}

Result<std::shared_ptr<Folder>> LossyFiles::find_folder(const std::string& path) {
  return walk(absolute(path), path);
}

Result<Place> LossyFiles::locate(const std::string& path) {
  std::string whole = absolute(path);
  whole.resize(whole.find_last_not_of('/') + 1);
  std::size_t slash = whole.rfind('/');
  Place place;
  place.name = whole.substr(slash + 1);
  WEIR_TRY(place.folder, walk(std::string_view(whole).substr(0, slash), path));
  return place;
}

Result<Node> LossyFiles::look_up(const std::shared_ptr<Folder>& folder, const std::string& name,
                                 const std::string& path) {
  if (auto found = folder->names.find(name); found != folder->names.end()) return found->second;
  if (!folder->disk) return Node{};
  auto info = look(folder->disk.get(), name.c_str());
  if (!info) {
    if (errno == ENOENT) return Node{};
    return system_fail("look at", path, errno);
  }
  Node node;
  if (S_ISLNK(info->st_mode)) {
    char target[PATH_MAX];
    auto length = ::readlinkat(folder->disk.get(), name.c_str(), target, sizeof target);
    if (length < 0) return system_fail("look at", path, errno);
    // A link leads out of what this layer writes: taken as it is on disk.
    struct stat behind;
    if (::fstatat(folder->disk.get(), name.c_str(), &behind, 0) != 0)
      return system_fail("look at", path, errno);
    if (S_ISDIR(behind.st_mode)) {
      WEIR_TRY(node.folder, disk_folder(folder, name, inode_of(behind), path));
    } else {
      WEIR_TRY(node.file, disk_file(folder->disk.get(), name, inode_of(behind), path));
    }
  } else if (S_ISDIR(info->st_mode)) {
    WEIR_TRY(node.folder, disk_folder(folder, name, inode_of(*info), path));
  } else {
    WEIR_TRY(node.file, disk_file(folder->disk.get(), name, inode_of(*info), path));
  }
  return node;
}

Result<std::shared_ptr<Folder>> LossyFiles::disk_folder(const std::shared_ptr<Folder>& parent,
                                                        const std::string& name, Inode inode,
                                                        const std::string& path) {
  std::shared_ptr<Folder>& known = folders_[inode];
  if (known) return known;
  Descriptor disk(
      ::openat(parent ? parent->disk.get() : AT_FDCWD, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!disk) return system_fail("open", path, errno);
  known = std::make_shared<Folder>();
  known->disk = std::move(disk);
  known->disk_parent = parent;
  known->disk_name = name;
  return known;
}

Result<std::shared_ptr<Content>> LossyFiles::disk_file(int folder, const std::string& name, Inode inode,
                                                       const std::string& path) {
  if (auto known = files_[inode].lock()) return known;
  Descriptor disk(::openat(folder, name.c_str(), O_RDWR | O_CLOEXEC));
  if (!disk) disk = Descriptor(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!disk) return system_fail("open", path, errno);
  struct stat info;
  if (::fstat(disk.get(), &info) != 0) return system_fail("look at", path, errno);
  auto content = std::make_shared<Content>(std::move(disk), info.st_size, info.st_nlink);
  files_[inode] = content;
  return content;
}

Result<Descriptor> LossyFiles::unnamed_file(std::shared_ptr<Folder> folder, const std::string& path) {
  // The nearest folder on disk, for its file system.
  while (!folder->disk) folder = folder->disk_parent.lock();
  Descriptor disk(::openat(folder->disk.get(), ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0644));
  if (!disk) return system_fail("create", path, errno);
  return disk;
}

Result<std::shared_ptr<Content>> LossyFiles::new_file(std::shared_ptr<Folder> folder,
                                                      const std::string& path) {
  WEIR_TRY(Descriptor disk, unnamed_file(std::move(folder), path));
  struct stat info;
  if (::fstat(disk.get(), &info) != 0) return system_fail("look at", path, errno);
  auto content = std::make_shared<Content>(std::move(disk), 0, 1);
  files_[inode_of(info)] = content;
  return content;
}

// ---- what the process sees

Result<std::unique_ptr<File>> LossyFiles::open(const std::string& path, OpenMode mode) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place place, locate(path));
  WEIR_TRY(Node node, look_up(place.folder, place.name, path));
  if (node.folder) return system_fail("open", path, EISDIR);
  if (node.file && mode == OpenMode::create_new) return system_fail("create", path, EEXIST);
  if (!node.file) {
    if (mode == OpenMode::read || mode == OpenMode::update) return system_fail("open", path, ENOENT);
    WEIR_TRY(node.file, new_file(place.folder, path));
    place.folder->names[place.name] = node;
  } else if (mode == OpenMode::create_or_empty) {
    node.file->truncate(0);
    note_dirty(node.file);
  }
  return std::make_unique<LossyFile>(*this, node.file, path);
}

Result<std::optional<Info>> LossyFiles::stat(const std::string& path) {
  std::scoped_lock guard(mutex);
  Info info;
  int descriptor = -1;
  if (absolute(path).find_first_not_of('/') == std::string::npos) return system_->stat(path);
  auto place = locate(path);
  if (!place) {
    if (place.error().is(RunError::file_not_found)) return std::nullopt;
    return std::unexpected(place.error());
  }
  WEIR_TRY(Node node, look_up(place->folder, place->name, path));
  if (!node.present()) return std::nullopt;
  if (node.file) {
    info.size = node.file->size();
    info.links = node.file->links;
    descriptor = node.file->descriptor();
  } else {
    info.kind = Kind::folder;
    descriptor = node.folder->disk.get();
  }
  if (descriptor < 0) return info;
  struct statx disk;
  if (::statx(descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &disk) != 0)
    return system_fail("look at", path, errno);
  if (node.file && !S_ISREG(disk.stx_mode)) info.kind = Kind::other;
  info.device = (static_cast<std::uint64_t>(disk.stx_dev_major) << 32) | disk.stx_dev_minor;
  info.inode = disk.stx_ino;
  info.modified_us = disk.stx_mtime.tv_sec * 1'000'000 + disk.stx_mtime.tv_nsec / 1000;
  if (disk.stx_mask & STATX_BTIME)
    info.born_us = disk.stx_btime.tv_sec * 1'000'000 + disk.stx_btime.tv_nsec / 1000;
  return info;
}

Result<std::vector<Entry>> LossyFiles::list_names(const std::shared_ptr<Folder>& folder,
                                                  const std::string& path) {
  std::map<std::string, Kind> seen;
  if (folder->disk) {
    int copy = ::openat(folder->disk.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* stream = copy < 0 ? nullptr : ::fdopendir(copy);
    if (!stream) return system_fail("list", path, errno);
    while (const dirent* entry = ::readdir(stream)) {
      auto info = look(folder->disk.get(), entry->d_name);
      if (info)
        seen[entry->d_name] = S_ISDIR(info->st_mode)   ? Kind::folder
                              : S_ISREG(info->st_mode) ? Kind::file
                                                       : Kind::other;
    }
    ::closedir(stream);
    seen.erase(".");
    seen.erase("..");
  }
  for (const auto& [name, node] : folder->names) {
    if (node.present())
      seen[name] = node.folder ? Kind::folder : Kind::file;
    else
      seen.erase(name);
  }
  std::vector<Entry> entries;
  for (const auto& [name, kind] : seen) entries.push_back({name, kind});
  return entries;
}

Result<std::vector<Entry>> LossyFiles::list(const std::string& path) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(auto folder, find_folder(path));
  return list_names(folder, path);
}

Result<bool> LossyFiles::is_empty(const std::shared_ptr<Folder>& folder, const std::string& path) {
  WEIR_TRY(auto entries, list_names(folder, path));
  return entries.empty();
}

void LossyFiles::drop_name(const Node& node) {
  if (node.folder) node.folder->removed = true;
  if (node.file && node.file->links > 0 && --node.file->links == 0) dirty_.erase(node.file);
}

Result<void> LossyFiles::link(const std::string& from, const std::string& to) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place source, locate(from));
  WEIR_TRY(Place place, locate(to));
  WEIR_TRY(Node node, look_up(source.folder, source.name, from));
  if (!node.present()) return system_fail("link", from, ENOENT);
  if (node.folder) return system_fail("link", from, EPERM);
  WEIR_TRY(Node there, look_up(place.folder, place.name, to));
  if (there.present()) return system_fail(fmt::format("link {} to it", from), to, EEXIST);
  ++node.file->links;
  place.folder->names[place.name] = node;
  return {};
}

Result<void> LossyFiles::rename(const std::string& from, const std::string& to) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place source, locate(from));
  WEIR_TRY(Place place, locate(to));
  WEIR_TRY(Node node, look_up(source.folder, source.name, from));
  if (!node.present()) return system_fail("rename", from, ENOENT);
  WEIR_TRY(Node there, look_up(place.folder, place.name, to));
  if (there == node) return {};
  if (there.present()) {
    if (bool(there.folder) != bool(node.folder))
      return system_fail("rename to", to, there.folder ? EISDIR : ENOTDIR);
    if (there.folder) {
      WEIR_TRY(bool empty, is_empty(there.folder, to));
      if (!empty) return system_fail("rename to", to, ENOTEMPTY);
    }
    drop_name(there);
  }
  source.folder->names[source.name] = Node{};
  place.folder->names[place.name] = node;
  if (node.folder && !node.folder->disk) node.folder->disk_parent = place.folder;
  return {};
}

Result<void> LossyFiles::unlink(const std::string& path) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place place, locate(path));
  WEIR_TRY(Node node, look_up(place.folder, place.name, path));
  if (!node.present()) return system_fail("remove", path, ENOENT);
  if (node.folder) return system_fail("remove", path, EISDIR);
  drop_name(node);
  place.folder->names[place.name] = Node{};
  return {};
}

Result<void> LossyFiles::make_folder(const std::string& path) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place place, locate(path));
  WEIR_TRY(Node node, look_up(place.folder, place.name, path));
  if (node.present()) return system_fail("make folder", path, EEXIST);
  node.folder = std::make_shared<Folder>();
  node.folder->disk_parent = place.folder;
  place.folder->names[place.name] = node;
  return {};
}

Result<void> LossyFiles::remove_folder(const std::string& path) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place place, locate(path));
  WEIR_TRY(Node node, look_up(place.folder, place.name, path));
  if (!node.folder) return system_fail("remove folder", path, node.file ? ENOTDIR : ENOENT);
  WEIR_TRY(bool empty, is_empty(node.folder, path));
  if (!empty) return system_fail("remove folder", path, ENOTEMPTY);
  drop_name(node);
  place.folder->names[place.name] = Node{};
  return {};
}

Result<std::unique_ptr<Lock>> LossyFiles::lock(const std::string& path, std::string_view contents) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(Place place, locate(path));
  // A lock guards against other processes, so it is real at once, and so is the way to it.
  std::vector<std::pair<std::shared_ptr<Folder>, std::shared_ptr<Folder>>> made;
  for (auto folder = place.folder; !folder->disk;) {
    auto parent = folder->disk_parent.lock();
    made.emplace_back(parent, folder);
    folder = parent;
  }
  for (auto step = made.rbegin(); step != made.rend(); ++step)
    for (const auto& [name, node] : step->first->names)
      if (node.folder == step->second) {
        std::string made_name = name;
        WEIR_CHECK(put_folder(step->first, made_name, step->second, path));
        step->first->names.erase(made_name);
        break;
      }
  place.folder->names.erase(place.name);
  return system_->lock(path, contents);
}

// ---- to the disk

Result<void> LossyFiles::sync_folder(const std::string& path) {
  std::scoped_lock guard(mutex);
  WEIR_TRY(auto folder, find_folder(path));
  if (folder->disk) return apply_names(folder, path);
  folder->synced = folder->names;
  return {};
}

Result<void> LossyFiles::apply_names(const std::shared_ptr<Folder>& folder, const std::string& path) {
  std::map<std::string, Node> left;
  // Folders that move away first: another one may take their name.
  for (const auto& [name, node] : folder->names)
    if (node.folder && node.folder->disk) WEIR_CHECK(put_folder(folder, name, node.folder, path));
  for (const auto& [name, node] : folder->names) {
    if (node.file) WEIR_CHECK(put_file(folder, name, node.file, path));
    if (node.folder) WEIR_CHECK(put_folder(folder, name, node.folder, path));
  }
  for (const auto& [name, node] : folder->names) {
    if (node.present()) continue;
    auto info = look(folder->disk.get(), name.c_str());
    if (!info) continue;
    if (S_ISDIR(info->st_mode)) {
      auto known = folders_.find(inode_of(*info));
      // Moved elsewhere, and that folder is not synced yet: goes with that.
      if (known != folders_.end() && !known->second->removed) {
        left[name] = node;
        continue;
      }
    }
    WEIR_CHECK(remove_from_disk(folder->disk.get(), name, path));
  }
  folder->names = std::move(left);
  return {};
}

/// A name for an inode that has a descriptor.
int link_descriptor(int descriptor, int folder, const char* name) {
  if (::linkat(descriptor, "", folder, name, AT_EMPTY_PATH) == 0) return 0;
  if (errno == EEXIST) return -1;
  int error = errno;
  if (::linkat(AT_FDCWD, fmt::format("/proc/self/fd/{}", descriptor).c_str(), folder, name,
               AT_SYMLINK_FOLLOW) == 0)
    return 0;
  if (errno == ENOENT) errno = error;
  return -1;
}

Result<void> LossyFiles::put_file(const std::shared_ptr<Folder>& folder, const std::string& name,
                                  const std::shared_ptr<Content>& content, const std::string& path) {
  int at = folder->disk.get();
  struct stat own;
  if (::fstat(content->descriptor(), &own) != 0) return system_fail("sync", path, errno);
  auto there = look(at, name.c_str());
  if (there && inode_of(*there) == inode_of(own)) return {};
  std::string target = there ? fmt::format(".weir-lossy-{}", ++temporaries_) : name;
  if (there) ::unlinkat(at, target.c_str(), 0);
  if (link_descriptor(content->descriptor(), at, target.c_str()) != 0) {
    if (own.st_nlink != 0) return system_fail("sync", path, errno);
    // Its last name on disk is gone, and an inode without names takes none.
    WEIR_TRY(Descriptor fresh, unnamed_file(folder, path));
    WEIR_CHECK(content->move_to(std::move(fresh), path));
    if (::fstat(content->descriptor(), &own) != 0) return system_fail("sync", path, errno);
    files_[inode_of(own)] = content;
    if (link_descriptor(content->descriptor(), at, target.c_str()) != 0)
      return system_fail("sync", path, errno);
  }
  if (!there) return {};
  if (S_ISDIR(there->st_mode)) WEIR_CHECK(remove_from_disk(at, name, path));
  if (::renameat(at, target.c_str(), at, name.c_str()) != 0) return system_fail("sync", path, errno);
  return {};
}

Result<void> LossyFiles::put_folder(const std::shared_ptr<Folder>& parent, const std::string& name,
                                    const std::shared_ptr<Folder>& folder, const std::string& path) {
  int at = parent->disk.get();
  if (folder->disk) {
    auto from = folder->disk_parent.lock();
    if (from == parent && folder->disk_name == name) return {};
    if (look(at, name.c_str())) WEIR_CHECK(remove_from_disk(at, name, path));
    if (::renameat(from->disk.get(), folder->disk_name.c_str(), at, name.c_str()) != 0)
      return system_fail("sync", path, errno);
    folder->disk_parent = parent;
    folder->disk_name = name;
    return {};
  }
  if (look(at, name.c_str())) WEIR_CHECK(remove_from_disk(at, name, path));
  if (::mkdirat(at, name.c_str(), 0755) != 0) return system_fail("sync", path, errno);
  folder->disk = Descriptor(::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat info;
  if (!folder->disk || ::fstat(folder->disk.get(), &info) != 0) return system_fail("sync", path, errno);
  folders_[inode_of(info)] = folder;
  folder->disk_parent = parent;
  folder->disk_name = name;
  // The disk gets the names of its last sync; what came after stays with the process.
  auto seen = std::exchange(folder->names, std::exchange(folder->synced, {}));
  auto on_disk = folder->names;
  WEIR_CHECK(apply_names(folder, path));
  for (const auto& [entry, node] : on_disk)
    if (node.present() && !seen.contains(entry)) seen[entry] = Node{};
  std::erase_if(seen, [&](const auto& entry) {
    auto same = on_disk.find(entry.first);
    return same != on_disk.end() && same->second == entry.second;
  });
  folder->names = std::move(seen);
  return {};
}

Result<void> LossyFiles::remove_from_disk(int folder, const std::string& name, const std::string& path) {
  auto info = look(folder, name.c_str());
  if (!info) return {};
  if (!S_ISDIR(info->st_mode)) {
    if (::unlinkat(folder, name.c_str(), 0) != 0 && errno != ENOENT) return system_fail("sync", path, errno);
    return {};
  }
  // The process saw it empty when it removed it.
  int copy = ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (!stream) return system_fail("sync", path, errno);
  std::vector<std::string> inside;
  while (const dirent* entry = ::readdir(stream)) inside.emplace_back(entry->d_name);
  Result<void> result;
  for (const std::string& entry : inside)
    if (result && entry != "." && entry != "..") result = remove_from_disk(copy, entry, path);
  ::closedir(stream);
  WEIR_CHECK(result);
  if (::unlinkat(folder, name.c_str(), AT_REMOVEDIR) != 0) return system_fail("sync", path, errno);
  folders_.erase(inode_of(*info));
  return {};
}

}  // namespace

std::unique_ptr<Files> make_lossy_files() {
  return std::make_unique<LossyFiles>();
}

}  // namespace weir::files
