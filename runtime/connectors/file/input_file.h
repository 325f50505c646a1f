#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/protocol/manifest.h"

namespace weir::connectors::file {

inline constexpr std::uint64_t head_limit = 4 << 10;
/// A position's guard of up to this many bytes is their xxh3-64. A longer one is the CRC-32C of everything before the
/// position, kept by a run with --verify-input.
inline constexpr std::uint64_t guard_limit = 64 << 10;

/// An input file, open for reading. Inputs are not Weir's own: they are read from the system directly.
class InputFile {
 public:
  /// Failure: source_unreadable.
  static Result<InputFile> open(const std::string& path);
  InputFile() = default;
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  bool is_open() const { return descriptor_ >= 0; }
  /// Fewer bytes only at the end of the file.
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> out) const;
  Result<std::uint64_t> size() const;
  /// xxh3-64 of [from, from + length); no value: the file is shorter.
  Result<std::optional<std::uint64_t>> hash(std::uint64_t from, std::uint64_t length) const;
  /// CRC-32C of [0, length); no value: the file is shorter.
  Result<std::optional<std::uint32_t>> checksum(std::uint64_t length) const;
  /// What the file is now.
  Result<protocol::FileIdentity> identify() const;

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
};

bool same_file(const protocol::FileIdentity& a, const protocol::FileIdentity& b);

/// Regular files that the pattern matches, as the shell would, unsorted.
Result<std::vector<std::string>> match_files(const std::string& pattern);

}  // namespace weir::connectors::file
