#include "runtime/connectors/file/input_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <glob.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "runtime/base/crc32c.h"
#include "runtime/value/helpers.h"

namespace weir::connectors::file {
namespace {

std::unexpected<Status> failed(const std::string& path) {
  return fail(RunError::source_unreadable, fmt::format("{}: {}", path, std::strerror(errno)), errno);
}

}  // namespace

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<InputFile> InputFile::open(const std::string& path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed(path);
  return InputFile(path, descriptor);
}

Result<std::size_t> InputFile::read_at(std::uint64_t offset, std::span<char> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    ssize_t got =
        ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed(path_);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<std::uint64_t> InputFile::size() const {
  struct stat info{};
  if (::fstat(descriptor_, &info) != 0) return failed(path_);
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::optional<std::uint64_t>> InputFile::hash(std::uint64_t from, std::uint64_t length) const {
  std::string bytes(length, '\0');
  WEIR_TRY(std::size_t got, read_at(from, bytes));
  if (got < length) return std::nullopt;
  return weir_hash(bytes.data(), bytes.size());
}

Result<std::optional<std::uint32_t>> InputFile::checksum(std::uint64_t length) const {
  std::uint32_t sum = 0;
  std::string chunk(1 << 20, '\0');
  for (std::uint64_t at = 0; at < length;) {
    std::size_t want = std::min<std::uint64_t>(chunk.size(), length - at);
    WEIR_TRY(std::size_t got, read_at(at, {chunk.data(), want}));
    if (got < want) return std::nullopt;
    sum = base::crc32c({chunk.data(), got}, sum);
    at += got;
  }
  return sum;
}

Result<protocol::FileIdentity> InputFile::identify() const {
  struct statx info{};
  if (::statx(descriptor_, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &info) != 0)
    return failed(path_);
  protocol::FileIdentity identity;
  identity.path = path_;
  identity.device = makedev(info.stx_dev_major, info.stx_dev_minor);
  identity.inode = info.stx_ino;
  if (info.stx_mask & STATX_BTIME)
    identity.born_us =
        static_cast<std::int64_t>(info.stx_btime.tv_sec) * 1'000'000 + info.stx_btime.tv_nsec / 1000;
  identity.size = info.stx_size;
  identity.head_length = std::min(identity.size, head_limit);
  WEIR_TRY(auto head, hash(0, identity.head_length));
  identity.head_hash = head.value_or(0);
  return identity;
}

bool same_file(const protocol::FileIdentity& a, const protocol::FileIdentity& b) {
  return a.device == b.device && a.inode == b.inode && a.born_us == b.born_us;
}

Result<std::vector<std::string>> match_files(const std::string& pattern) {
  glob_t matched{};
  int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matched);
  std::vector<std::string> paths;
  for (std::size_t at = 0; result == 0 && at < matched.gl_pathc; ++at) {
    struct stat info{};
    if (::stat(matched.gl_pathv[at], &info) == 0 && S_ISREG(info.st_mode))
      paths.emplace_back(matched.gl_pathv[at]);
  }
  ::globfree(&matched);
  if (result != 0 && result != GLOB_NOMATCH)
    return fail(RunError::source_unreadable, fmt::format("{}: cannot be listed", pattern));
  return paths;
}

}  // namespace weir::connectors::file
