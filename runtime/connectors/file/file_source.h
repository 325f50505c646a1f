#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/exec/source.h"

namespace weir::connectors::file {

/// Makes what weir_input.decoder points to, from a file's header record (without its line end; CSV only). Null where
/// the format needs none. The error says what is missing.
using OpenDecoder =
    std::function<std::expected<std::shared_ptr<const void>, std::string>(std::string_view header)>;

struct FileSourceOptions {
  std::string name;
  std::string pattern;        // as the shell's
  bool in_order = false;      // all files are one split
  bool follow = false;        // files grow; else each ends where it ended at the first start
  bool until_end = false;     // of followed files: no further than their sizes at this start
  bool header = false;        // the first record of each file is a CSV header
  bool verify_input = false;  // keeps a checksum of all that is read, which every later start compares
  OpenDecoder open_decoder;   // may be empty
};

std::unique_ptr<exec::Source> make_file_source(FileSourceOptions options);

}  // namespace weir::connectors::file
