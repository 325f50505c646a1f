// The state of one build. One file per kind of declaration.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/build_flow/build.h"
#include "compiler/catalog/connectors.h"
#include "compiler/check/steps.h"

namespace weir::build_flow {

using check::Code;
using check::Context;
using check::Diagnostic;
using check::ExprRef;
using check::Shape;
using source::Span;
using types::Kind;
using types::TypeRef;

class Builder {
 public:
  Builder(const Input& input, const source::Files& files, const resolve::Symbols& symbols,
          diagnostics::Diagnostics& out);

  Result build();

 private:
  // Where a stream ends and what its rows are.
  struct Built {
    flow::NodeId last = -1;
    Shape shape;
    bool known = false;  // false: nothing to continue from (reported)
  };

  // settings.cpp
  void settings();
  void params();
  std::optional<std::string> checked_word(const std::optional<ast::Name>& name,
                                          const std::vector<std::string>& known,
                                          const std::vector<std::string>& planned, const std::string& what);

  // streams.cpp
  const Built& stream(const std::string& name, Span from);
  Built build_query(const std::string& name, const ast::StreamDecl& decl);
  Built build_policy_stream(const resolve::Stream& stream);
  void report_cycle(const std::string& name, Span from);
  void report_unused();

  // sources.cpp
  Built build_source(const ast::SourceDecl& decl);
  void source_time(const ast::SourceDecl& decl, const Shape& shape, flow::Source& source);
  void source_identity(const ast::SourceDecl& decl, const Shape& shape, flow::Source& source);
  void source_policies(const ast::SourceDecl& decl, flow::Source& source);
  // Reports one that says nothing.
  bool has_reason(const ast::Accept& accept, const ast::Decl& decl);
  void source_accepts(const ast::SourceDecl& decl, flow::Source& source);
  void report_integer_time(const ast::SourceDecl& decl, const ast::Expr& at, const TypeRef& type);

  // sinks.cpp
  void build_sink(const ast::SinkDecl& decl);
  // Files and folders are named after it.
  void check_file_name(const ast::Name& name, const std::string& what, bool follows_stream);

  // connectors.cpp
  struct Options {
    const catalog::Connector* connector = nullptr;  // null: reported
    std::vector<flow::Argument> arguments;
    flow::Format format;
    Span format_span;
    bool ok = false;
  };
  Options connector(const ast::ConnectorCall& call, bool as_source);
  void format(const ast::Expr& value, const std::vector<std::string>& known, Options& options);
  ExprRef option_value(const ast::Arg& arg, const catalog::ConnectorArgument& declared);
  void check_shape(const Options& options, const types::Type& row, const ast::Name& name, Span type_span,
                   bool as_source);
  void check_regex(const Options& options, const types::Type& row, Span type_span);

  // tests.cpp
  void tests();
  std::optional<TestStep> test_step(const ast::TestStep& step);
  std::optional<TestRow> test_row(const ast::Expr& row, const TypeRef& type, bool expected);

  // Reports expressions whose type holds a `null` that nothing gave a type, such as `[]` alone.
  void report_untyped();

  flow::NodeId add(flow::Node node, const std::string& stream);
  std::string unique_stage(const std::string& name);

  const Input& input_;
  const resolve::Symbols& symbols_;
  diagnostics::Diagnostics& out_;
  Context context_;
  flow::Program program_;
  std::vector<Test> tests_;
  std::map<std::string, Built> built_;
  std::vector<std::pair<std::string, Span>> active_;  // streams being built, and where each is asked for
  std::set<std::string> used_;
  std::set<std::string> stages_;
  std::map<std::string, Span> sink_names_;
  Span stdin_reader_;  // of the source that reads it
};

// A string constant as `Argument` needs it.
ExprRef text_constant(std::string value, Span span);

}  // namespace weir::build_flow
