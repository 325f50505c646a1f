#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/connectors/file/file_source.h"
#include "runtime/connectors/file/input_file.h"
#include "runtime/exec/input_buffer.h"
#include "runtime/exec/source.h"

namespace weir::connectors::file {

/// A file of a split: as it was discovered, and where it is now.
struct ListedFile {
  protocol::FileIdentity identity;
  std::string current_path;
  bool complete = false;  // ends at identity.size, and its unterminated last line is a record
};

/// The failure of a file that has `size` bytes, and was taken as complete at byte `complete_at`.
std::unexpected<Status> fail_grown(std::string_view source, std::string_view path, std::uint64_t size,
                                   std::uint64_t complete_at);

/// Files one after the other, as one split (of one file with `files: each`).
class FileSplit final : public exec::Split {
 public:
  /// For a followed ordered list, all files that are there now, in order; else empty.
  using Look = std::function<Result<std::vector<protocol::FileIdentity>>()>;
  FileSplit(std::shared_ptr<const FileSourceOptions> options, std::vector<ListedFile> files,
            std::uint64_t first_file, const protocol::SplitPosition& position, std::size_t read_size,
            Look look);

  /// Before anything is read: does the current file's header, as far as it is there, have what the type requires?
  Result<void> check_header();

  Result<exec::Readiness> read(exec::Piece& piece, bool more) override;
  bool too_long() const override { return stand_in_.active(); }
  std::string_view head_of_too_long() const override { return stand_in_.head(); }
  void consume(std::uint64_t bytes) override;
  std::uint64_t total() const override { return before_ + offset_; }
  void end() override;
  void note(protocol::SplitPosition& position) override;
  std::vector<protocol::FileIdentity> found_files() override { return found_; }

 private:
  /// How far the current file may be read now, and whether that is its end for good.
  struct Reach {
    std::uint64_t to = 0;
    bool final = false;
    bool caught_up = false;
  };
  Result<void> open_current();
  /// False: the header is not whole yet.
  Result<bool> read_header();
  Result<Reach> reach();
  /// The next file begins, or the split ends.
  Result<bool> next_file();
  /// Everything up to `to` was given out, and the current file may grow. It is complete once a later one has bytes;
  /// `ready` then, or when it has grown.
  Result<exec::Readiness> at_end_for_now(std::uint64_t to);
  /// Takes in what is new in the list. Failure: a file that was taken as complete has grown.
  Result<void> look_again();
  bool later_file_has_bytes() const;
  Result<void> checksum_up_to_position();
  Result<bool> skip_long_record(const Reach& reach);
  exec::Piece piece_of_buffer(const Reach& reach) const;
  ListedFile& current() { return files_[at_]; }

  std::shared_ptr<const FileSourceOptions> options_;
  std::vector<ListedFile> files_;
  std::uint64_t first_file_;  // index of files_[0] in the source's list
  Look look_;
  std::vector<protocol::FileIdentity> found_;  // new, or complete, since the source was opened
  std::size_t at_ = 0;
  std::uint64_t before_ = 0;  // bytes of the files before the current one
  std::uint64_t offset_ = 0;  // the position in the current file
  std::uint64_t header_end_ = 0;
  bool header_read_ = false;
  InputFile file_;
  std::shared_ptr<const void> decoder_;
  exec::InputBuffer buffer_;
  exec::StandIn stand_in_;
  std::uint64_t long_record_end_ = 0;
  bool ended_ = false;
  std::uint32_t checksum_ = 0;  // with verify_input: CRC-32C of the current file up to the position
};

}  // namespace weir::connectors::file
