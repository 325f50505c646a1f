#include "compiler/analyse/state/state.h"

#include "compiler/flow/text/tokens.h"

namespace weir::analyse {
namespace {

std::string value_text(const flow::Aggregation& a) {
  std::string out = a.name + ": " + std::string(flow::text::word(a.kind));
  if (a.argument != nullptr) out += " " + types::to_string(a.argument->type);
  return out;
}

void describe_window(const flow::Aggregate& aggregate, State& state) {
  if (!aggregate.window.has_value()) {
    state.closes = "never";
    state.growth = "one row per key, for ever";
    state.bounded = false;
    return;
  }
  state.keys.push_back("window of " + duration_text(aggregate.window->size));
  state.closes = "when the watermark reaches the end of the window; its rows leave the state";
  state.growth = aggregate.keys.empty() ? "one row per open window" : "one row per key and open window";
}

}  // namespace

std::vector<State> find_states(const flow::Program& program, const Graph& graph) {
  std::vector<State> out;
  for (const flow::Node& node : program.nodes) {
    const auto* aggregate = std::get_if<flow::Aggregate>(&node.op);
    if (aggregate == nullptr) continue;
    State state;
    state.node = node.id;
    state.name = node.stage;
    for (const flow::Key& key : aggregate->keys) {
      state.keys.push_back(key.name + ": " + types::to_string(key.value->type));
    }
    for (const flow::Aggregation& a : aggregate->aggregations) state.values.push_back(value_text(a));
    describe_window(*aggregate, state);
    state.lineage = names_of(program, graph.sources(node.id));
    out.push_back(std::move(state));
  }
  return out;
}

}  // namespace weir::analyse
