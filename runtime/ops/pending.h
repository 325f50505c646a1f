#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/files/host.h"
#include "runtime/outbox/sink.h"
#include "runtime/protocol/recovery.h"

namespace weir::ops {

/// A decided delivery that the log does not acknowledge, and what its target shows of it.
struct PendingDelivery {
  protocol::PendingFile pending;
  std::optional<outbox::Peek> shows;  // absent: this target cannot be asked from here
};

struct PendingReport {
  protocol::Recovery recovery;
  std::vector<PendingDelivery> deliveries;
};

/// What the log in the state folder owes. Reads only; the program may be running. Paths of targets are taken from the
/// working folder, as the program took them.
Result<PendingReport> read_pending(files::Host& host, const std::string& state_folder);

/// As text, one delivery a line.
std::string to_text(const PendingReport& report);

/// Gives up the deliveries with these file names: an `amend` slot says that they count as acknowledged, and why. The
/// program must not be running. Refused are names that are not pending (payload_invalid) and deliveries that the next
/// start can settle by itself (delivery_settled). Nothing is written then.
Result<void> accept(files::Host& host, const std::string& state_folder, const std::vector<std::string>& names,
                    const std::string& reason);

}  // namespace weir::ops
