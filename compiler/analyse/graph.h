// Who reaches whom in a flow.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::analyse {

class Graph {
 public:
  explicit Graph(const flow::Program& program);

  // Source operators whose records reach the node, itself included; for rejected and late streams the sources that
  // feed them.
  const std::set<flow::NodeId>& sources(flow::NodeId node) const { return sources_[index(node)]; }
  // Whether some record that reaches the node can be read again after a crash.
  bool replayable(flow::NodeId node) const;
  const std::vector<flow::NodeId>& users(flow::NodeId node) const { return users_[index(node)]; }
  // Aggregates on the way to the node, itself included, in topological order.
  const std::set<flow::NodeId>& states(flow::NodeId node) const { return states_[index(node)]; }

 private:
  static std::size_t index(flow::NodeId node) { return static_cast<std::size_t>(node); }

  const flow::Program& program_;
  std::vector<std::set<flow::NodeId>> sources_;
  std::vector<std::set<flow::NodeId>> states_;
  std::vector<std::vector<flow::NodeId>> users_;
};

// Sources by declared name.
std::vector<std::string> names_of(const flow::Program& program, const std::set<flow::NodeId>& nodes);

// "a", "a and b", "a, b and c".
std::string list_text(const std::vector<std::string>& names);

// A duration as a script writes it: "10s", "1m", "250ms", "90s", "1h30m" is "90m".
std::string duration_text(std::int64_t microseconds);

}  // namespace weir::analyse
