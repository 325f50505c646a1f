#include "compiler/analyse/graph.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weir::analyse {

Graph::Graph(const flow::Program& program)
    : program_(program),
      sources_(program.nodes.size()),
      states_(program.nodes.size()),
      users_(program.nodes.size()) {
  for (const flow::Node& node : program.nodes) {
    std::set<flow::NodeId>& sources = sources_[index(node.id)];
    std::set<flow::NodeId>& states = states_[index(node.id)];
    if (std::holds_alternative<flow::Source>(node.op)) sources.insert(node.id);
    if (const auto* rejected = std::get_if<flow::Rejected>(&node.op)) {
      sources.insert(rejected->sources.begin(), rejected->sources.end());
    }
    if (const auto* late = std::get_if<flow::Late>(&node.op))
      sources.insert(late->sources.begin(), late->sources.end());
    if (std::holds_alternative<flow::Aggregate>(node.op)) states.insert(node.id);
    for (flow::NodeId input : node.inputs) {
      sources.insert(sources_[index(input)].begin(), sources_[index(input)].end());
      states.insert(states_[index(input)].begin(), states_[index(input)].end());
      users_[index(input)].push_back(node.id);
    }
  }
}

bool Graph::replayable(flow::NodeId node) const {
  return std::any_of(sources(node).begin(), sources(node).end(), [&](flow::NodeId id) {
    return std::get<flow::Source>(program_.nodes[index(id)].op).replayable;
  });
}

std::vector<std::string> names_of(const flow::Program& program, const std::set<flow::NodeId>& nodes) {
  std::vector<std::string> out;
  for (flow::NodeId id : nodes) out.push_back(program.nodes[static_cast<std::size_t>(id)].stream);
  return out;
}

std::string list_text(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += names[i];
  }
  return out;
}

std::string duration_text(std::int64_t microseconds) {
  constexpr std::array<std::pair<std::int64_t, const char*>, 6> kUnits = {{
      {86'400'000'000, "d"},
      {3'600'000'000, "h"},
      {60'000'000, "m"},
      {1'000'000, "s"},
      {1'000, "ms"},
      {1, "us"},
  }};
  if (microseconds == 0) return "0s";
  for (const auto& [size, unit] : kUnits) {
    if (microseconds % size == 0) return std::to_string(microseconds / size) + unit;
  }
  return "";
}

}  // namespace weir::analyse
