#include "compiler/analyse/analyse.h"

#include <algorithm>

#include "compiler/analyse/determinism/findings.h"
#include "compiler/analyse/determinism/taint.h"
#include "compiler/analyse/graph.h"
#include "compiler/analyse/state/state.h"
#include "compiler/analyse/time/time.h"

namespace weir::analyse {
namespace {

class Maker {
 public:
  Maker(const flow::Program& program, const EffectsOf& effects_of)
      : program_(program),
        graph_(program),
        finder_(program, effects_of),
        taint_(find_taint(program, graph_, finder_)),
        identities_(find_identities(program)),
        times_(find_times(program, graph_)),
        deliveries_(find_deliveries(program, graph_)) {}

  void report_findings(diagnostics::Diagnostics& out) const {
    report_taint(program_, graph_, taint_, out);
    report_times(program_, times_, out);
    report_deliveries(program_, graph_, deliveries_, out);
  }
  Analysis make() const;

 private:
  const flow::Node& node(flow::NodeId id) const { return program_.nodes[static_cast<std::size_t>(id)]; }
  SourceReport source(const SourceTime& time) const;
  StateReport state(const State& state) const;
  SinkReport sink(const Delivery& delivery) const;
  std::string reproducible(flow::NodeId id) const;
  std::string late_text(const flow::Source& source, const SourceTime& time) const;

