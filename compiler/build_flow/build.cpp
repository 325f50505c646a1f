#include "compiler/build_flow/build.h"

#include "compiler/build_flow/builder.h"

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
  result.program = std::move(program_);
  return result;
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
