// == != < <= > >=, in, is null, and or, ??, try.
#include <algorithm>

#include "compiler/check/elaborator.h"

namespace weir::check {
namespace {

Op op_of(ast::BinaryOp op) {
  switch (op) {
    case ast::BinaryOp::equal:
      return Op::kEqual;
    case ast::BinaryOp::not_equal:
      return Op::kNotEqual;
    case ast::BinaryOp::less:
      return Op::kLess;
    case ast::BinaryOp::less_equal:
      return Op::kLessEqual;
    case ast::BinaryOp::greater:
      return Op::kGreater;
    default:
      return Op::kGreaterEqual;
  }
}

bool is_equality(Op op) {
  return op == Op::kEqual || op == Op::kNotEqual;
}

bool has_equality(Kind kind) {
  switch (kind) {
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kDecimal:
    case Kind::kString:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return true;
    default:
      return false;
  }
}

bool has_order(Kind kind) {
  return kind == Kind::kFloat || (has_equality(kind) && kind != Kind::kBool);
}

}  // namespace

ExprRef Elaborator::binary(const ast::BinaryExpr& expr, const TypeRef& hint) {
  switch (expr.op) {
    case ast::BinaryOp::or_:
    case ast::BinaryOp::and_:
      return logic(expr);
    case ast::BinaryOp::in:
    case ast::BinaryOp::not_in:
      return membership(expr);
    case ast::BinaryOp::coalesce:
      return coalesce(expr, hint);
    case ast::BinaryOp::equal:
    case ast::BinaryOp::not_equal:
    case ast::BinaryOp::less:
    case ast::BinaryOp::less_equal:
    case ast::BinaryOp::greater:
    case ast::BinaryOp::greater_equal:
      return comparison(expr);
    default:
      return arithmetic(expr, hint);
  }
}

ExprRef Elaborator::logic(const ast::BinaryExpr& expr) {
  const bool conjunction = expr.op == ast::BinaryOp::and_;
  const std::string what = conjunction ? "an operand of `and`" : "an operand of `or`";
  const ExprRef left = condition(*expr.left, what);
  const Facts known = facts(left);
  ExprRef right;
  {
    const Assume assume(*this, conjunction ? known.when_true : known.when_false);
    right = condition(*expr.right, what);
  }
  if (is_poison(left) || is_poison(right)) return poison(expr.span);
  return make(conjunction ? Op::kAnd : Op::kOr, types::boolean(), expr.span, {left, right});
}

ExprRef Elaborator::null_comparison(const ast::BinaryExpr& expr, const ast::Expr& value_at) {
  const bool equal = expr.op == ast::BinaryOp::equal;
  const ExprRef value = check(value_at);
  if (is_poison(value)) return value;
  const std::string form = equal ? " is null" : " is not null";
  report(Code::null_comparison, expr.span, "a comparison with `null`")
      .label("is it absent, is meant")
      .note("there is no unknown truth here as in SQL: this is true or false")
      .suggest("ask whether it is absent", expr.span, operand_text(value_at) + form);
  if (!types::is_optional(value->type)) {
    if (value->type->kind == Kind::kNull) return make_bool(equal, expr.span);
    return make_bool(!equal, expr.span);
  }
  const ExprRef test = make_is_null(value, expr.span);
  return equal ? test : make_not(test, expr.span);
}

ExprRef Elaborator::comparison(const ast::BinaryExpr& expr) {
  const Op op = op_of(expr.op);
  if (is_equality(op)) {
    if (expr.right->kind == ast::ExprKind::null_literal) return null_comparison(expr, *expr.left);
    if (expr.left->kind == ast::ExprKind::null_literal) return null_comparison(expr, *expr.right);
  }
  ExprRef left = check(*expr.left);
  ExprRef right = check(*expr.right);
  if (is_poison(left) || is_poison(right)) return poison(expr.span);
  return compare(op, left, right, expr, *expr.left, *expr.right, expr.op_span);
}

ExprRef Elaborator::compare(Op op, ExprRef left, ExprRef right, const ast::Expr& at, const ast::Expr& left_at,
                            const ast::Expr& right_at, Span op_span) {
  const bool equality = is_equality(op);
  const TypeRef a = types::strip_optional(left->type);
  const TypeRef b = types::strip_optional(right->type);
  const auto number = [](const TypeRef& type) {
    return type->kind == Kind::kInt || type->kind == Kind::kFloat || type->kind == Kind::kDecimal;
  };
  if (!equality && (common_type(a, b) != nullptr || (number(a) && number(b)))) {
    for (const auto& [value, where] : {std::pair{&left, &left_at}, std::pair{&right, &right_at}}) {
      if ((*value)->type->kind == Kind::kNull || types::is_optional((*value)->type)) {
        return report_absent(*value, *where, "what is compared by order");
      }
    }
  }
  // An int compares with a decimal as in arithmetic.
  if (a->kind == Kind::kDecimal && b->kind == Kind::kInt && !is_literal(right) &&
      !types::is_optional(right->type)) {
    right = make_convert(right, types::decimal(19, 0));
  } else if (b->kind == Kind::kDecimal && a->kind == Kind::kInt && !is_literal(left) &&
             !types::is_optional(left->type)) {
    left = make_convert(left, types::decimal(19, 0));
  }
  std::vector<ExprRef> sides = {left, right};
  if (!unify(sides)) {
    const TypeRef x = types::strip_optional(left->type);
    const TypeRef y = types::strip_optional(right->type);
    if (x->kind == Kind::kDecimal && y->kind == Kind::kDecimal) {
      report(Code::decimal_too_wide, op_span, "these decimals meet in no decimal of 38 digits")
          .label("cannot be compared exactly")
          .also(left_at.span, "this is " + types::to_string(x))
          .also(right_at.span, "this is " + types::to_string(y))
          .help("`round(x, n)` gives digits up where the script says so");
      return poison(at.span);
    }
    const bool numbers = number(x) && number(y);
    auto& finding = report(numbers ? Code::mixed_numbers : Code::wrong_type, op_span,
                           "values of different types are never equal nor ordered")
                        .label("compares two types")
                        .also(left_at.span, "this is " + types::to_string(left->type))
                        .also(right_at.span, "this is " + types::to_string(right->type));
    const auto offer = [&](const TypeRef& from, const ast::Expr& where) {
      if (numbers && from->kind != Kind::kFloat && context_.library.overload("to_float", {from}) != nullptr) {
        finding.suggest("compare as floats", where.span, "to_float(" + context_.raw(where.span) + ")");
      }
    };
    if (y->kind == Kind::kFloat) offer(left->type, left_at);
    if (x->kind == Kind::kFloat) offer(right->type, right_at);
    return poison(at.span);
  }
  const TypeRef inner = types::strip_optional(sides[0]->type);
  if (equality && inner->kind == Kind::kFloat) {
    auto& finding =
        report(Code::float_equality, op_span,
               "floats are compared within a tolerance, not by `" +
                   std::string(op == Op::kEqual ? "==" : "!=") + "`")
            .label("both sides are float")
            .note("0.1 + 0.2 == 0.3 is false: which rows pass would hang on the last bit of a rounding");
    if (!types::is_optional(sides[0]->type) &&
        context_.library.overload("abs", {types::floating()}) != nullptr) {
      finding.suggest("say how near is near enough", at.span,
                      "abs(" + operand_text(left_at) + " - " + operand_text(right_at) + ")" +
                          (op == Op::kEqual ? " <= " : " > ") + "1e-9");
    }
    return poison(at.span);
  }
  if (inner->kind == Kind::kNull) return make_bool(op == Op::kEqual, at.span);
  if (equality ? !has_equality(inner->kind) : !has_order(inner->kind)) {
    report(
        Code::not_comparable, op_span,
        "values of type " + types::to_string(inner) + (equality ? " cannot be compared" : " have no order"))
        .label("on both sides")
        .help(inner->kind == Kind::kRecord ? "compare its fields"
                                           : "compare what can be compared: numbers, texts, times");
    return poison(at.span);
  }
  return node(op, types::boolean(), at, {sides[0], sides[1]});
}

ExprRef Elaborator::membership(const ast::BinaryExpr& expr) {
  const bool negated = expr.op == ast::BinaryOp::not_in;
  const auto finish = [&](ExprRef test) { return negated ? make_not(std::move(test), expr.span) : test; };
  const ExprRef value = check(*expr.left);
  if (is_poison(value)) {
    check(*expr.right);
    return poison(expr.span);
  }
  if (const auto* list = ast::try_as<ast::ListExpr>(expr.right)) {
    // Each element is compared with the value, which is evaluated once.
    if (list->elements.empty()) return finish(make_bool(false, expr.span));
    const int id = new_local();
    const ExprRef local = make_local(id, value->type, value->span);
    std::vector<ExprRef> tests;
    bool failed = false;
    for (const ast::Expr* element : list->elements) {
      const ExprRef item = check(*element);
      failed |= is_poison(item);
      if (failed) continue;
      if (item->type->kind == Kind::kNull) {
        if (!types::is_optional(value->type)) continue;
        tests.push_back(make_is_null(local, element->span));
        continue;
      }
      const ExprRef subject = is_literal(value) ? value : local;
      tests.push_back(compare(Op::kEqual, subject, item, *element, *expr.left, *element, element->span));
      failed |= is_poison(tests.back());
    }
    if (failed) return poison(expr.span);
    if (tests.empty()) return finish(make_bool(false, expr.span));
    return finish(make_let(id, value, make_chain(Op::kOr, tests, expr.span)));
  }
  const ExprRef right = check(*expr.right);
  if (is_poison(right)) return poison(expr.span);
  if (types::is_optional(right->type)) return report_absent(right, *expr.right, "what is searched");
  const char* name = right->type->kind == Kind::kMap ? "has" : "contains";
  if (right->type->kind == Kind::kList || right->type->kind == Kind::kMap) {
    const TypeRef target = right->type->kind == Kind::kMap ? types::string() : right->type->element;
    const ExprRef item = coerce(value, target, *expr.left, "what is looked for");
    if (is_poison(item)) return poison(expr.span);
    const catalog::Signature* signature = context_.library.overload(name, {right->type, target});
    if (signature == nullptr) {
      context_.unsupported(expr.op_span, "`in` for " + types::to_string(right->type),
                           "`any(list, x => …)` asks for an element by a condition");
      return poison(expr.span);
    }
    return finish(native(*signature, {right, item}, types::boolean(), expr));
  }
  report(Code::wrong_type, expr.right->span, "`in` looks into a list or a map")
      .label("this is " + types::to_string(right->type));
  return poison(expr.span);
}

ExprRef Elaborator::coalesce(const ast::BinaryExpr& expr, const TypeRef& hint) {
  const TypeRef left_hint = hint == nullptr ? nullptr : types::optional(hint);
  const ExprRef left = check(*expr.left, left_hint);
  const TypeRef inner = types::strip_optional(left->type);
  const ExprRef right = check(*expr.right, inner->kind == Kind::kNull || is_poison(left) ? hint : inner);
  if (is_poison(left) || is_poison(right)) return poison(expr.span);
  if (left->type->kind == Kind::kNull) return right;
  if (!types::is_optional(left->type)) {
    report(Code::never_absent, expr.op_span, "`??` after a value that is never absent")
        .label("never reached")
        .also(expr.left->span, "this is " + types::to_string(left->type))
        .suggest("leave it out", expr.span, context_.raw(expr.left->span));
    return left;
  }
  if (right->type->kind == Kind::kNull) return left;
  const bool right_optional = types::is_optional(right->type);
  // The two meet in one type; the result is absent only if the right side may be.
  std::vector<ExprRef> sides = {make_unwrap(left, left->span),
                                right_optional ? make_unwrap(right, right->span) : right};
  if (!unify(sides)) {
    auto& finding = report(Code::no_common_type, expr.op_span, "the two sides of `??` have different types")
                        .label("one of the two is the result");
    finding.also(expr.left->span, "this is " + types::to_string(left->type))
        .also(expr.right->span, "this is " + types::to_string(right->type));
    return poison(expr.span);
  }
  const TypeRef type = sides[0]->type;
  const ExprRef first = convert(left, types::optional(type));
  const ExprRef second = convert(right, right_optional ? types::optional(type) : type);
  if (first == nullptr || second == nullptr) return poison(expr.span);
  return node(Op::kCoalesce, right_optional ? types::optional(type) : type, expr, {first, second});
}

ExprRef Elaborator::is_null(const ast::IsNullExpr& expr) {
  const ExprRef value = check(*expr.operand);
  if (is_poison(value)) return value;
  if (value->type->kind == Kind::kNull) return make_bool(!expr.negated, expr.span);
  if (!types::is_optional(value->type)) {
    report(Code::never_absent, expr.span, "`" + context_.text(expr.operand->span) + "` is never absent")
        .label(expr.negated ? "always true" : "always false")
        .also(expr.operand->span, "this is " + types::to_string(value->type));
    return make_bool(expr.negated, expr.span);
  }
  const ExprRef test = make_is_null(value, expr.span);
  return expr.negated ? make_not(test, expr.span) : test;
}

ExprRef Elaborator::try_value(const ast::TryExpr& expr, const TypeRef& hint) {
  const bool tried = scope_.tried;
  scope_.tried = true;
  const ExprRef value = check(*expr.operand, hint == nullptr ? nullptr : types::strip_optional(hint));
  scope_.tried = tried;
  if (is_poison(value)) return value;
  if (value->type->kind == Kind::kNull) return value;
  if (!flow::fallible(*value)) {
    report(Code::never_fails, expr.span, "`try` around what cannot fail")
        .label("no record error can arise here")
        .note("the value may be absent all the same by its type, as after every `try`");
  }
  return node(Op::kTry, types::optional(value->type), expr, {value});
}

}  // namespace weir::check
