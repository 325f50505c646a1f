#include "compiler/lower/graph.h"

#include <algorithm>

namespace weir::lower {

using flow::NodeId;
using flow::Policy;

namespace {

// fail is stricter than to, to stricter than drop.
int strictness(Policy policy) {
  switch (policy) {
    case Policy::kFail:
      return 2;
    case Policy::kTo:
      return 1;
    case Policy::kDrop:
      return 0;
  }
  return 2;
}

template <typename T>
void merge(std::set<T>& into, const std::set<T>& from) {
  into.insert(from.begin(), from.end());
}

}  // namespace

const flow::Source& Graph::source(int index) const {
  return std::get<flow::Source>(node(sources[static_cast<std::size_t>(index)]).op);
}

Graph::Graph(const flow::Program& p) : program(p) {
  const std::size_t count = p.nodes.size();
  consumers.resize(count);
  number.assign(count, -1);
  lineage.resize(count);
  policy.assign(count, 0);
  inputs.resize(count);
  of_errors.assign(count, false);

  const auto enter = [&](std::vector<NodeId>& list, NodeId id) {
    number[static_cast<std::size_t>(id)] = static_cast<int>(list.size());
    list.push_back(id);
  };
  for (const flow::Node& n : p.nodes) {
    for (NodeId input : n.inputs) consumers[static_cast<std::size_t>(input)].push_back(n.id);
    if (std::holds_alternative<flow::Source>(n.op)) enter(sources, n.id);
    if (std::holds_alternative<flow::Aggregate>(n.op)) enter(operators, n.id);
    if (std::holds_alternative<flow::Sink>(n.op)) enter(sinks, n.id);
  }

  rejected.assign(sources.size(), -1);
  late.assign(sources.size(), -1);
  for (const flow::Node& n : p.nodes) {
    if (const auto* stream = std::get_if<flow::Rejected>(&n.op)) {
      for (NodeId id : stream->sources)
        rejected[static_cast<std::size_t>(number[static_cast<std::size_t>(id)])] = n.id;
    }
    if (const auto* stream = std::get_if<flow::Late>(&n.op)) {
      for (NodeId id : stream->sources)
        late[static_cast<std::size_t>(number[static_cast<std::size_t>(id)])] = n.id;
    }
  }

  // Inputs come before users; streams of errors and late records name their sources.
  for (const flow::Node& n : p.nodes) {
    const auto id = static_cast<std::size_t>(n.id);
    const auto from_sources = [&](const std::vector<NodeId>& list) {
      for (NodeId source : list) {
        lineage[id].insert(number[static_cast<std::size_t>(source)]);
        inputs[id].insert({false, number[static_cast<std::size_t>(source)]});
      }
    };
    if (number[id] >= 0 && std::holds_alternative<flow::Source>(n.op)) lineage[id].insert(number[id]);
    if (const auto* stream = std::get_if<flow::Rejected>(&n.op)) {
      from_sources(stream->sources);
      of_errors[id] = true;
    }
    if (const auto* stream = std::get_if<flow::Late>(&n.op)) from_sources(stream->sources);
    for (NodeId input : n.inputs) {
      const auto from = static_cast<std::size_t>(input);
      merge(lineage[id], lineage[from]);
      if (of_errors[from]) of_errors[id] = true;
      if (std::holds_alternative<flow::Source>(node(input).op)) {
        inputs[id].insert({false, number[from]});
      } else if (std::holds_alternative<flow::Aggregate>(node(input).op)) {
        inputs[id].insert({true, number[from]});
      } else {
        merge(inputs[id], inputs[from]);
      }
    }
    for (int source_number : lineage[id]) {
      if (lineage[id].count(policy[id]) == 0 ||
          strictness(source(source_number).on_error) > strictness(source(policy[id]).on_error)) {
        policy[id] = source_number;
      }
    }
  }

  // The rows of an operator can be rejected too.
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const auto id = static_cast<std::size_t>(operators[i]);
    if (of_errors[id]) continue;
    const NodeId stream = rejected[static_cast<std::size_t>(policy[id])];
    if (stream < 0) continue;
    const Upstream upstream{true, static_cast<int>(i)};
    for (const flow::Node& n : p.nodes) {
      const auto other = static_cast<std::size_t>(n.id);
      const bool is_stream = n.id == stream;
      const bool below = std::any_of(n.inputs.begin(), n.inputs.end(), [&](NodeId input) {
        return inputs[static_cast<std::size_t>(input)].count(upstream) > 0 &&
               of_errors[static_cast<std::size_t>(input)] &&
               !std::holds_alternative<flow::Aggregate>(node(input).op);
      });
      if (is_stream || (below && of_errors[other])) inputs[other].insert(upstream);
    }
  }
}

std::string Graph::operator_name(int index) const {
  const flow::Node& wanted = node(operators[static_cast<std::size_t>(index)]);
  int place = 1;
  for (int i = 0; i < index; ++i) {
    if (node(operators[static_cast<std::size_t>(i)]).stream == wanted.stream) ++place;
  }
  return wanted.stream + ".aggregate" + (place == 1 ? "" : std::to_string(place));
}

}  // namespace weir::lower
