#include "compiler/driver/test/values.h"

#include "compiler/interp/natives.h"

namespace weir::driver::test {

TestValues::TestValues(const flow::Program& program, const build_flow::Test& test)
    : evaluator_(program, interp::library_natives()) {
  std::vector<interp::Value> defaults;
  for (const flow::Param& param : program.params) {
    const auto value = evaluator_.evaluate(*param.default_value);
    defaults.push_back(value ? *value : interp::Value{});
  }
  params_ = defaults;
  for (const build_flow::TestStep& step : test.steps) {
    if (step.kind != build_flow::TestStep::Kind::with_param) continue;
    for (std::size_t i = 0; i < program.params.size(); ++i) {
      if (program.params[i].name != step.name) continue;
      if (const auto value = evaluator_.evaluate(*step.value, {.params = &defaults})) params_[i] = *value;
    }
  }
}

interp::Evaluated TestValues::of(const flow::Expr& expr) {
  return evaluator_.evaluate(expr, {.params = &params_});
}

}  // namespace weir::driver::test
