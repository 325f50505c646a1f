#include <algorithm>
#include <set>
#include <utility>

#include "compiler/flow/verify.h"
#include "compiler/flow/verify/expr.h"

namespace weir::flow {
namespace {

using types::Kind;
using verify_detail::ExprContext;

class Verifier {
 public:
  Verifier(const Program& program, std::size_t limit) : program_(program), limit_(limit) {}

  std::vector<Fault> all();

 private:
  void fault(std::string message) {
    if (faults_.size() < limit_) faults_.push_back({node_, where_, std::move(message)});
  }
  void need(bool condition, const std::string& message) {
    if (!condition) fault(message);
  }
  void expr(const ExprRef& expr, const TypeRef& row, bool meta);
  void typed(const ExprRef& expr, Kind kind, const std::string& what);

  void params();
  void functions();
  void node(const Node& node);
  bool wiring(const Node& node);
  void check(const Node& node, const Source& source);
  void check(const Node& node, const Rejected& rejected);
  void check(const Node& node, const Late& late);
  void check(const Node& node, const Where& where);
  void check(const Node& node, const Project& project);
  void check(const Node& node, const Flatten& flatten);
  void check(const Node& node, const Aggregate& aggregate);
  void check(const Node& node, const Sink& sink);
  void aggregation(const Aggregation& a);
  void arguments(const std::vector<Argument>& arguments);
  void feeders(const std::vector<NodeId>& sources);
  void same_row(const Node& node, const TypeRef& row, const std::string& what);
  const Node& input(const Node& node) const {
    return program_.nodes[static_cast<std::size_t>(node.inputs[0])];
  }
  bool meta_at_input(const Node& node) const {
    return !node.inputs.empty() && meta_[static_cast<std::size_t>(node.inputs[0])];
  }

