#include "runtime/files/lossy_nodes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/files/system_error.h"

namespace weir::files::lossy {
namespace {

Result<std::size_t> read_disk(int descriptor, std::uint64_t offset, std::span<char> out,
                              const std::string& path) {
  std::size_t done = 0;
  while (done < out.size()) {
    auto got = ::pread(descriptor, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_fail("read", path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<void> write_disk(int descriptor, std::uint64_t offset, std::string_view data,
                        const std::string& path) {
  while (!data.empty()) {
    auto put = ::pwrite(descriptor, data.data(), data.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return system_fail("write", path, errno);
    offset += static_cast<std::uint64_t>(put);
    data.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Result<std::size_t> Content::read_at(std::uint64_t offset, std::span<char> out,
                                     const std::string& path) const {
  if (offset >= size()) return 0;
  out = out.first(std::min<std::uint64_t>(out.size(), size() - offset));
  std::size_t from_disk = offset < kept_ ? std::min<std::uint64_t>(out.size(), kept_ - offset) : 0;
  WEIR_TRY(std::size_t got, read_disk(disk_.get(), offset, out.first(from_disk), path));
  if (got < from_disk) return system_fail("read", path, EIO);
  for (const auto& [at, data] : patches_) {
    std::uint64_t begin = std::max(at, offset);
    std::uint64_t end = std::min(at + data.size(), offset + from_disk);
    if (begin < end) std::memcpy(out.data() + (begin - offset), data.data() + (begin - at), end - begin);
  }
  if (from_disk < out.size())
    std::memcpy(out.data() + from_disk, tail_.data() + (offset + from_disk - kept_), out.size() - from_disk);
  return out.size();
}

void Content::write_at(std::uint64_t offset, std::string_view data) {
  if (offset < kept_) {
    std::size_t length = std::min<std::uint64_t>(data.size(), kept_ - offset);
    patches_.emplace_back(offset, data.substr(0, length));
    data.remove_prefix(length);
    offset += length;
  }
  if (data.empty()) return;
  std::uint64_t at = offset - kept_;
  if (tail_.size() < at + data.size()) tail_.resize(at + data.size());
  std::memcpy(tail_.data() + at, data.data(), data.size());
}

void Content::truncate(std::uint64_t size) {
  if (size >= kept_) {
    tail_.resize(size - kept_);
    return;
  }
  kept_ = size;
  tail_.clear();
  std::erase_if(patches_, [&](const auto& patch) { return patch.first >= size; });
  for (auto& [at, data] : patches_) data.resize(std::min<std::uint64_t>(data.size(), size - at));
}

Result<void> Content::flush(const std::string& path) {
  if (kept_ < disk_size_) {
    if (::ftruncate(disk_.get(), static_cast<off_t>(kept_)) != 0) return system_fail("sync", path, errno);
    disk_size_ = kept_;
  }
  for (const auto& [at, data] : patches_) WEIR_CHECK(write_disk(disk_.get(), at, data, path));
  patches_.clear();
  WEIR_CHECK(write_disk(disk_.get(), kept_, tail_, path));
  kept_ += tail_.size();
  disk_size_ = kept_;
  tail_.clear();
  return {};
}

Result<void> Content::move_to(Descriptor disk, const std::string& path) {
  std::string buffer(1 << 20, '\0');
  for (std::uint64_t offset = 0; offset < disk_size_;) {
    WEIR_TRY(std::size_t got, read_disk(disk_.get(), offset, buffer, path));
    if (got == 0) break;
    WEIR_CHECK(write_disk(disk.get(), offset, std::string_view(buffer).substr(0, got), path));
    offset += got;
  }
  disk_ = std::move(disk);
  return {};
}

}  // namespace weir::files::lossy
