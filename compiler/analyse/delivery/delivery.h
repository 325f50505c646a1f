// What each sink promises, and why not more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/analyse/graph.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

// Ascending.
enum class Guarantee : std::uint8_t { none, best_effort, at_least_once, effectively_once, exactly_once };

std::string_view to_string(Guarantee guarantee);  // "exactly once"
// Takes "exactly once" and "exactly_once".
std::optional<Guarantee> parse_guarantee(std::string_view text);

// A place on the way to a sink that promises less.
struct WeakLink {
  flow::NodeId node = 0;
  Guarantee guarantee = Guarantee::exactly_once;
  std::string reason;
};

struct Delivery {
  flow::NodeId sink = 0;
  bool view = false;  // stdout: not a delivery
  Guarantee guarantee = Guarantee::exactly_once;
  Guarantee required = Guarantee::exactly_once;  // less if the sink accepts less
  std::string accepted_reason;
  source::Span accepted_span;
  bool accepts = false;
  std::vector<WeakLink> links;  // those that are below exactly once
  std::string condition;
  std::string visible_after;
  std::string boundary;  // where it ends
  std::string because;
};

// One per sink, in order.
std::vector<Delivery> find_deliveries(const flow::Program& program, const Graph& graph);

void report_deliveries(const flow::Program& program, const Graph& graph,
                       const std::vector<Delivery>& deliveries, diagnostics::Diagnostics& out);

// The text of a connector's argument: "data/*.ndjson", "$out", ""; `name` is "path" mostly.
std::string argument_text(const std::vector<flow::Argument>& arguments, const std::string& name,
                          const flow::Program& program);

}  // namespace weir::analyse
