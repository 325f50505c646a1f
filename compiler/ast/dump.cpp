#include <fmt/core.h>

#include "compiler/ast/children.h"
#include "compiler/ast/print.h"

namespace weir::ast {

namespace {

// What an expression is besides its kind and its children.
std::string own_value(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::record: {
      std::string out;
      for (const RecordEntry& entry : as<RecordExpr>(expr).entries)
        out += (entry.spread ? ".." : entry.name.text) + " ";
      return out + (as<RecordExpr>(expr).open ? ".." : "");
    }
    case ExprKind::field:
      return (as<FieldExpr>(expr).optional ? "?." : ".") + as<FieldExpr>(expr).name.text;
    case ExprKind::call: {
      const auto& call = as<CallExpr>(expr);
      std::string out = call.function.text + (call.optional ? " ?." : call.method ? " ." : "");
      for (const Arg& arg : call.args) out += arg.name ? " " + arg.name->text : " _";
      return out;
    }
    case ExprKind::unary:
      return as<UnaryExpr>(expr).op == UnaryOp::not_ ? "not" : "-";
    case ExprKind::binary:
      return to_string(as<BinaryExpr>(expr).op);
    case ExprKind::is_null:
      return as<IsNullExpr>(expr).negated ? "not" : "";
    case ExprKind::capture:
      return as<CaptureExpr>(expr).site ? as<CaptureExpr>(expr).site->value : "";
    case ExprKind::if_:
      return as<IfExpr>(expr).binding ? as<IfExpr>(expr).binding->text : "";
    case ExprKind::let:
      return as<LetExpr>(expr).name.text;
    case ExprKind::lambda: {
      std::string out;
      for (const Name& param : as<LambdaExpr>(expr).params) out += param.text + " ";
      return out;
    }
    case ExprKind::match: {
      std::string out;
      for (const MatchArm& arm : as<MatchExpr>(expr).arms) {
        out += fmt::format("{}:{}{} ", static_cast<int>(arm.pattern->kind), arm.pattern->name.text,
                           arm.guard != nullptr ? "if" : "");
        for (const Pattern* alternative : arm.pattern->alternatives) {
          out += fmt::format("{}:{} ", static_cast<int>(alternative->kind), alternative->name.text);
        }
      }
      return out;
    }
    case ExprKind::error:
    case ExprKind::interpolation:
    case ExprKind::list:
    case ExprKind::index:
    case ExprKind::try_:
      return "";
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
    case ExprKind::name:
      return print(expr);
  }
  return "";
}

}  // namespace

std::string dump(const Expr& expr) {
  std::string out = fmt::format("({} {}", static_cast<int>(expr.kind), own_value(expr));
  for_each_child(expr, [&](const Expr* child) { out += " " + dump(*child); });
  return out + ")";
}

}  // namespace weir::ast
