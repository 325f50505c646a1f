// Constant parts of expressions: what they are, and which of them always fail.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/flow/flow.h"
#include "compiler/interp/evaluate.h"

namespace weir::interp {

// Built of literals alone: no row, local, parameter, capture or function of the program, and no function of the
// library outside `natives`.
bool is_constant(const flow::Expr& expr, const Natives& natives);

struct ConstantFailure {
  const flow::Expr* at = nullptr;  // the operation that fails
  int code = 0;                    // a 5000s code
};

// Operations on constants that fail whenever they are evaluated, the innermost ones, in the order of the text. What
// stands below a `try` is left out: there the failure is what the script asks for.
std::vector<ConstantFailure> constant_failures(const flow::Expr& root, const flow::Program& program,
                                               const Natives& natives);
// The same for every expression of the program, functions first.
std::vector<ConstantFailure> constant_failures(const flow::Program& program, const Natives& natives);

// "division by zero" of 5007; empty for what is no record error.
std::string_view title_of(int code);

// The literal that `value` is, null for what has none (lists, maps, records).
flow::ExprRef literal_of(const Value& value, const flow::Expr& of);

}  // namespace weir::interp
