// Generic walks. A new kind does not compile until it is handled here.
#pragma once

#include <functional>

#include "compiler/ast/declarations.h"

namespace weir::ast {

// Calls `visit` for each direct child expression in written order (patterns' literals included).
void for_each_child(const Expr& expr, const std::function<void(Expr*)>& visit);

// Calls `visit` for each expression that the step holds directly.
void for_each_expr(const Operator& step, const std::function<void(Expr*)>& visit);

// Calls `visit` for `root` and all expressions below it, parents first, without recursion.
void walk(Expr* root, const std::function<void(Expr*)>& visit);

}  // namespace weir::ast
