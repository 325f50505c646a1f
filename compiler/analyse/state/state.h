// What operators keep between records.
#pragma once

#include <string>
#include <vector>

#include "compiler/analyse/graph.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

struct State {
  flow::NodeId node = 0;
  std::string name;                 // stage
  std::vector<std::string> keys;    // "customer: string", "window"
  std::vector<std::string> values;  // "total: sum decimal(12, 2)"
  std::string closes;               // when rows leave
  std::string growth;
  bool bounded = true;               // it shrinks by itself
  std::vector<std::string> lineage;  // sources whose records it holds
};

// One per aggregate, in topological order.
std::vector<State> find_states(const flow::Program& program, const Graph& graph);

}  // namespace weir::analyse
