#include "compiler/build_flow/build.h"

#include <algorithm>

#include "compiler/build_flow/builder.h"
#include "compiler/flow/walk.h"

namespace weir::build_flow {

Result build(const Input& input, const source::Files& files, diagnostics::Diagnostics& out) {
  const resolve::Symbols symbols = resolve::collect(input.modules, input.prelude, out);
  Builder builder(input, files, symbols, out);
  return builder.build();
}

Builder::Builder(const Input& input, const source::Files& files, const resolve::Symbols& symbols,
                 diagnostics::Diagnostics& out)
    : input_(input),
      symbols_(symbols),
      out_(out),
      context_(files, symbols, catalog::Functions::library(), out) {}

ExprRef text_constant(std::string value, Span span) {
  return check::make_string(std::move(value), span);
}

Result Builder::build() {
  program_.script = input_.script;
  settings();
  context_.types.check_all();
  params();
  context_.functions.check_all();
  for (const std::string& name : symbols_.stream_order) stream(name, {});
  for (const ast::SinkDecl* sink : symbols_.sinks) build_sink(*sink);
  report_unused();
  tests();

  Result result;
  result.tests = std::move(tests_);
  if (out_.has_errors()) return result;
  program_.params = context_.params;
  for (std::size_t i = 0; i < program_.params.size(); ++i) {
    program_.params[i].address_only = !context_.param_computed[i];
  }
  program_.functions = context_.functions.take();
  report_untyped();
  if (out_.has_errors()) return result;
  result.program = std::move(program_);
  return result;
}

namespace {

bool holds_null(const types::Type& type) {
  if (type.kind == Kind::kNull) return true;
  if (type.element != nullptr && holds_null(*type.element)) return true;
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const types::Field& field) { return holds_null(*field.type); });
}

// The innermost such expression; a conversion gives a `null` below it its type.
const flow::Expr* untyped(const flow::Expr& expr) {
  for (const ExprRef& arg : expr.args) {
    if (arg == nullptr || (expr.op == flow::Op::kConvert && arg->type->kind == Kind::kNull)) continue;
    if (const flow::Expr* inner = untyped(*arg)) return inner;
  }
  return holds_null(*expr.type) ? &expr : nullptr;
}

}  // namespace

void Builder::report_untyped() {
  flow::for_each_expr(program_, [&](const flow::Expr& root) {
    const flow::Expr* found = untyped(root);
    if (found == nullptr) return;
    const bool null = found->type->kind == Kind::kNull;
    out_.report(Code::unknown_type_of_literal, found->span,
                null ? "the type of this `null` is not known"
                     : "the type of the elements of this list is not known")
        .label(null ? "absent what?" : "a list of what?")
        .help("a function says it: `fn none() -> " + std::string(null ? "int? = null" : "list<int> = []") +
              "`");
  });
}

flow::NodeId Builder::add(flow::Node node, const std::string& stream) {
  node.id = static_cast<flow::NodeId>(program_.nodes.size());
  node.stream = stream;
  node.stage = unique_stage(stream + "." + node.stage);
  program_.nodes.push_back(std::move(node));
  return program_.nodes.back().id;
}

std::string Builder::unique_stage(const std::string& name) {
  std::string result = name;
  for (int i = 2; !stages_.insert(result).second; ++i) result = name + " " + std::to_string(i);
  return result;
}

}  // namespace weir::build_flow
