#include "compiler/analyse/time/time.h"

#include "compiler/analyse/identity/identity.h"

namespace weir::analyse {
namespace {

// Windows over the source's own records: those behind an earlier window get rows that are never late.
bool tests_lateness(const flow::Program& program, const Graph& graph, const flow::Node& node,
                    flow::NodeId source) {
  const auto* aggregate = std::get_if<flow::Aggregate>(&node.op);
  if (aggregate == nullptr || !aggregate->window.has_value() || !graph.sources(node.id).contains(source))
    return false;
  return graph.states(node.inputs[0]).empty() &&
         program.nodes[static_cast<std::size_t>(node.inputs[0])].timed;
}

}  // namespace

std::vector<SourceTime> find_times(const flow::Program& program, const Graph& graph) {
  std::vector<SourceTime> out;
  for (const flow::Node& node : program.nodes) {
    const auto* source = std::get_if<flow::Source>(&node.op);
    if (source == nullptr) continue;
    SourceTime time;
    time.source = node.id;
    if (source->time != nullptr) {
      time.expr = expr_text(*source->time, program, node.row);
      time.lateness = source->lateness;
      time.idle_after = source->idle_after;
      for (const flow::Node& user : program.nodes) {
        if (tests_lateness(program, graph, user, node.id)) time.late_for.push_back(user.id);
      }
    }
    for (const flow::Accept& accept : source->accepts) {
      if (accept.guarantee == "timing") time.accepted = accept.reason;
    }
    out.push_back(std::move(time));
  }
  return out;
}

void report_times(const flow::Program& program, const std::vector<SourceTime>& times,
                  diagnostics::Diagnostics& out) {
  using diagnostics::Severity;
  for (const SourceTime& time : times) {
    if (!time.idle_after.has_value() || time.late_for.empty() || !time.accepted.empty()) continue;
    const flow::Node& node = program.nodes[static_cast<std::size_t>(time.source)];
    auto& d = out.report(diagnostics::Code::depends_on_timing, node.span,
                         "`idle after " + duration_text(*time.idle_after) +
                             "` lets the clock decide which records of `" + node.stream + "` are late");
    if (program.settings.determinism == "sound") d.as(Severity::warning);
    d.label("a split that is silent for so long no longer holds back time");
    for (flow::NodeId id : time.late_for) {
      const flow::Node& user = program.nodes[static_cast<std::size_t>(id)];
      d.also(user.span, "`" + user.stage + "` may close a window before the split's records come");
    }
    d.note("a pause of the program, or a slow disk, is enough: on replay another record may be late");
    d.help("leave `idle after` out: a silent split then holds the watermark, and the status line says which");
    d.suggest("or accept it, with a reason that the report keeps", source::after(node.span),
              "\n  accept timing \"a silent split may lose late records\"");
  }
}

}  // namespace weir::analyse
