#pragma once

#include <string>

#include "runtime/base/status.h"
#include "runtime/files/host.h"
#include "runtime/outbox/sink.h"

namespace weir::connectors::file {

/// Makes `claim` the owner of the target: TARGET/.weir/claim.json, linked if absent. Owned already: success. Owned by
/// somebody else: foreign_target; with `replace_output`, and if it is another lineage of the same pipeline, what that
/// lineage published and staged is removed first, and nothing else. TARGET/.weir exists.
Result<void> claim_target(files::Host& host, const std::string& target, const outbox::Claim& claim);

}  // namespace weir::connectors::file
