#include "compiler/check/elaborator.h"

#include <algorithm>

namespace weir::check {

Elaborator::Elaborator(Context& context, Scope scope) : context_(context), scope_(std::move(scope)) {
  for (const Local& local : scope_.locals) next_local_ = std::max(next_local_, local.id + 1);
}

NewExpr Elaborator::node(Op op, TypeRef type, const ast::Expr& at, std::vector<ExprRef> args) {
  NewExpr result = make(op, std::move(type), at.span, std::move(args));
  result->text = context_.text(at.span);
  return result;
}

ExprRef Elaborator::check(const ast::Expr& expr, const TypeRef& hint) {
  return check_inner(expr, hint);
}

ExprRef Elaborator::check_inner(const ast::Expr& expr, const TypeRef& hint) {
  using ast::ExprKind;
  switch (expr.kind) {
    case ExprKind::error:
      return poison(expr.span);
    case ExprKind::null_literal:
    case ExprKind::bool_literal:
    case ExprKind::int_literal:
    case ExprKind::decimal_literal:
    case ExprKind::float_literal:
    case ExprKind::string_literal:
    case ExprKind::duration_literal:
    case ExprKind::size_literal:
    case ExprKind::timestamp_literal:
    case ExprKind::date_literal:
      return literal(expr, hint);
    case ExprKind::interpolation:
      return interpolation(ast::as<ast::InterpolationExpr>(expr));
    case ExprKind::list:
      return list(ast::as<ast::ListExpr>(expr), hint);
    case ExprKind::record:
      return record(ast::as<ast::RecordExpr>(expr), hint);
    case ExprKind::name:
      return name(ast::as<ast::NameExpr>(expr));
    case ExprKind::field:
      return field(ast::as<ast::FieldExpr>(expr));
    case ExprKind::index:
      return index(ast::as<ast::IndexExpr>(expr));
    case ExprKind::call:
      return call(ast::as<ast::CallExpr>(expr));
    case ExprKind::unary:
      return unary(ast::as<ast::UnaryExpr>(expr), hint);
    case ExprKind::binary:
      return binary(ast::as<ast::BinaryExpr>(expr), hint);
    case ExprKind::is_null:
      return is_null(ast::as<ast::IsNullExpr>(expr));
    case ExprKind::try_:
      return try_value(ast::as<ast::TryExpr>(expr), hint);
    case ExprKind::capture:
      check(*ast::as<ast::CaptureExpr>(expr).operand, hint);
      context_.unsupported(
          expr.span, "`capture`",
          "a value that is a function of the record needs no capture: the event time, or `uuid_from` its "
          "identity");
      return poison(expr.span);
    case ExprKind::if_:
      return if_value(ast::as<ast::IfExpr>(expr), hint);
    case ExprKind::let:
      return let(ast::as<ast::LetExpr>(expr), hint);
    case ExprKind::match:
      return match(ast::as<ast::MatchExpr>(expr), hint);
    case ExprKind::lambda:
      report(Code::misplaced_lambda, expr.span, "a lambda is not a value")
          .label("only an argument of a function can be one");
      return poison(expr.span);
  }
  return poison(expr.span);
}

ExprRef Elaborator::check_as(const ast::Expr& expr, const TypeRef& target, const std::string& what,
                             Span declared) {
  return coerce(check(expr, target), target, expr, what, declared);
}

ExprRef Elaborator::condition(const ast::Expr& expr, const std::string& what) {
  return check_as(expr, types::boolean(), what);
}

std::string Elaborator::path_of(const ExprRef& expr) {
  switch (expr->op) {
    case Op::kRow:
      return "row";
    case Op::kLocal:
      return "local" + std::to_string(expr->index);
    case Op::kField: {
      const std::string object = path_of(expr->args[0]);
      if (object.empty()) return object;
      return object + "." + expr->args[0]->type->fields[static_cast<std::size_t>(expr->index)].name;
    }
    case Op::kUnwrap:
      return path_of(expr->args[0]);
    case Op::kConvert:
      return types::is_optional(expr->type) && types::same(expr->type->element, expr->args[0]->type)
                 ? path_of(expr->args[0])
                 : "";
    default:
      return "";
  }
}

namespace {

std::vector<std::string> both(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::string> in_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> result;
  for (const std::string& fact : a) {
    if (std::find(b.begin(), b.end(), fact) != b.end()) result.push_back(fact);
  }
  return result;
}

// T of T? or literal that is present.
bool surely_present(const ExprRef& expr) {
  if (!types::is_optional(expr->type)) return true;
  return expr->op == Op::kConvert && !types::is_optional(expr->args[0]->type) &&
         expr->args[0]->type->kind != Kind::kNull;
}

}  // namespace

Facts Elaborator::facts(const ExprRef& condition) {
  switch (condition->op) {
    case Op::kIsNull: {
      const std::string path = path_of(condition->args[0]);
      if (path.empty()) return {};
      return {{}, {path}};
    }
    case Op::kEqual:
    case Op::kNotEqual: {
      Facts result;
      for (std::size_t i = 0; i < 2; ++i) {
        const std::string path = path_of(condition->args[i]);
        if (!path.empty() && types::is_optional(condition->args[i]->type) &&
            surely_present(condition->args[1 - i])) {
          result.when_true.push_back(path);
        }
      }
      if (condition->op == Op::kNotEqual) std::swap(result.when_true, result.when_false);
      return result;
    }
    case Op::kNot: {
      Facts inner = facts(condition->args[0]);
      std::swap(inner.when_true, inner.when_false);
      return inner;
    }
    case Op::kAnd: {
      const Facts left = facts(condition->args[0]);
      const Facts right = facts(condition->args[1]);
      return {both(left.when_true, right.when_true), in_common(left.when_false, right.when_false)};
    }
    case Op::kOr: {
      const Facts left = facts(condition->args[0]);
      const Facts right = facts(condition->args[1]);
      return {in_common(left.when_true, right.when_true), both(left.when_false, right.when_false)};
    }
    case Op::kLet:
      return facts(condition->args[1]);
    default:
      return {};
  }
}

ExprRef Elaborator::narrowed(const ExprRef& value) {
  if (!types::is_optional(value->type)) return value;
  const std::string path = path_of(value);
  if (path.empty()) return value;
  const bool known = std::find(scope_.present.begin(), scope_.present.end(), path) != scope_.present.end();
  return known ? make_unwrap(value, value->span) : value;
}

std::string Elaborator::operand_text(const ast::Expr& expr) const {
  using ast::ExprKind;
  const std::string text = context_.raw(expr.span);
  if (expr.parenthesised) return "(" + text + ")";
  switch (expr.kind) {
    case ExprKind::unary:
    case ExprKind::binary:
    case ExprKind::is_null:
    case ExprKind::try_:
    case ExprKind::capture:
    case ExprKind::if_:
    case ExprKind::let:
    case ExprKind::match:
    case ExprKind::lambda:
      return "(" + text + ")";
    default:
      return text;
  }
}

}  // namespace weir::check
