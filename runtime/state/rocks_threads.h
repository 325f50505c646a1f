#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>

namespace weir::state {

/// What one RocksDB runs in: our files, and two threads of its own (flushes, compactions) that end with it. The threads
/// that RocksDB would share over the whole process outlive every store, and a forked child would wait for them for ever.
std::unique_ptr<rocksdb::Env> make_rocks_env(const std::shared_ptr<rocksdb::FileSystem>& file_system);

}  // namespace weir::state
