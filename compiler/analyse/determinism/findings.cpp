#include "compiler/analyse/determinism/findings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compiler/analyse/determinism/names.h"
#include "compiler/analyse/determinism/suggest.h"

namespace weir::analyse {
namespace {

using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Severity;

class Reporter {
 public:
  Reporter(const flow::Program& program, const Graph& graph, const Taint& taint,
           diagnostics::Diagnostics& out)
      : program_(program), graph_(graph), taint_(taint), names_(row_names(program)), out_(out) {}

  void all() {
    for (std::size_t i = 0; i < taint_.origins.size(); ++i) one(static_cast<int>(i));
  }

 private:
  void one(int index);
  const Use* gravest(int origin) const;
  std::optional<Severity> severity(const Origin& origin, bool replayed) const;
  Code code(const Origin& origin, const Use& use) const;
  std::string message(const Taint::Found& found, const Use& use) const;
  void draw(Diagnostic& d, const Taint::Found& found, const Use& use, flow::NodeId reached) const;
  void explain(Diagnostic& d, const Taint::Found& found, const Use& use, Severity severity,
               bool replayed) const;
  const flow::Node& node(flow::NodeId id) const { return program_.nodes[static_cast<std::size_t>(id)]; }
  std::string what(const Origin& origin) const { return "`" + name_of(origin) + "`"; }
  std::string observer(flow::NodeId id) const;

