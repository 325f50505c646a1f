#pragma once

#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/files/files.h"
#include "runtime/protocol/slot.h"

namespace weir::log {

/// A copy of a slot that is not as it should be, while the other copy is whole.
struct Repair {
  std::uint64_t number = 0;
  std::string path;      // of the bad copy
  bool damaged = false;  // present with wrong contents; else absent
  std::string contents;  // what it must be
};

struct Contents {
  std::vector<protocol::Slot> slots;  // ascending, without gaps, from the oldest that is needed
  std::vector<Repair> repairs;
  std::uint64_t lowest = 0;  // number of the lowest slot file, needed or not; 0: none
};

/// Reads and checks both copies of the log in `folder` (which has `a` and `b`). Writes nothing. An absent folder is
/// an empty log. What another process changes meanwhile is no failure: the log is read again. Failures: slot_damaged, slot_missing, slot_version, copies_disagree, payload_invalid.
Result<Contents> read_log(files::Files& files, const std::string& folder);

}  // namespace weir::log
