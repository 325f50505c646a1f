// The last step of the front half: declarations become a flow program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"
#include "compiler/source/files.h"

namespace weir::build_flow {

// A row that a test gives or expects: constant expressions for fields of the stream's row.
struct TestRow {
  struct Field {
    int index = 0;  // in the stream's row type
    flow::ExprRef value;
  };
  std::vector<Field> fields;  // given: all of them; expected: those that are compared
  source::Span span;
};

struct TestStep {
  enum class Kind { given_rows, given_raw, with_param, expect };
  Kind kind = Kind::expect;
  std::string name;    // source, stream or sink, or parameter
  std::string split;   // given S split "p1"; empty: the only one
  types::TypeRef row;  // given_rows, expect: the row type
  std::vector<TestRow> rows;
  std::vector<std::string> raw;  // given_raw: records as they come in
  flow::ExprRef value;           // with_param
  source::Span span;
};

struct Test {
  std::string title;
  std::vector<TestStep> steps;
  source::Span span;
};

struct Result {
  std::optional<flow::Program> program;  // nothing if there are errors
  std::vector<Test> tests;               // those without a mistake
};

struct Input {
  std::vector<const ast::Module*> modules;  // the script first, then what it uses
  std::vector<const ast::Module*> prelude;  // of the standard library
  std::string script;                       // path as given, "-" for stdin
};

// Checks everything, reports to `out`, and builds the program if there is no error. Deep programs need a large stack
// (base/big_stack.h).
Result build(const Input& input, const source::Files& files, diagnostics::Diagnostics& out);

}  // namespace weir::build_flow
