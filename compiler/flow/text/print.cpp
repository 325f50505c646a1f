#include <string>
#include <type_traits>

#include "compiler/flow/text.h"
#include "compiler/flow/text/print_expr.h"
#include "compiler/flow/text/print_type.h"
#include "compiler/flow/text/tokens.h"
#include "compiler/flow/walk.h"

namespace weir::flow {
namespace {

using text::in_quotes;
using text::name;

std::string micros(std::int64_t value) {
  return std::to_string(value) + "us";
}

void declare_types(const Expr& expr, text::TypePrinter& types) {
  walk(expr, [&](const Expr& inner) {
    types.declare(inner.type);
    for (const TypeRef& type : inner.local_types) types.declare(type);
    return true;
  });
}

text::TypePrinter collect_types(const Program& program) {
  text::TypePrinter types;
  for (const Param& param : program.params) types.declare(param.type);
  for (const Node& node : program.nodes) {
    if (const auto* source = std::get_if<Source>(&node.op)) types.declare(source->declared);
    types.declare(node.row);
    if (const auto* aggregate = std::get_if<Aggregate>(&node.op)) {
      for (const Aggregation& a : aggregate->aggregations) types.declare(a.result);
    }
  }
  for (const Function& function : program.functions) {
    for (const TypeRef& type : function.parameter_types) types.declare(type);
    types.declare(function.result);
  }
  for_each_expr(program, [&](const Expr& expr) { declare_types(expr, types); });
  return types;
}

class Printer {
 public:
  Printer(const Program& program, const PrintOptions& options)
      : program_(program), types_(collect_types(program)), exprs_(program, types_, options) {}

  std::string all();
  std::string node(const Node& node);
  std::string expr(const Expr& expr, const TypeRef& row) { return exprs_.print(expr, row); }

 private:
  void settings();
  void param(const Param& param);
  void function(const Function& function);
  void write(const Node& node);
  void write(const Node& node, const Source& source);
  void write(const Node& node, const Rejected& rejected);
  void write(const Node& node, const Late& late);
  void write(const Node& node, const Where& where);
  void write(const Node& node, const Project& project);
  void write(const Node& node, const Flatten& flatten);
  void write(const Node& node, const Aggregate& aggregate);
  void write(const Node& node, const Sink& sink);
  void connector(const std::string& word, const std::string& connector,
                 const std::vector<Argument>& arguments);
  void accepts(const std::vector<Accept>& accepts);
  void feeders(const std::string& word, const std::vector<NodeId>& sources);
  void policy(const std::string& word, Policy policy, const std::string& to);
  TypeRef input_row(const Node& node) const;

  const Program& program_;
  text::TypePrinter types_;
  text::ExprPrinter exprs_;
  std::string out_;
};

std::string Printer::all() {
  out_ = "flow 1\n";
  settings();
  out_ += types_.declarations();
  for (const Param& p : program_.params) param(p);
  for (const Function& f : program_.functions) function(f);
  for (const Node& n : program_.nodes) {
    out_ += "\n";
    write(n);
  }
  return out_;
}

std::string Printer::node(const Node& node) {
  out_.clear();
  write(node);
  return out_;
}

void Printer::settings() {
  const Settings& s = program_.settings;
  out_ += "pipeline " + name(s.name) + exprs_.span(s.span) + "\n";
  out_ += "  script " + in_quotes(program_.script) + "\n";
  out_ += "  checkpoint " + micros(s.checkpoint_every) + " to " + in_quotes(s.checkpoint_dir) + " keep " +
          std::to_string(s.keep) + "\n";
  out_ += "  parallelism " + std::to_string(s.parallelism) + "\n";
  out_ += "  protocol " + name(s.protocol) + "\n";
  out_ += "  determinism " + name(s.determinism) + "\n";
  out_ += "  rollback " + name(s.rollback) + "\n";
  out_ += "  memory " + std::to_string(s.memory) + "\n";
}

void Printer::param(const Param& param) {
  out_ += "param " + name(param.name) + ": " + types_.print(param.type);
  if (param.address_only) out_ += " address";
  out_ += exprs_.span(param.span);
  if (param.default_value != nullptr) out_ += " = " + exprs_.print(param.default_value, nullptr);
  out_ += "\n";
}

void Printer::function(const Function& function) {
  out_ += "fn " + name(function.name) + "(";
  for (std::size_t i = 0; i < function.parameter_types.size(); ++i) {
    if (i > 0) out_ += ", ";
    const std::string parameter = i < function.parameter_names.size() ? function.parameter_names[i] : "";
    out_ += name(parameter) + ": " + types_.print(function.parameter_types[i]);
    exprs_.define(static_cast<int>(i), function.parameter_types[i]);
  }
  out_ += ") -> " + types_.print(function.result) + exprs_.span(function.span) + " =\n  " +
          exprs_.print(function.body, nullptr) + "\n";
}

TypeRef Printer::input_row(const Node& node) const {
  if (std::holds_alternative<Source>(node.op)) return node.row;
  if (node.inputs.empty()) return nullptr;
  const NodeId input = node.inputs[0];
  if (input < 0 || static_cast<std::size_t>(input) >= program_.nodes.size()) return nullptr;
  return program_.nodes[static_cast<std::size_t>(input)].row;
}

void Printer::write(const Node& node) {
  out_ += "node " + std::to_string(node.id) + " " + name(node.stream) + " " + in_quotes(node.stage);
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    out_ += (i == 0 ? " from " : ", ") + std::to_string(node.inputs[i]);
  }
  out_ += ": " + types_.print(node.row) + (node.timed ? " timed" : "") + exprs_.span(node.span) + "\n";
  std::visit([&](const auto& op) { write(node, op); }, node.op);
}

void Printer::connector(const std::string& word, const std::string& connector,
                        const std::vector<Argument>& arguments) {
  out_ += "  " + word + " " + name(connector) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out_ += ", ";
    out_ += name(arguments[i].name) + exprs_.span(arguments[i].span) + ": ";
    out_ += exprs_.print(arguments[i].value, nullptr);
  }
  out_ += ")";
}

