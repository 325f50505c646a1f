#include <algorithm>

#include "compiler/analyse/report/report.h"

namespace weir::analyse {
namespace {

constexpr std::size_t kWordWidth = 15;

void line(std::string& out, const std::string& word, const std::string& text) {
  if (text.empty()) return;
  out += "  " + word + std::string(kWordWidth - std::min(kWordWidth - 1, word.size()), ' ') + text + "\n";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

std::string with_note(const std::string& text, const std::string& note) {
  return note.empty() ? text : text + ", " + note;
}

void add(std::string& out, const SourceReport& source) {
  out += "\nsource " + source.name + "\n";
  line(out, "reads", source.reads + (source.replayable ? ", can be read again" : ", cannot be read again"));
  line(out, "condition", source.condition);
  line(out, "identity", with_note(source.identity, source.identity_note));
  line(out, "event time", source.time);
  line(out, "late", source.late);
  line(out, "on error", source.errors);
  line(out, "accepted", source.accepted);
}

void add(std::string& out, const StateReport& state) {
  out += "\nstate " + state.name + "\n";
  line(out, "key", state.keys.empty() ? "none: one group" : joined(state.keys));
  line(out, "keeps", joined(state.values));
  line(out, "guarantee", state.guarantee);
  line(out, "closes", state.closes);
  line(out, "growth", state.growth);
  line(out, "lineage", joined(state.lineage));
  line(out, "reproducible", state.reproducible);
}

std::string accepted_text(const SinkReport& sink) {
  if (!sink.accepted.empty()) return sink.accepted;
  return sink.view ? "nothing needs to be" : "nothing less";
}

void add(std::string& out, const SinkReport& sink) {
  out += "\nsink " + sink.name + "\n";
  line(out, "writes", sink.writes);
  line(out, "guarantee", sink.view ? "none: a view" : std::string(to_string(sink.guarantee)));
  line(out, "condition", sink.condition);
  line(out, "visible after", sink.visible_after);
  line(out, "boundary", "ends at " + sink.boundary + ", because " + sink.because);
  line(out, "identity", with_note(sink.identity, sink.identity_note));
  line(out, "accepted", accepted_text(sink));
  line(out, "reproducible", sink.reproducible);
}

}  // namespace

std::string to_text(const Report& report) {
  std::string out = "pipeline " + report.pipeline + "\n";
  line(out, "checkpoint",
       "every " + duration_text(report.checkpoint_every) + " to " + report.checkpoint_dir + ", keep " +
           std::to_string(report.keep));
  line(out, "protocol", report.protocol);
  line(out, "determinism", report.determinism);
  line(out, "rollback", report.rollback);
  line(out, "parameters", joined(report.parameters));
  for (const SourceReport& source : report.sources) add(out, source);
  for (const StateReport& state : report.states) add(out, state);
  for (const SinkReport& sink : report.sinks) add(out, sink);
  return out;
}

Guarantee least_guarantee(const Report& report) {
  Guarantee least = Guarantee::exactly_once;
  for (const SinkReport& sink : report.sinks) {
    if (!sink.view) least = std::min(least, sink.guarantee);
  }
  return least;
}

}  // namespace weir::analyse
