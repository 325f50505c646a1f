// Facts about a program's graph that both the code and the plan need: numbers of sources, operators and sinks, who
// consumes whom, which sources reach a node and whose error policy applies there. Computed once, then read only.
#pragma once

#include <set>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::lower {

// What feeds a node, through stateless steps: a source or a stateful operator, by their numbers in the plan.
struct Upstream {
  bool is_operator = false;
  int index = 0;
  friend auto operator<=>(const Upstream&, const Upstream&) = default;
};

struct Graph {
  explicit Graph(const flow::Program& program);

  const flow::Program& program;
  std::vector<std::vector<flow::NodeId>> consumers;  // by node
  std::vector<flow::NodeId> sources;                 // in the order of the plan
  std::vector<flow::NodeId> operators;
  std::vector<flow::NodeId> sinks;
  std::vector<int> number;                 // by node: its place in one of the lists above, or -1
  std::vector<std::set<int>> lineage;      // by node: the sources that reach it
  std::vector<int> policy;                 // by node: the source with the strictest error policy
  std::vector<std::set<Upstream>> inputs;  // by node
  std::vector<bool> of_errors;             // by node: below a stream of rejected records
  std::vector<flow::NodeId> rejected;      // by source: the node of its rejected stream, or -1
  std::vector<flow::NodeId> late;          // by source: the node of its late stream, or -1

  const flow::Node& node(flow::NodeId id) const { return program.nodes[static_cast<std::size_t>(id)]; }
  const flow::Source& source(int index) const;
  // "revenue.aggregate", "revenue.aggregate2": stable while the stream's other steps change.
  std::string operator_name(int index) const;
};

}  // namespace weir::lower