  const flow::Program& program_;
  const Graph& graph_;
  const Taint& taint_;
  std::vector<RowNames> names_;
  diagnostics::Diagnostics& out_;
};

bool is_uuid(const Origin& origin) {
  return origin.effect == Effect::random && origin.call->name.starts_with("uuid");
}

const Use* Reporter::gravest(int origin) const {
  const Use* found = nullptr;
  for (const Use& use : taint_.uses) {
    if (use.origin == origin && (found == nullptr || use.aspect < found->aspect)) found = &use;
  }
  return found;
}

std::optional<Severity> Reporter::severity(const Origin& origin, bool replayed) const {
  const std::string& profile = program_.settings.determinism;
  if (origin.effect == Effect::opaque) return Severity::error;
  if (origin.effect == Effect::pinned) {
    if (profile == "audit") return Severity::error;
    return profile == "sound" ? std::nullopt : std::optional(Severity::warning);
  }
  // A rollback that removes duplicates by identity needs the same rows again.
  if (program_.settings.rollback == "dedup") return Severity::error;
  return profile == "sound" || !replayed ? Severity::warning : Severity::error;
}

Code Reporter::code(const Origin& origin, const Use& use) const {
  if (origin.effect == Effect::opaque) return Code::no_contract;
  if (origin.effect == Effect::host || origin.effect == Effect::pinned) return Code::depends_on_host;
  if (use.aspect == Aspect::identity || is_uuid(origin)) return Code::unstable_identity;
  if (use.aspect == Aspect::existence) return Code::unstable_filter;
  if (use.aspect == Aspect::key) return Code::unstable_key;
  return Code::not_reproducible;
}

std::string Reporter::message(const Taint::Found& found, const Use& use) const {
  const std::string call = what(found.origin);
  const std::string on(describe(found.origin.effect));
  if (found.origin.effect == Effect::opaque) return call + " does not say what its result depends on";
  if (found.origin.effect == Effect::host || found.origin.effect == Effect::pinned) {
    return call + " depends on " + on + ", and with it the output";
  }
  switch (use.aspect) {
    case Aspect::identity:
      return "the identity of a record would change on replay: " + call + " depends on " + on;
    case Aspect::existence:
      if (std::holds_alternative<flow::Aggregate>(node(use.node).op)) {
        return "`" + use.column + "` could count other rows on replay: " + call + " depends on " + on;
      }
      return "other rows could pass on replay: " + call + " depends on " + on;
    case Aspect::key:
      return "the key `" + use.column + "` could differ on replay: " + call + " depends on " + on;
    case Aspect::time:
      return "event time would change on replay: " + call + " depends on " + on;
    case Aspect::value:
      break;
  }
  const std::string column = use.column.empty() ? "a value" : "`" + use.column + "`";
  return column + " would change on replay: " + call + " depends on " + on;
}

std::string Reporter::observer(flow::NodeId id) const {
  if (std::holds_alternative<flow::Sink>(node(id).op)) return "sink `" + node(id).stream + "`";
  return "the state of `" + node(id).stage + "`";
}

// Numbered steps from the call to what observes it. A step whose place is known already is left out.
void Reporter::draw(Diagnostic& d, const Taint::Found& found, const Use& use, flow::NodeId reached) const {
  int step = 1;
  source::Span last = d.primary.span;
  const auto add = [&](source::Span span, const std::string& text) {
    if (!span.is_known() || span == last) return;
    d.also(span, std::to_string(++step) + ". " + text);
    last = span;
  };
  d.label("1. " + what(found.origin) + " depends on " + std::string(describe(found.origin.effect)));
  for (const flow::Expr* call : found.origin.through) {
    add(call->span, "`" + program_.functions[static_cast<std::size_t>(call->index)].name + "` calls it");
  }
  switch (use.aspect) {
    case Aspect::identity:
      add(use.expr->span, "the identity of each record depends on it");
      break;
    case Aspect::existence:
      add(use.expr->span, use.column.empty() ? "which rows exist depends on it"
                                             : "which rows `" + use.column + "` is made of depends on it");
      break;
    case Aspect::key:
      add(use.expr->span, "the key `" + use.column + "` depends on it");
      break;
    case Aspect::time:
      add(use.expr->span, "event time depends on it");
      break;
    case Aspect::value:
      add(use.expr->span,
          use.column.empty() ? "a value depends on it" : "`" + use.column + "` depends on it");
      break;
  }
  const bool sink = std::holds_alternative<flow::Sink>(node(reached).op);
  add(node(reached).span, observer(reached) + (sink ? " publishes the result" : " keeps the result"));
}

void Reporter::explain(Diagnostic& d, const Taint::Found& found, const Use& use, Severity severity,
                       bool replayed) const {
  const std::string call = what(found.origin);
  if (found.origin.effect == Effect::pinned) {
    d.note("it is the same for a whole run; a start on another kind of machine says so");
    return;
  }
  if (!replayed) {
    d.note(
        "nothing is replayed here, because no source on the way can be read again; the output cannot be "
        "repeated");
    return;
  }
  if (found.origin.effect == Effect::host) {
    d.note(
        "a restart may happen on another machine or with another environment, and computes the records since "
        "the "
        "last checkpoint again");
  } else {
    d.note("after a crash the records since the last checkpoint are computed again, and " + call +
           " then gives something else");
  }
  if (use.aspect == Aspect::existence && severity == Severity::error) {
    d.note("a row that was published by then may have no counterpart in the second computation");
  }
  if (severity == Severity::warning) {
    d.note("exactly once holds, because sinks publish decided output only; the output is not reproducible");
    return;
  }
  if (program_.settings.determinism == "strict") {
    d.note(
        "sinks publish decided output only, so that exactly once would hold: `determinism sound` allows it. "
        "`strict` "
        "refuses it, because only a deterministic program can be replayed after damage, audited, backfilled "
        "and "
        "tested under other schedules");
  }
}

void Reporter::one(int index) {
  const Taint::Found& found = taint_.origins[static_cast<std::size_t>(index)];
  const Use* use = gravest(index);
  std::vector<flow::NodeId> reached;
  for (const Reach& reach : taint_.reaches) {
    if (reach.origin == index) reached.push_back(reach.node);
  }
  if (use == nullptr || reached.empty()) return;
  const bool replayed =
      std::any_of(reached.begin(), reached.end(), [&](flow::NodeId id) { return graph_.replayable(id); });
  const auto grade = severity(found.origin, replayed);
  if (!grade.has_value()) return;

  source::Span place = found.origin.call->span;
  if (!place.is_known()) place = use->expr->span;
  if (!place.is_known()) place = node(found.node).span;
  Diagnostic& d = out_.report(code(found.origin, *use), place, message(found, *use));
  d.as(*grade);
  draw(d, found, *use, reached.front());
  explain(d, found, *use, *grade, replayed);
  std::vector<std::string> others;
  for (std::size_t i = 1; i < reached.size(); ++i) others.push_back(observer(reached[i]));
  if (!others.empty()) d.note("it also reaches " + list_text(others));
  suggest(d, program_, found, names_);
}

}  // namespace

void report_taint(const flow::Program& program, const Graph& graph, const Taint& taint,
                  diagnostics::Diagnostics& out) {
  Reporter(program, graph, taint, out).all();
}

}  // namespace weir::analyse