void Printer::accepts(const std::vector<Accept>& accepts) {
  for (const Accept& accept : accepts) {
    out_ += "  accept " + name(accept.guarantee) + " " + in_quotes(accept.reason) + exprs_.span(accept.span) +
            "\n";
  }
}

void Printer::policy(const std::string& word, Policy policy, const std::string& to) {
  out_ += "  on " + word;
  switch (policy) {
    case Policy::kFail:
      out_ += " fail\n";
      return;
    case Policy::kDrop:
      out_ += " drop\n";
      return;
    case Policy::kTo:
      out_ += " to " + name(to) + "\n";
      return;
  }
}

void Printer::write(const Node& node, const Source& source) {
  connector("source", source.connector, source.arguments);
  out_ += " format " + name(source.format.name);
  if (!source.format.regex.empty()) out_ += " " + in_quotes(source.format.regex);
  if (!source.format.null_texts.empty()) {
    out_ += " null";
    for (const std::string& text : source.format.null_texts) out_ += " " + in_quotes(text);
  }
  out_ += source.replayable ? "\n" : " once\n";
  out_ += "  declared " + types_.print(source.declared) + "\n";
  for (const ExprRef& e : source.identity) out_ += "  identity " + exprs_.print(e, node.row) + "\n";
  if (source.time != nullptr) {
    out_ += "  time " + exprs_.print(source.time, node.row) + " lateness " + micros(source.lateness);
    if (source.idle_after.has_value()) out_ += " idle " + micros(*source.idle_after);
    out_ += "\n";
  }
  policy("error", source.on_error, source.on_error_to);
  if (source.on_late_written || source.on_late != Policy::kDrop)
    policy("late", source.on_late, source.on_late_to);
  accepts(source.accepts);
}

void Printer::feeders(const std::string& word, const std::vector<NodeId>& sources) {
  out_ += "  " + word;
  for (std::size_t i = 0; i < sources.size(); ++i) out_ += (i == 0 ? " " : ", ") + std::to_string(sources[i]);
  out_ += "\n";
}

void Printer::write(const Node&, const Rejected& rejected) {
  feeders("rejected", rejected.sources);
}
void Printer::write(const Node&, const Late& late) {
  feeders("late", late.sources);
}

void Printer::write(const Node& node, const Where& where) {
  out_ += "  where " + exprs_.print(where.condition, input_row(node)) + "\n";
}

void Printer::write(const Node& node, const Project& project) {
  out_ += "  project " + name(project.word) + "\n";
  for (std::size_t i = 0; i < project.values.size(); ++i) {
    const bool named = node.row != nullptr && i < node.row->fields.size();
    out_ += "    " + (named ? name(node.row->fields[i].name) : "_") + " = " +
            exprs_.print(project.values[i], input_row(node)) + "\n";
  }
}

void Printer::write(const Node& node, const Flatten& flatten) {
  out_ += "  flatten " + exprs_.print(flatten.value, input_row(node)) + "\n";
}

void Printer::write(const Node& node, const Aggregate& aggregate) {
  out_ += "  aggregate";
  if (aggregate.window.has_value()) {
    out_ += " tumbling " + micros(aggregate.window->size) + " offset " + micros(aggregate.window->offset) +
            exprs_.span(aggregate.window->span);
  }
  out_ += "\n";
  for (const Key& key : aggregate.keys) {
    out_ += "    by " + name(key.name) + " = " + exprs_.print(key.value, input_row(node)) + "\n";
  }
  for (const Aggregation& a : aggregate.aggregations) {
    out_ += "    value " + name(a.name) + " = " + std::string(text::word(a.kind)) + "(";
    if (a.argument != nullptr) out_ += exprs_.print(a.argument, input_row(node));
    out_ += ")";
    if (a.where != nullptr) out_ += " where " + exprs_.print(a.where, input_row(node));
    out_ += " -> " + types_.print(a.result);
    if (!a.text.empty()) out_ += " ~" + in_quotes(a.text);
    out_ += exprs_.span(a.span) + "\n";
  }
}

void Printer::write(const Node&, const Sink& sink) {
  connector("sink", sink.connector, sink.arguments);
  out_ += " format " + name(sink.format) + "\n";
  accepts(sink.accepts);
}

}  // namespace

std::string print(const Program& program, const PrintOptions& options) {
  return Printer(program, options).all();
}

std::string print(const Node& node, const Program& program, const PrintOptions& options) {
  return Printer(program, options).node(node);
}

std::string print(const Expr& expr, const Program& program, const TypeRef& row, const PrintOptions& options) {
  return Printer(program, options).expr(expr, row);
}

std::string to_string(const ReadError& error) {
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

}  // namespace weir::flow
