// The values that stand in the rows of a test: expressions over constants and params.
#pragma once

#include "compiler/build_flow/build.h"
#include "compiler/interp/evaluate.h"

namespace weir::driver::test {

// Evaluates with the params as the test sets them. Keeps references to both arguments. Not thread safe.
class TestValues {
 public:
  TestValues(const flow::Program& program, const build_flow::Test& test);
  TestValues(const TestValues&) = delete;

  // Fails where the front end has reported it: a record error, or what can only be computed while running.
  interp::Evaluated of(const flow::Expr& expr);

 private:
  interp::Evaluator evaluator_;
  std::vector<interp::Value> params_;
};

}  // namespace weir::driver::test
