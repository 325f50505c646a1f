// Event time: who needs it, and what makes it depend on a clock.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/analyse/graph.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

struct SourceTime {
  flow::NodeId source = 0;
  std::string expr;  // empty: untimed
  std::int64_t lateness = 0;
  std::optional<std::int64_t> idle_after;
  std::string accepted;                // reason of `accept timing`
  std::vector<flow::NodeId> late_for;  // aggregates that test lateness of this source's records
};

// One per source operator, in order.
std::vector<SourceTime> find_times(const flow::Program& program, const Graph& graph);

// `idle after` that some window depends on, without `accept timing`.
void report_times(const flow::Program& program, const std::vector<SourceTime>& times,
                  diagnostics::Diagnostics& out);

}  // namespace weir::analyse
