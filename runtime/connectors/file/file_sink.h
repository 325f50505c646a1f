#pragma once

#include <memory>
#include <string>

#include "runtime/files/host.h"
#include "runtime/outbox/sink.h"

namespace weir::connectors::file {

struct FileSinkOptions {
  std::string name;                  // of the sink: letters, digits, underscores
  std::string target;                // folder; made if absent
  std::string extension = "ndjson";  // or "csv"
  std::string header;                // first bytes of each file; CSV: the column names with their line end
  std::uint64_t roll_size =
      128ull << 20;  // bytes; a file is closed at the first barrier at which it has as many
  std::int64_t roll_every_us =
      60'000'000;  // a file is closed at the first barrier at which it is as old; 0: at each
  std::size_t buffer_size = 256 << 10;  // bytes collected before a write
};

/// Rows become visible as whole files SINK-LINEAGE8-GENERATION-LANE-COUNTER.EXTENSION directly in the target. A file
/// without rows is never made. Staged files are in TARGET/.weir/SINK/GENERATION/.
std::unique_ptr<outbox::Sink> make_file_sink(files::Host& host, FileSinkOptions options);

}  // namespace weir::connectors::file
