// Faults inside of expressions.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "compiler/flow/flow.h"

namespace weir::flow::verify_detail {

struct ExprContext {
  const Program* program = nullptr;
  TypeRef row;                  // null: no row
  bool meta = false;            // `meta` may be used
  std::size_t functions = 0;    // functions that may be called: the first so many
  std::vector<TypeRef> locals;  // parameters of the function, ids from 0
};

using Report = std::function<void(std::string message)>;

// Reports faults of `root` (which may be null).
void check_expr(const ExprRef& root, const ExprContext& context, const Report& report);

// Types that keys and identities may have.
bool is_key(const types::Type& type);

}  // namespace weir::flow::verify_detail
