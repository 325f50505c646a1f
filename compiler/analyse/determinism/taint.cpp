#include "compiler/analyse/determinism/taint.h"

#include <map>
#include <utility>

namespace weir::analyse {
namespace {

using Set = std::set<int>;

void join(Set& into, const Set& from) {
  into.insert(from.begin(), from.end());
}

// What is known of a stream.
struct Stream {
  std::vector<Set> columns;
  Set existence;
  Set time;
  Set identity;
};

class Carrier {
 public:
  Carrier(const flow::Program& program, const Graph& graph, const DependencyFinder& finder)
      : program_(program), graph_(graph), finder_(finder) {}

  Taint run();

 private:
  // Origins that decide `expr`, uses noted.
  Set decide(const flow::ExprRef& expr, const Stream& input, Aspect aspect, const std::string& column);
  void reach(const Set& origins);

  Stream carry(const flow::Source& source);
  Stream carry(const flow::Rejected& rejected);
  Stream carry(const flow::Late& late);
  Stream carry(const flow::Where& where);
  Stream carry(const flow::Project& project);
  Stream carry(const flow::Flatten& flatten);
  Stream carry(const flow::Aggregate& aggregate);
  Stream carry(const flow::Sink& sink);
  Stream fed(const std::vector<flow::NodeId>& sources);
  Stream blank() const;
  const Stream& input() const { return streams_[static_cast<std::size_t>(node_->inputs[0])]; }

  void pass();

  const flow::Program& program_;
  const Graph& graph_;
  const DependencyFinder& finder_;
  Taint taint_;
  std::map<flow::NodeId, Set> errors_;  // by source: what decides whether its records fail further on
  std::vector<Stream> streams_;
  const flow::Node* node_ = nullptr;
  std::map<std::pair<const flow::Expr*, flow::NodeId>, int> known_;
};

// Streams of rejected records stand before the operators that reject, so that one pass does not do; what rejects is only
// ever added.
Taint Carrier::run() {
  std::map<flow::NodeId, Set> before;
  do {
    before = errors_;
    pass();
  } while (errors_ != before);
  return std::move(taint_);
}

void Carrier::pass() {
  streams_.clear();
  taint_.uses.clear();
  taint_.reaches.clear();
  for (const flow::Node& node : program_.nodes) {
    node_ = &node;
    streams_.push_back(std::visit([&](const auto& op) { return carry(op); }, node.op));
  }
}

Set Carrier::decide(const flow::ExprRef& expr, const Stream& in, Aspect aspect, const std::string& column) {
  Set out;
  if (expr == nullptr) return out;
  const Dependencies dependencies = finder_.find(*expr);
  for (const Origin& origin : dependencies.origins) {
    const auto [entry, fresh] =
        known_.try_emplace({origin.call, node_->id}, static_cast<int>(taint_.origins.size()));
    if (fresh) taint_.origins.push_back({origin, node_->id, expr.get()});
    out.insert(entry->second);
  }
  if (dependencies.whole_row) {
    for (const Set& set : in.columns) join(out, set);
  }
  for (int index : dependencies.columns) {
    if (static_cast<std::size_t>(index) < in.columns.size())
      join(out, in.columns[static_cast<std::size_t>(index)]);
  }
  for (int origin : out) taint_.uses.push_back({origin, aspect, node_->id, expr.get(), column});
  if (!out.empty() && flow::fallible(*expr, program_)) {
    for (flow::NodeId source : graph_.sources(node_->id)) join(errors_[source], out);
  }
  return out;
}

void Carrier::reach(const Set& origins) {
  for (int origin : origins) {
    taint_.reaches.push_back({origin, node_->id});
    taint_.tainted.insert(node_->id);
  }
}

Stream Carrier::blank() const {
  Stream out;
  out.columns.resize(node_->row->fields.size());
  return out;
}

Stream Carrier::carry(const flow::Source& source) {
  Stream out = blank();
  const Stream row = out;
  for (const flow::ExprRef& part : source.identity)
    join(out.identity, decide(part, row, Aspect::identity, ""));
  join(out.time, decide(source.time, row, Aspect::time, ""));
  // A record whose identity or time fails is not there.
  for (const flow::ExprRef& part : source.identity)
    if (flow::fallible(*part, program_)) join(out.existence, out.identity);
  if (source.time != nullptr && flow::fallible(*source.time, program_)) join(out.existence, out.time);
  return out;
}

Stream Carrier::carry(const flow::Rejected& rejected) {
  Stream out = blank();
  for (flow::NodeId id : rejected.sources) join(out.existence, errors_[id]);
  return out;
}

Stream Carrier::carry(const flow::Late& late) {
  return fed(late.sources);
}

Stream Carrier::fed(const std::vector<flow::NodeId>& sources) {
  Stream out = blank();
  for (flow::NodeId id : sources) join(out.existence, streams_[static_cast<std::size_t>(id)].time);
  return out;
}

Stream Carrier::carry(const flow::Where& where) {
  Stream out = input();
  join(out.existence, decide(where.condition, input(), Aspect::existence, ""));
  return out;
}

Stream Carrier::carry(const flow::Project& project) {
  Stream out = input();
  out.columns.clear();
  for (std::size_t i = 0; i < project.values.size(); ++i) {
    out.columns.push_back(decide(project.values[i], input(), Aspect::value, node_->row->fields[i].name));
    // Whether it fails decides whether the row exists, even if the column is dropped later.
    if (flow::fallible(*project.values[i], program_)) join(out.existence, out.columns.back());
  }
  return out;
}

Stream Carrier::carry(const flow::Flatten& flatten) {
  Stream out = input();
  const Set value = decide(flatten.value, input(), Aspect::existence, node_->row->fields.back().name);
  join(out.existence, value);
  join(out.identity, value);
  out.columns.push_back(value);
  return out;
}

Stream Carrier::carry(const flow::Aggregate& aggregate) {
  Stream out;
  out.existence = input().existence;
  if (aggregate.window.has_value()) join(out.existence, input().time);
  for (const flow::Key& key : aggregate.keys) {
    out.columns.push_back(decide(key.value, input(), Aspect::key, key.name));
    join(out.existence, out.columns.back());
  }
  if (aggregate.window.has_value()) out.columns.push_back(input().time);
  Set all = out.existence;
  for (const flow::Aggregation& a : aggregate.aggregations) {
    Set value = out.existence;
    join(value, decide(a.where, input(), Aspect::existence, a.name));
    join(value, decide(a.argument, input(), Aspect::value, a.name));
    join(all, value);
    out.columns.push_back(std::move(value));
  }
  join(all, input().identity);
  reach(all);
  out.identity = out.existence;
  return out;
}

Stream Carrier::carry(const flow::Sink&) {
  Set all = input().existence;
  for (const Set& column : input().columns) join(all, column);
  join(all, input().identity);
  reach(all);
  return input();
}

}  // namespace

Taint find_taint(const flow::Program& program, const Graph& graph, const DependencyFinder& finder) {
  return Carrier(program, graph, finder).run();
}

}  // namespace weir::analyse
