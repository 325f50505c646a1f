#pragma once

#include <memory>

#include "runtime/files/files.h"

namespace weir::files {

/// A layer over the operating system's files that keeps back what is not synced: a file's contents until sync of that
/// file, a folder's names (created, linked, renamed, removed, made) until sync_folder of that folder. The process
/// sees all its own changes; other processes, and whoever comes after a SIGKILL, see what was synced. So a kill at any
/// moment has the effect of a power cut. What is synced goes to the page cache only, which a SIGKILL does not empty.
///
/// A file without a durable name lives in an unnamed inode (O_TMPFILE), so that it is gone with the process. Locks are
/// real. Needs a file system with O_TMPFILE; any thread, one lock around everything.
std::unique_ptr<Files> make_lossy_files();

}  // namespace weir::files
