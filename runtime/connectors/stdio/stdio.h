#pragma once

#include <memory>
#include <string>

#include "runtime/connectors/file/file_source.h"
#include "runtime/exec/source.h"

namespace weir::connectors::stdio {

struct StdinOptions {
  std::string name;
  bool header = false;  // the first record is a CSV header
  file::OpenDecoder open_decoder;
};

/// Standard input as one split. What was read is gone: nothing can be resumed.
std::unique_ptr<exec::Source> make_stdin_source(StdinOptions options);

/// Standard output, one write at a time. A CSV header goes before the first rows.
std::shared_ptr<exec::View> make_stdout_view(std::string header);

}  // namespace weir::connectors::stdio