  const Program& program_;
  std::size_t limit_;
  std::vector<Fault> faults_;
  std::vector<bool> meta_;  // per node: its rows still belong to one record of a source
  NodeId node_ = -1;
  std::string where_;
};

std::vector<Fault> Verifier::all() {
  params();
  functions();
  std::set<std::string> stages;
  meta_.resize(program_.nodes.size());
  for (std::size_t i = 0; i < program_.nodes.size() && faults_.size() < limit_; ++i) {
    const Node& n = program_.nodes[i];
    node_ = static_cast<NodeId>(i);
    where_ = n.stage.empty() ? "node " + std::to_string(i) : n.stage;
    need(n.id == node_, "its id is " + std::to_string(n.id) + ", its place " + std::to_string(i));
    need(!n.stage.empty(), "it has no stage name");
    need(stages.insert(n.stage).second, "a second node has this stage name");
    if (wiring(n)) node(n);
  }
  return std::move(faults_);
}

void Verifier::expr(const ExprRef& expr, const TypeRef& row, bool meta) {
  ExprContext context;
  context.program = &program_;
  context.row = row;
  context.meta = meta;
  context.functions = program_.functions.size();
  verify_detail::check_expr(expr, context, [&](std::string message) { fault(std::move(message)); });
}

void Verifier::typed(const ExprRef& e, Kind kind, const std::string& what) {
  if (e == nullptr || e->type == nullptr) return;
  need(e->type->kind == kind, what + " has type " + types::to_string(e->type));
}

void Verifier::params() {
  std::set<std::string> names;
  for (const Param& param : program_.params) {
    where_ = "param " + param.name;
    need(names.insert(param.name).second, "a second parameter has this name");
    if (param.type == nullptr) {
      fault("it has no type");
    } else if (param.default_value != nullptr) {
      expr(param.default_value, nullptr, false);
      need(param.default_value->op == Op::kLiteral, "its default is not a literal");
    }
  }
}

void Verifier::functions() {
  std::set<std::string> names;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& function = program_.functions[i];
    where_ = "fn " + function.name;
    need(names.insert(function.name).second, "a second function has this name");
    ExprContext context;
    context.program = &program_;
    context.functions = i;
    context.locals = function.parameter_types;
    verify_detail::check_expr(function.body, context,
                              [&](std::string message) { fault(std::move(message)); });
    if (function.body == nullptr || function.body->type == nullptr || function.result == nullptr) continue;
    need(types::same(function.body->type, function.result),
         "its body has type " + types::to_string(function.body->type) + " instead of " +
             types::to_string(function.result));
  }
}

bool Verifier::wiring(const Node& n) {
  const bool root = std::holds_alternative<Source>(n.op) || std::holds_alternative<Rejected>(n.op) ||
                    std::holds_alternative<Late>(n.op);
  if (n.inputs.size() != (root ? 0U : 1U)) {
    fault("it has " + std::to_string(n.inputs.size()) + " inputs");
    return false;
  }
  for (NodeId in : n.inputs) {
    if (in < 0 || in >= node_) {
      fault("its input " + std::to_string(in) + " does not stand before it");
      return false;
    }
    const Node& before = program_.nodes[static_cast<std::size_t>(in)];
    if (std::holds_alternative<Sink>(before.op)) {
      fault("its input is a sink");
      return false;
    }
    if (before.row == nullptr) return false;
  }
  if (n.row == nullptr || n.row->kind != Kind::kRecord) {
    fault("its row is not a record");
    return false;
  }
  std::set<std::string> names;
  for (const types::Field& field : n.row->fields) {
    need(names.insert(field.name).second, "its row has two fields " + field.name);
  }
  return true;
}

void Verifier::node(const Node& n) {
  meta_[static_cast<std::size_t>(node_)] =
      std::holds_alternative<Source>(n.op) || (meta_at_input(n) && !std::holds_alternative<Aggregate>(n.op));
  std::visit([&](const auto& op) { check(n, op); }, n.op);
}

void Verifier::same_row(const Node& n, const TypeRef& row, const std::string& what) {
  need(types::same(n.row, row),
       "its row is " + types::to_string(n.row) + ", but " + what + " gives " + types::to_string(row));
}

void Verifier::arguments(const std::vector<Argument>& list) {
  std::set<std::string> names;
  for (const Argument& argument : list) {
    need(names.insert(argument.name).second, "it has two arguments " + argument.name);
    expr(argument.value, nullptr, false);
    if (argument.value == nullptr) continue;
    const Expr& value = *argument.value;
    const bool constant =
        value.op == Op::kLiteral || value.op == Op::kParam ||
        (value.op == Op::kList && std::all_of(value.args.begin(), value.args.end(), [](const ExprRef& arg) {
           return arg != nullptr && arg->op == Op::kLiteral;
         }));
    need(constant, "its argument " + argument.name + " is not a constant");
  }
}

void Verifier::check(const Node& n, const Source& source) {
  arguments(source.arguments);
  if (source.declared == nullptr) {
    fault("it has no declared type");
  } else {
    same_row(n, source.declared, "its declared type");
  }
  for (const ExprRef& part : source.identity) {
    expr(part, n.row, true);
    if (part != nullptr && part->type != nullptr) {
      need(verify_detail::is_key(*part->type), "its identity has type " + types::to_string(part->type));
    }
  }
  need(n.timed == (source.time != nullptr), "it is timed without `time`, or the other way round");
  if (source.time != nullptr) {
    expr(source.time, n.row, true);
    typed(source.time, Kind::kTimestamp, "its time");
  }
  need(source.lateness >= 0, "its lateness is negative");
  need(source.on_error != Policy::kTo || !source.on_error_to.empty(), "`on error to` names no stream");
  need(source.on_late != Policy::kFail, "`on late fail` does not exist");
  need(source.on_late != Policy::kTo || !source.on_late_to.empty(), "`on late to` names no stream");
}

void Verifier::feeders(const std::vector<NodeId>& sources) {
  need(!sources.empty(), "it has no source");
  for (NodeId id : sources) {
    const bool known = id >= 0 && id < node_;
    if (!known || !std::holds_alternative<Source>(program_.nodes[static_cast<std::size_t>(id)].op)) {
      fault("its source " + std::to_string(id) + " is not a source that stands before it");
    }
  }
}

void Verifier::check(const Node& n, const Rejected& rejected) {
  feeders(rejected.sources);
  same_row(n, types::rejected_record(), "`on error to`");
  need(!n.timed, "it is timed");
}

void Verifier::check(const Node& n, const Late& late) {
  feeders(late.sources);
  need(!n.timed, "it is timed");
  for (NodeId id : late.sources) {
    if (id < 0 || id >= node_) continue;
    const Node& source = program_.nodes[static_cast<std::size_t>(id)];
    if (source.row != nullptr) same_row(n, types::late_record(source.row), "`on late to`");
  }
}

void Verifier::check(const Node& n, const Where& where) {
  same_row(n, input(n).row, "its input");
  need(n.timed == input(n).timed, "it does not keep event time");
  expr(where.condition, input(n).row, meta_at_input(n));
  typed(where.condition, Kind::kBool, "its condition");
}

void Verifier::check(const Node& n, const Project& project) {
  need(n.timed == input(n).timed, "it does not keep event time");
  if (project.values.size() != n.row->fields.size()) {
    return fault("it has " + std::to_string(project.values.size()) + " values for " +
                 std::to_string(n.row->fields.size()) + " fields");
  }
  for (std::size_t i = 0; i < project.values.size(); ++i) {
    const ExprRef& value = project.values[i];
    expr(value, input(n).row, meta_at_input(n));
    if (value == nullptr || value->type == nullptr) continue;
    need(types::same(value->type, n.row->fields[i].type),
         "field " + n.row->fields[i].name + " gets a value of type " + types::to_string(value->type));
  }
}

void Verifier::check(const Node& n, const Flatten& flatten) {
  need(n.timed == input(n).timed, "it does not keep event time");
  expr(flatten.value, input(n).row, meta_at_input(n));
  if (flatten.value == nullptr || flatten.value->type == nullptr) return;
  const types::Type& type = *flatten.value->type;
  if (type.kind != Kind::kList && type.kind != Kind::kMap) {
    return fault("it flattens " + types::to_string(type));
  }
  TypeRef element = type.element;
  if (type.kind == Kind::kMap) {
    element = types::record("", {{"key", "key", types::string()}, {"value", "value", type.element}});
  }
  const auto& before = input(n).row->fields;
  const auto& fields = n.row->fields;
  bool fits = fields.size() == before.size() + 1 && types::same(fields.back().type, element);
  for (std::size_t i = 0; fits && i < before.size(); ++i) {
    fits = fields[i].name == before[i].name && types::same(fields[i].type, before[i].type);
  }
  need(fits, "its row is not its input's row and the element");
}

void Verifier::aggregation(const Aggregation& a) {
  const bool counts = a.kind == AggregateKind::kCount;
  if (a.result == nullptr) return fault(a.name + " has no type");
  if (a.where != nullptr) {
    typed(a.where, Kind::kBool, "the condition of " + a.name);
  }
  if (counts) return need(a.result->kind == Kind::kInt, a.name + " counts in " + types::to_string(a.result));
  if (a.argument == nullptr || a.argument->type == nullptr) return fault(a.name + " has no argument");
  const Kind argument = a.argument->type->kind;
  const Kind result = types::strip_optional(a.result)->kind;
  switch (a.kind) {
    case AggregateKind::kCount:
      return;
    case AggregateKind::kSum:
      return need(
          (argument == Kind::kInt || argument == Kind::kDecimal || argument == Kind::kDuration) &&
              result == argument,
          a.name + " sums " + types::to_string(a.argument->type) + " to " + types::to_string(a.result));
    case AggregateKind::kMin:
    case AggregateKind::kMax:
      return need(types::same(types::strip_optional(a.result), a.argument->type),
                  a.name + " has type " + types::to_string(a.result));
    case AggregateKind::kAvg:
      return need((argument == Kind::kInt || argument == Kind::kDecimal || argument == Kind::kDuration) &&
                      (result == Kind::kDecimal || result == argument),
                  a.name + " is the mean of " + types::to_string(a.argument->type) + " as " +
                      types::to_string(a.result));
  }
}

void Verifier::check(const Node& n, const Aggregate& aggregate) {
  const TypeRef& row = input(n).row;
  const bool meta = meta_at_input(n);
  std::vector<std::pair<std::string, TypeRef>> fields;
  for (const Key& key : aggregate.keys) {
    expr(key.value, row, meta);
    const TypeRef type = key.value == nullptr ? nullptr : key.value->type;
    if (type == nullptr) return;
    need(verify_detail::is_key(*type), "its key " + key.name + " has type " + types::to_string(type));
    fields.emplace_back(key.name, type);
  }
  if (aggregate.window.has_value()) {
    need(aggregate.window->size > 0, "its window has no size");
    need(input(n).timed, "it has a window, but its input no event time");
    fields.emplace_back("window", types::window_record());
  }
  need(n.timed == aggregate.window.has_value(), "it is timed without a window, or the other way round");
  for (const Aggregation& a : aggregate.aggregations) {
    if (a.where != nullptr) expr(a.where, row, meta);
    if (a.argument != nullptr) expr(a.argument, row, meta);
    aggregation(a);
    fields.emplace_back(a.name, a.result);
  }
  bool fits = fields.size() == n.row->fields.size();
  for (std::size_t i = 0; fits && i < fields.size(); ++i) {
    fits = n.row->fields[i].name == fields[i].first && fields[i].second != nullptr &&
           types::same(n.row->fields[i].type, fields[i].second);
  }
  need(fits, "its row is not its keys, window and values");
}

void Verifier::check(const Node& n, const Sink& sink) {
  same_row(n, input(n).row, "its input");
  arguments(sink.arguments);
}

}  // namespace

std::vector<Fault> verify(const Program& program, std::size_t limit) {
  return Verifier(program, limit).all();
}

std::string to_string(const std::vector<Fault>& faults) {
  std::string out;
  for (const Fault& fault : faults) out += fault.where + ": " + fault.message + "\n";
  return out;
}

}  // namespace weir::flow
