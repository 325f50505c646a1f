#include <utility>

#include "compiler/flow/text.h"
#include "compiler/flow/text/cursor.h"
#include "compiler/flow/text/read_expr.h"
#include "compiler/flow/text/read_type.h"
#include "compiler/flow/text/tokens.h"

namespace weir::flow {
namespace {

class Reader {
 public:
  Reader(std::string_view text, int max_depth)
      : cursor_(text), types_(cursor_), exprs_(cursor_, types_, program_, max_depth) {}

  std::expected<Program, ReadError> all();

 private:
  void settings();
  void param();
  void function();
  void node();
  Source source(const Node& node);
  void source_clauses(Source& source, const Node& node);
  std::vector<NodeId> ids();
  Project project(const TypeRef& row);
  Aggregate aggregate(const TypeRef& row);
  Sink sink();
  std::vector<Argument> arguments();
  std::vector<Accept> accepts();
  Policy policy(std::string& to);
  std::int64_t micros();
  source::Span span() { return text::read_span(cursor_); }
  TypeRef input_row(const Node& node) const;

  text::Cursor cursor_;
  Program program_;
  text::TypeReader types_;
  text::ExprReader exprs_;
};

std::expected<Program, ReadError> Reader::all() {
  cursor_.expect_word("flow");
  if (cursor_.integer() != 1) cursor_.fail("version 1 is expected");
  settings();
  while (!cursor_.failed() && !cursor_.at_end()) {
    if (cursor_.take_word("type")) {
      types_.read_declaration();
    } else if (cursor_.take_word("param")) {
      param();
    } else if (cursor_.take_word("fn")) {
      function();
    } else if (cursor_.take_word("node")) {
      node();
    } else {
      cursor_.fail("`type`, `param`, `fn` or `node` is expected");
    }
  }
  if (cursor_.failed()) return std::unexpected(*cursor_.error());
  return std::move(program_);
}

std::int64_t Reader::micros() {
  const std::int64_t value = cursor_.integer();
  cursor_.expect_word("us");
  return value;
}

void Reader::settings() {
  Settings& s = program_.settings;
  cursor_.expect_word("pipeline");
  s.name = cursor_.name();
  s.span = span();
  if (cursor_.take_word("script")) program_.script = cursor_.quoted();
  if (cursor_.take_word("checkpoint")) {
    s.checkpoint_every = micros();
    cursor_.expect_word("to");
    s.checkpoint_dir = cursor_.quoted();
    cursor_.expect_word("keep");
    s.keep = static_cast<int>(cursor_.integer());
  }
  if (cursor_.take_word("parallelism")) s.parallelism = static_cast<int>(cursor_.integer());
  if (cursor_.take_word("protocol")) s.protocol = cursor_.name();
  if (cursor_.take_word("determinism")) s.determinism = cursor_.name();
  if (cursor_.take_word("rollback")) s.rollback = cursor_.name();
  if (cursor_.take_word("memory")) s.memory = cursor_.integer();
}

void Reader::param() {
  Param param;
  param.name = cursor_.name();
  cursor_.expect(":");
  param.type = types_.read();
  param.address_only = cursor_.take_word("address");
  param.span = span();
  if (cursor_.take("=")) param.default_value = exprs_.read(nullptr);
  program_.params.push_back(std::move(param));
}

void Reader::function() {
  Function function;
  function.name = cursor_.name();
  cursor_.expect("(");
  while (!cursor_.failed() && !cursor_.take(")")) {
    if (!function.parameter_names.empty()) cursor_.expect(",");
    function.parameter_names.push_back(cursor_.name());
    cursor_.expect(":");
    function.parameter_types.push_back(types_.read());
    exprs_.define(static_cast<int>(function.parameter_types.size()) - 1, function.parameter_types.back());
  }
  cursor_.expect("->");
  function.result = types_.read();
  function.span = span();
  cursor_.expect("=");
  function.body = exprs_.read(nullptr);
  program_.functions.push_back(std::move(function));
}

std::vector<NodeId> Reader::ids() {
  std::vector<NodeId> out;
  do {
    out.push_back(static_cast<NodeId>(cursor_.integer()));
  } while (!cursor_.failed() && cursor_.take(","));
  return out;
}

TypeRef Reader::input_row(const Node& node) const {
  if (node.inputs.empty()) return node.row;
  const NodeId input = node.inputs[0];
  if (input < 0 || static_cast<std::size_t>(input) >= program_.nodes.size()) return nullptr;
  return program_.nodes[static_cast<std::size_t>(input)].row;
}

void Reader::node() {
  Node node;
  node.id = static_cast<NodeId>(cursor_.integer());
  node.stream = cursor_.name();
  node.stage = cursor_.quoted();
  if (cursor_.take_word("from")) node.inputs = ids();
  cursor_.expect(":");
  node.row = types_.read();
  node.timed = cursor_.take_word("timed");
  node.span = span();
  const TypeRef row = input_row(node);
  if (cursor_.take_word("source")) {
    node.op = source(node);
  } else if (cursor_.take_word("rejected")) {
    node.op = Rejected{ids()};
  } else if (cursor_.take_word("late")) {
    node.op = Late{ids()};
  } else if (cursor_.take_word("where")) {
    node.op = Where{exprs_.read(row)};
  } else if (cursor_.take_word("project")) {
    node.op = project(row);
  } else if (cursor_.take_word("flatten")) {
    node.op = Flatten{exprs_.read(row)};
  } else if (cursor_.take_word("aggregate")) {
    node.op = aggregate(row);
  } else if (cursor_.take_word("sink")) {
    node.op = sink();
  } else {
    cursor_.fail("an operator is expected");
  }
  program_.nodes.push_back(std::move(node));
}

std::vector<Argument> Reader::arguments() {
  std::vector<Argument> out;
  cursor_.expect("(");
  while (!cursor_.failed() && !cursor_.take(")")) {
    if (!out.empty()) cursor_.expect(",");
    Argument argument;
    argument.name = cursor_.name();
    argument.span = span();
    cursor_.expect(":");
    argument.value = exprs_.read(nullptr);
    out.push_back(std::move(argument));
  }
  return out;
}

std::vector<Accept> Reader::accepts() {
  std::vector<Accept> out;
  while (cursor_.take_word("accept")) {
    Accept accept;
    accept.guarantee = cursor_.name();
    accept.reason = cursor_.quoted();
    accept.span = span();
    out.push_back(std::move(accept));
  }
  return out;
}

Policy Reader::policy(std::string& to) {
  if (cursor_.take_word("fail")) return Policy::kFail;
  if (cursor_.take_word("drop")) return Policy::kDrop;
  cursor_.expect_word("to");
  to = cursor_.name();
  return Policy::kTo;
}

Source Reader::source(const Node& node) {
  Source source;
  source.connector = cursor_.name();
  source.arguments = arguments();
  cursor_.expect_word("format");
  source.format.name = cursor_.name();
  if (cursor_.sees("\"")) source.format.regex = cursor_.quoted();
  if (cursor_.take_word("null")) {
    while (cursor_.sees("\"")) source.format.null_texts.push_back(cursor_.quoted());
  }
  source.replayable = !cursor_.take_word("once");
  cursor_.expect_word("declared");
  source.declared = types_.read();
  source_clauses(source, node);
  return source;
}

void Reader::source_clauses(Source& source, const Node& node) {
  while (cursor_.take_word("identity")) source.identity.push_back(exprs_.read(node.row));
  if (cursor_.take_word("time")) {
    source.time = exprs_.read(node.row);
    cursor_.expect_word("lateness");
    source.lateness = micros();
    if (cursor_.take_word("idle")) source.idle_after = micros();
  }
  while (cursor_.take_word("on")) {
    if (cursor_.take_word("error")) {
      source.on_error = policy(source.on_error_to);
    } else {
      cursor_.expect_word("late");
      source.on_late = policy(source.on_late_to);
      source.on_late_written = true;
    }
  }
  source.accepts = accepts();
}

Project Reader::project(const TypeRef& row) {
  Project project;
  project.word = cursor_.name();
  while (!cursor_.failed() && cursor_.after_name() == '=') {
    cursor_.name();
    cursor_.expect("=");
    project.values.push_back(exprs_.read(row));
  }
  return project;
}

Aggregate Reader::aggregate(const TypeRef& row) {
  Aggregate out;
  if (cursor_.take_word("tumbling")) {
    Tumbling window;
    window.size = micros();
    cursor_.expect_word("offset");
    window.offset = micros();
    window.span = span();
    out.window = window;
  }
  while (cursor_.take_word("by")) {
    Key key;
    key.name = cursor_.name();
    cursor_.expect("=");
    key.value = exprs_.read(row);
    out.keys.push_back(std::move(key));
  }
  while (cursor_.take_word("value")) {
    Aggregation a;
    a.name = cursor_.name();
    cursor_.expect("=");
    const auto kind = text::aggregate_of_word(cursor_.name());
    if (!kind.has_value()) cursor_.fail("an aggregate is expected");
    a.kind = kind.value_or(AggregateKind::kCount);
    cursor_.expect("(");
    if (!cursor_.sees(")")) a.argument = exprs_.read(row);
    cursor_.expect(")");
    if (cursor_.take_word("where")) a.where = exprs_.read(row);
    cursor_.expect("->");
    a.result = types_.read();
    if (cursor_.take("~")) a.text = cursor_.quoted();
    a.span = span();
    out.aggregations.push_back(std::move(a));
  }
  return out;
}

Sink Reader::sink() {
  Sink sink;
  sink.connector = cursor_.name();
  sink.arguments = arguments();
  cursor_.expect_word("format");
  sink.format = cursor_.name();
  sink.accepts = accepts();
  return sink;
}

}  // namespace

std::expected<Program, ReadError> read(std::string_view text, int max_depth) {
  return Reader(text, max_depth).all();
}

}  // namespace weir::flow
