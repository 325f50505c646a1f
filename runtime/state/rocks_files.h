#pragma once

#include <rocksdb/file_system.h>

#include <memory>

#include "runtime/files/files.h"

namespace weir::state {

/// RocksDB's files, by way of the one file layer. `files` outlives it. Any thread.
std::shared_ptr<rocksdb::FileSystem> make_rocks_files(files::Files& files);

}  // namespace weir::state
