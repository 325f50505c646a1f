#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "runtime/connectors/file/file_sink.h"
#include "runtime/files/host.h"
#include "runtime/outbox/sink.h"

namespace weir::connectors::file {

/// Staged files of one generation that are not durable up to their last cut: lanes put them in, the sink's prepare
/// takes them. Any thread.
class OpenFiles {
 public:
  void add(const std::string& name, std::shared_ptr<files::File> file);
  /// Absent: null.
  std::shared_ptr<files::File> find(const std::string& name);
  void remove(const std::string& name);
  /// Were names added since the last call?
  bool take_new_names();

 private:
  std::mutex mutex_;  // guards all
  std::map<std::string, std::shared_ptr<files::File>> files_;
  bool new_names_ = false;
};

/// Where a lane's files go.
struct LanePlace {
  std::string target;
  std::string folder;  // of staged files, below the target
  std::string lineage8;
  std::uint64_t generation = 0;
  std::uint32_t lane = 0;
};

/// Appends rows to a staged file, which it makes at the first row. See outbox::Lane.
class FileLane final : public outbox::Lane {
 public:
  FileLane(files::Host& host, const FileSinkOptions& options, LanePlace place,
           std::shared_ptr<OpenFiles> open_files);

  Result<void> append(std::string_view rows, std::uint64_t count) override;
  Result<outbox::LaneCut> cut(std::uint64_t epoch, outbox::Roll roll) override;

 private:
  Result<void> begin_file();
  Result<void> flush();
  bool due() const;

  files::Host& host_;
  FileSinkOptions options_;
  LanePlace place_;
  std::shared_ptr<OpenFiles> open_files_;

  std::uint64_t counter_ = 0;
  std::shared_ptr<files::File> file_;  // null: none is open
  protocol::StagedFile staged_;        // of the open file; length and checksum of what was written to it
  std::int64_t opened_us_ = 0;
  std::string buffer_;  // not yet written
  bool failed_ = false;
  // Of the epoch under way.
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace weir::connectors::file
