// The type that the parts of an expression imply, used by the text form to leave it out.
#pragma once

#include <map>

#include "compiler/flow/flow.h"

namespace weir::flow {

// What an expression can refer to. Locals are added as the walk enters their scope.
struct Scope {
  const Program* program = nullptr;
  TypeRef row;  // null: no row (function bodies, connector arguments)
  std::map<int, TypeRef> locals;
};

// Null where nothing is implied (an empty list, a call of the library, a conversion).
TypeRef natural_type(const Expr& expr, const Scope& scope);

// The result types of decimal arithmetic, before the limit of 38 digits; null if `op` is none or an operand is
// no decimal.
TypeRef decimal_result(Op op, const types::Type& a, const types::Type& b);

}  // namespace weir::flow
