#pragma once

#include <string>
#include <vector>

#include "runtime/connectors/file/input_file.h"

namespace weir::connectors::file {

// Names say where a file is at the moment, never which file it is: logs are rotated by renames while they are read.

/// The files that the pattern matches, in reading order, each once. Looks until two looks agree, so that a rename in
/// the middle of one neither hides a file nor changes the order. Failure: source_unreadable.
Result<std::vector<protocol::FileIdentity>> list_files(const std::string& pattern, bool in_order);

/// Opens this very file: at `path` if it is still there, else wherever the pattern finds it; `path` is then where.
/// Failure: split_missing, source_unreadable.
Result<InputFile> open_listed(const std::string& pattern, const protocol::FileIdentity& identity,
                              std::string& path);

}  // namespace weir::connectors::file
