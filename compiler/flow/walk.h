// Walks over expressions. A shared part is visited once per place where it stands.
#pragma once

#include <string_view>

#include "compiler/flow/flow.h"

namespace weir::flow {

// `visit(expr)` for `expr` and what is below it, parents first, in the order of evaluation. `visit` returns
// whether to go below.
template <class Visit>
void walk(const Expr& expr, Visit&& visit) {
  if (!visit(expr)) return;
  for (const ExprRef& arg : expr.args) {
    if (arg != nullptr) walk(*arg, visit);
  }
}

// `visit(expr)` for each root expression of an operator, in the order of evaluation.
template <class Visit>
void for_each_expr(const Node& node, Visit&& visit) {
  const auto each = [&](const ExprRef& expr) {
    if (expr != nullptr) visit(*expr);
  };
  if (const auto* source = std::get_if<Source>(&node.op)) {
    for (const Argument& argument : source->arguments) each(argument.value);
    for (const ExprRef& part : source->identity) each(part);
    each(source->time);
  } else if (const auto* where = std::get_if<Where>(&node.op)) {
    each(where->condition);
  } else if (const auto* project = std::get_if<Project>(&node.op)) {
    for (const ExprRef& value : project->values) each(value);
  } else if (const auto* flatten = std::get_if<Flatten>(&node.op)) {
    each(flatten->value);
  } else if (const auto* aggregate = std::get_if<Aggregate>(&node.op)) {
    for (const Key& key : aggregate->keys) each(key.value);
    for (const Aggregation& a : aggregate->aggregations) {
      each(a.where);
      each(a.argument);
    }
  } else if (const auto* sink = std::get_if<Sink>(&node.op)) {
    for (const Argument& argument : sink->arguments) each(argument.value);
  }
}

// The same for a whole program: defaults of parameters, bodies of functions, operators.
template <class Visit>
void for_each_expr(const Program& program, Visit&& visit) {
  for (const Param& param : program.params) {
    if (param.default_value != nullptr) visit(*param.default_value);
  }
  for (const Function& function : program.functions) {
    if (function.body != nullptr) visit(*function.body);
  }
  for (const Node& node : program.nodes) for_each_expr(node, visit);
}

}  // namespace weir::flow
