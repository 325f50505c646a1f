// Carries origins through the operators to what observes them: state and sinks.
#pragma once

#include <set>
#include <vector>

#include "compiler/analyse/determinism/dependencies.h"
#include "compiler/analyse/graph.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

// What an origin decides, the gravest first.
enum class Aspect : std::uint8_t { identity, existence, key, time, value };

// Where an origin enters an operator.
struct Use {
  int origin = 0;  // index into Taint::origins
  Aspect aspect = Aspect::value;
  flow::NodeId node = 0;
  const flow::Expr* expr = nullptr;  // the root expression there
  std::string column;                // of the operator's row; empty where none is made
};

// An operator that keeps state or a sink, reached by an origin.
struct Reach {
  int origin = 0;
  flow::NodeId node = 0;
};

struct Taint {
  struct Found {
    Origin origin;
    flow::NodeId node = 0;  // whose expression has it
    const flow::Expr* root = nullptr;
  };
  std::vector<Found> origins;
  std::vector<Use> uses;           // topological order
  std::vector<Reach> reaches;      // topological order
  std::set<flow::NodeId> tainted;  // states and sinks whose result is not reproducible
};

Taint find_taint(const flow::Program& program, const Graph& graph, const DependencyFinder& finder);

}  // namespace weir::analyse
