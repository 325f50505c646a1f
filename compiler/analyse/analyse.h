// Everything that is proved about a flow: determinism, identity, time, state, delivery, and the report that says so.
#pragma once

#include <string>
#include <vector>

#include "compiler/analyse/effects.h"
#include "compiler/analyse/identity/identity.h"
#include "compiler/analyse/report/report.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

struct Analysis {
  Report report;
  std::vector<Identity> identities;  // per node
};

// `program` must be a verified flow. Findings are appended to `out`; the analysis is made in any case.
Analysis analyse(const flow::Program& program, diagnostics::Diagnostics& out);
// With other effects than the library's, for tests.
Analysis analyse(const flow::Program& program, const EffectsOf& effects_of, diagnostics::Diagnostics& out);

// `weir explain SCRIPT --identity`: one line per stream and stage.
std::string identity_listing(const flow::Program& program, const Analysis& analysis);

}  // namespace weir::analyse
