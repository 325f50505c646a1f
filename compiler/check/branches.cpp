// if, if let, let.
#include "compiler/check/elaborator.h"

namespace weir::check {

ExprRef Elaborator::if_value(const ast::IfExpr& expr, const TypeRef& hint) {
  ExprRef condition_value;
  ExprRef bound;
  Facts known;
  int id = -1;
  if (expr.binding) {
    bound = check(*expr.condition);
    if (!is_poison(bound) && !types::is_optional(bound->type)) {
      report(Code::never_absent, expr.condition->span, "`if let` on a value that is never absent")
          .label("this is " + types::to_string(bound->type))
          .suggest("bind it plainly", expr.span,
                   "let " + context_.raw(expr.binding->span) + " = " + context_.raw(expr.condition->span) +
                       " in " + context_.raw(expr.then_value->span));
    }
    id = new_local();
  } else {
    condition_value = condition(*expr.condition, "the condition of `if`");
    known = facts(condition_value);
  }

  std::vector<ExprRef> branches(2);
  {
    const Assume assume(*this, known.when_true);
    const std::size_t locals = scope_.locals.size();
    if (bound != nullptr) {
      scope_.locals.push_back({expr.binding->text, new_local(), types::strip_optional(bound->type)});
    }
    branches[0] = check(*expr.then_value, hint);
    if (bound != nullptr && !is_poison(bound) && !is_poison(branches[0])) {
      const ExprRef local = make_local(id, bound->type, expr.binding->span);
      const ExprRef value = types::is_optional(bound->type) ? make_unwrap(local, local->span) : local;
      branches[0] = make_let(scope_.locals.back().id, value, branches[0]);
    }
    scope_.locals.resize(locals);
  }
  {
    const Assume assume(*this, known.when_false);
    branches[1] = check(*expr.else_value, hint);
  }
  const ExprRef& test = bound != nullptr ? bound : condition_value;
  if (is_poison(test) || is_poison(branches[0]) || is_poison(branches[1])) return poison(expr.span);
  if (hint != nullptr) {
    // Towards the wanted type each branch for itself: what does not fit is reported there.
    const ExprRef a = convert(branches[0], hint);
    const ExprRef b = convert(branches[1], hint);
    if (a != nullptr && b != nullptr) {
      branches = {a, b};
    } else {
      branches[0] = coerce(branches[0], hint, *expr.then_value, "this branch");
      branches[1] = coerce(branches[1], hint, *expr.else_value, "this branch");
    }
    if (is_poison(branches[0]) || is_poison(branches[1])) return poison(expr.span);
  } else if (!unify(branches)) {
    report(Code::no_common_type, expr.span, "the branches of this `if` have different types")
        .label("one of the two is the result")
        .also(expr.then_value->span, "this is " + types::to_string(branches[0]->type))
        .also(expr.else_value->span, "this is " + types::to_string(branches[1]->type));
    return poison(expr.span);
  }
  if (bound == nullptr) return make_if(condition_value, branches[0], branches[1], expr.span);
  const ExprRef local = make_local(id, bound->type, expr.binding->span);
  if (!types::is_optional(bound->type)) return make_let(id, bound, branches[0]);
  return make_let(id, bound, make_if(make_is_null(local, expr.span), branches[1], branches[0], expr.span));
}

ExprRef Elaborator::let(const ast::LetExpr& expr, const TypeRef& hint) {
  const ExprRef value = check(*expr.value);
  const int id = new_local();
  TypeRef type = value->type;
  if (type->kind == Kind::kNull) {
    report(Code::unknown_type_of_literal, expr.value->span, "the type of this `null` is not known")
        .label("absent what?");
    type = types::error();
  }
  scope_.locals.push_back({expr.name.text, id, type});
  const ExprRef body = check(*expr.body, hint);
  scope_.locals.pop_back();
  if (is_poison(type) || is_poison(body)) return poison(expr.span);
  return make_let(id, value, body);
}

}  // namespace weir::check
