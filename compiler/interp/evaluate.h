// Evaluates flow expressions as generated code does: checked arithmetic, left to right, the first error in the
// order of evaluation is the error. For constants at compile time and as the oracle of differential tests; not
// for speed. Effects are never evaluated.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"
#include "compiler/interp/value.h"

namespace weir::interp {

struct Failure {
  // A 5000s code: the record error. 0: it cannot be evaluated here (a function that is not known, a limit).
  int code = 0;
  const flow::Expr* at = nullptr;  // where it arose
  std::string reason;              // for code 0

  bool is_record_error() const { return code != 0; }
};

using Evaluated = std::expected<Value, Failure>;

// A function of the library: the call with its arguments' values; an error has a code only. Must not keep references.
using Native = std::function<std::expected<Value, int>(const flow::Expr& call, std::span<const Value> args)>;
using Natives = std::map<std::string, Native, std::less<>>;

struct Limits {
  std::int64_t steps = 1'000'000;  // operations, per call of `evaluate`
  int depth = 4'000;               // of expressions inside each other, calls included
};

struct Inputs {
  const Value* row = nullptr;                  // null: none
  const Value* meta = nullptr;                 // null: none
  const std::vector<Value>* params = nullptr;  // null: none known
};

class Evaluator {
 public:
  // References must outlive the evaluator. Not thread safe.
  Evaluator(const flow::Program& program, const Natives& natives, Limits limits = {})
      : program_(program), natives_(natives), limits_(limits) {}

  Evaluated evaluate(const flow::Expr& expr, const Inputs& inputs = {});

 private:
  using Locals = std::map<int, Value>;
  struct Frame {
    Locals locals;
  };

  Evaluated eval(const flow::Expr& expr);
  Evaluated eval_form(const flow::Expr& expr);
  Evaluated eval_logic(const flow::Expr& expr);
  Evaluated eval_let(const flow::Expr& expr);
  Evaluated eval_call(const flow::Expr& expr);
  Evaluated eval_function(const flow::Expr& expr);
  std::expected<Values, Failure> eval_args(const flow::Expr& expr);

  const flow::Program& program_;
  const Natives& natives_;
  Limits limits_;
  Inputs inputs_;
  Frame* frame_ = nullptr;
  std::int64_t steps_ = 0;
  int depth_ = 0;
};

// One operation on values, its arguments evaluated: comparison, arithmetic, negation, conversion. An error has a code.
std::expected<Value, int> operate(const flow::Expr& expr, std::span<const Value> args);

// Conversion between two types of the flow IR.
std::expected<Value, int> convert(const Value& value, const types::Type& from, const types::Type& to);

}  // namespace weir::interp