  const flow::Program& program_;
  Graph graph_;
  DependencyFinder finder_;
  Taint taint_;
  std::vector<Identity> identities_;
  std::vector<SourceTime> times_;
  std::vector<Delivery> deliveries_;
};

std::string connector_text(const std::string& connector, const std::string& path, const std::string& format) {
  return connector + (path.empty() ? "" : " " + path) + " as " + format;
}

std::string identity_note(const Identity& identity) {
  if (!identity.stable) return "good for one run only";
  const bool declared = identity.kind == Identity::Kind::declared;
  if (!identity.unique)
    return declared ? "as declared; not checked to be unique" : "not unique where the declared one repeats";
  return "";
}

std::string policy_text(flow::Policy policy, const std::string& to) {
  switch (policy) {
    case flow::Policy::kFail:
      return "fail: the run stops at the record";
    case flow::Policy::kDrop:
      return "drop, counted";
    case flow::Policy::kTo:
      return "to " + to;
  }
  return "";
}

std::string Maker::late_text(const flow::Source& source, const SourceTime& time) const {
  if (time.late_for.empty()) return "no operator asks";
  std::vector<std::string> names;
  for (flow::NodeId id : time.late_for) names.push_back(node(id).stage);
  return policy_text(source.on_late, source.on_late_to) + "; late for " + list_text(names) +
         " when its window ended at or before the progress of the record's own split";
}

SourceReport Maker::source(const SourceTime& time) const {
  const flow::Node& at = node(time.source);
  const auto& source = std::get<flow::Source>(at.op);
  SourceReport out;
  out.name = at.stream;
  out.reads =
      connector_text(source.connector, argument_text(source.arguments, "path", program_), source.format.name);
  if (argument_text(source.arguments, "files", program_) == "in_order") out.reads += ", files in order";
  const bool follows = argument_text(source.arguments, "follow", program_) == "true";
  if (follows) out.reads += ", followed as it grows";
  out.replayable = source.replayable;
  if (!source.replayable) {
    out.condition = "what was read and not yet decided at a crash is lost";
  } else {
    out.condition =
        follows
            ? "files may grow, but keep what was read; one that is missing or changed is refused by name"
            : "files that were listed stay as they are; one that is missing or changed is refused by name";
  }
  const Identity& identity = identities_[static_cast<std::size_t>(at.id)];
  out.identity = to_string(identity);
  out.identity_note = identity_note(identity);
  out.time = "none";
  if (!time.expr.empty()) {
    out.time = time.expr + ", lateness " + duration_text(time.lateness);
    if (time.idle_after.has_value())
      out.time += ", idle after " + duration_text(*time.idle_after) + " (timing decides)";
    out.late = late_text(source, time);
  }
  out.errors = policy_text(source.on_error, source.on_error_to);
  if (!time.accepted.empty()) out.accepted = "timing (" + time.accepted + ")";
  return out;
}

std::string Maker::reproducible(flow::NodeId id) const {
  std::vector<std::string> causes;
  for (const Reach& reach : taint_.reaches) {
    if (reach.node != id) continue;
    const std::string name = name_of(taint_.origins[static_cast<std::size_t>(reach.origin)].origin);
    if (std::find(causes.begin(), causes.end(), name) == causes.end()) causes.push_back(name);
  }
  if (!causes.empty()) return "no: depends on " + list_text(causes);
  for (const SourceTime& time : times_) {
    const bool here = graph_.sources(id).contains(time.source);
    if (here && time.idle_after.has_value() && !time.late_for.empty())
      return "no: `idle after` makes lateness depend on timing";
  }
  if (!graph_.replayable(id)) return "no: the input cannot be read again";
  return "yes, a function of the input";
}

StateReport Maker::state(const State& state) const {
  StateReport out;
  out.name = state.name;
  out.keys = state.keys;
  out.values = state.values;
  out.closes = state.closes;
  out.growth = state.growth;
  out.lineage = state.lineage;
  const bool replayable = graph_.replayable(state.node);
  out.guarantee = replayable ? "exactly once with respect to " + list_text(state.lineage) +
                                   "; restored with the checkpoint"
                             : "best effort with respect to " + list_text(state.lineage);
  out.reproducible = reproducible(state.node);
  return out;
}

SinkReport Maker::sink(const Delivery& delivery) const {
  const flow::Node& at = node(delivery.sink);
  const auto& sink = std::get<flow::Sink>(at.op);
  SinkReport out;
  out.name = at.stream;
  out.writes = connector_text(sink.connector, argument_text(sink.arguments, "path", program_), sink.format);
  out.view = delivery.view;
  out.guarantee = delivery.guarantee;
  out.required = delivery.required;
  out.condition = delivery.condition;
  out.visible_after = delivery.visible_after;
  out.boundary = delivery.boundary;
  out.because = delivery.because;
  const Identity& identity = identities_[static_cast<std::size_t>(at.id)];
  out.identity = to_string(identity);
  out.identity_note = identity_note(identity);
  if (delivery.accepts) {
    out.accepted = std::string(to_string(delivery.required)) + " (" + delivery.accepted_reason + ")";
    if (delivery.guarantee > delivery.required) out.accepted += ", more is promised";
  }
  out.reproducible = reproducible(at.id);
  return out;
}

Analysis Maker::make() const {
  Analysis out;
  const flow::Settings& settings = program_.settings;
  out.report.pipeline = settings.name;
  out.report.determinism = settings.determinism;
  out.report.protocol = settings.protocol;
  out.report.rollback = settings.rollback;
  out.report.checkpoint_every = settings.checkpoint_every;
  out.report.checkpoint_dir = settings.checkpoint_dir;
  out.report.keep = settings.keep;
  for (const flow::Param& param : program_.params) {
    out.report.parameters.push_back(param.name + (param.address_only ? " (address only)" : ""));
  }
  for (const SourceTime& time : times_) out.report.sources.push_back(source(time));
  for (const State& s : find_states(program_, graph_)) out.report.states.push_back(state(s));
  for (const Delivery& delivery : deliveries_) out.report.sinks.push_back(sink(delivery));
  out.identities = identities_;
  return out;
}

}  // namespace

Analysis analyse(const flow::Program& program, diagnostics::Diagnostics& out) {
  return analyse(program, library_effects(), out);
}

Analysis analyse(const flow::Program& program, const EffectsOf& effects_of, diagnostics::Diagnostics& out) {
  const Maker maker(program, effects_of);
  maker.report_findings(out);
  return maker.make();
}

std::string identity_listing(const flow::Program& program, const Analysis& analysis) {
  std::size_t width = 0;
  for (const flow::Node& node : program.nodes) width = std::max(width, node.stage.size());
  std::string out;
  for (const flow::Node& node : program.nodes) {
    const Identity& identity = analysis.identities[static_cast<std::size_t>(node.id)];
    const std::string note = identity_note(identity);
    out += node.stage + std::string(width + 2 - node.stage.size(), ' ') + to_string(identity) +
           (note.empty() ? "" : "  " + note) + "\n";
  }
  return out;
}

}  // namespace weir::analyse
