// Expressions and types as Weir text: parentheses exactly where precedence needs them.
#include <fmt/core.h>

#include "compiler/ast/print.h"
#include "compiler/ast/print_parts.h"
#include "compiler/ast/print_values.h"

namespace weir::ast {

namespace {

// How tightly a node binds, as in the grammar.
enum Level {
  reaching = 0,
  or_level,
  and_level,
  not_level,
  comparison,
  coalesce,
  sum,
  product,
  prefix,
  postfix
};

Level level(BinaryOp op) {
  switch (op) {
    case BinaryOp::or_:
      return or_level;
    case BinaryOp::and_:
      return and_level;
    case BinaryOp::equal:
    case BinaryOp::not_equal:
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal:
    case BinaryOp::in:
    case BinaryOp::not_in:
      return comparison;
    case BinaryOp::coalesce:
      return coalesce;
    case BinaryOp::add:
    case BinaryOp::subtract:
      return sum;
    case BinaryOp::multiply:
    case BinaryOp::divide:
    case BinaryOp::remainder:
      return product;
  }
  return reaching;
}

Level level(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::if_:
    case ExprKind::let:
    case ExprKind::lambda:
      return reaching;
    case ExprKind::binary:
      return level(as<BinaryExpr>(expr).op);
    case ExprKind::is_null:
      return comparison;
    case ExprKind::unary:
      return as<UnaryExpr>(expr).op == UnaryOp::not_ ? not_level : prefix;
    case ExprKind::try_:
    case ExprKind::capture:
      return prefix;
    case ExprKind::error:
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
    case ExprKind::interpolation:
    case ExprKind::list:
    case ExprKind::record:
    case ExprKind::name:
    case ExprKind::field:
    case ExprKind::index:
    case ExprKind::call:
    case ExprKind::match:
      return postfix;
  }
  return postfix;
}

std::string at_least(Level least, const Expr& expr) {
  std::string text = print(expr);
  return level(expr) < least ? "(" + text + ")" : text;
}

bool begins_with_string(const Expr& expr) {
  const std::string text = print(expr);
  return text.starts_with('"');
}

std::string print_binary(const BinaryExpr& expr) {
  const Level own = level(expr.op);
  const bool chains = own != comparison;
  return fmt::format("{} {} {}", at_least(chains ? own : static_cast<Level>(own + 1), *expr.left),
                     to_string(expr.op), at_least(static_cast<Level>(own + 1), *expr.right));
}

std::string print_record(const RecordExpr& expr) {
  std::string out;
  for (const RecordEntry& entry : expr.entries) {
    if (!out.empty()) out += ", ";
    const std::string& name = entry.name.text;
    out += entry.spread ? ".." : (entry.quoted ? print_string(name) : print_name(name)) + ": ";
    out += print(*entry.value);
  }
  if (expr.open) out += out.empty() ? ".." : ", ..";
  return out.empty() ? "{}" : "{ " + out + " }";
}

std::string print_call(const CallExpr& expr) {
  if (!expr.method) return print_name(expr.function.text) + "(" + print_args(expr.args) + ")";
  return fmt::format("{}{}{}({})", at_least(postfix, *expr.args.front().value), expr.optional ? "?." : ".",
                     print_name(expr.function.text), print_args({expr.args.begin() + 1, expr.args.end()}));
}

std::string print_pattern(const Pattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::wildcard:
      return "_";
    case PatternKind::literal:
      return print(*pattern.literal);
    // A plain `_` would be the wildcard.
    case PatternKind::name:
      return pattern.name.text == "_" ? "`_`" : print_name(pattern.name.text);
    case PatternKind::any_of: {
      std::string out;
      for (const Pattern* alternative : pattern.alternatives)
        out += (out.empty() ? "" : " | ") + print_pattern(*alternative);
      return out;
    }
    case PatternKind::error:
      return "_";
  }
  return "_";
}

std::string print_match(const MatchExpr& expr) {
  std::string out = "match " + print(*expr.subject) + " {";
  for (const MatchArm& arm : expr.arms) {
    out += out.ends_with('{') ? " " : ", ";
    out += print_pattern(*arm.pattern);
    if (arm.guard != nullptr) out += " if " + at_least(or_level, *arm.guard);
    // A lambda would take the arrow of a guard.
    out += " => " + (arm.value->kind == ExprKind::lambda ? "(" + print(*arm.value) + ")" : print(*arm.value));
  }
  return out + (expr.arms.empty() ? "}" : " }");
}

std::string print_interpolation(const InterpolationExpr& expr) {
  std::string out = "\"";
  for (const Expr* part : expr.parts) {
    const auto* literal = try_as<StringLiteral>(part);
    out += literal != nullptr ? print_string_part(literal->value) : "${" + print(*part) + "}";
  }
  return out + "\"";
}

std::string print_lambda(const LambdaExpr& expr) {
  if (expr.params.size() == 1) return print_name(expr.params.front().text) + " => " + print(*expr.body);
  return "(" + print_names(expr.params) + ") => " + print(*expr.body);
}

std::string print_capture(const CaptureExpr& expr) {
  std::string out = "capture ";
  if (expr.site) out += print_string(expr.site->value) + " ";
  // A string at the front would be read as the site's name.
  const bool wrap = begins_with_string(*expr.operand);
  return out + (wrap ? "(" + print(*expr.operand) + ")" : at_least(prefix, *expr.operand));
}

std::string print_if(const IfExpr& expr) {
  std::string out = "if ";
  if (expr.binding) out += "let " + print_name(expr.binding->text) + " = ";
  return out + print(*expr.condition) + " then " + print(*expr.then_value) + " else " +
         print(*expr.else_value);
}

}  // namespace

const char* to_string(BinaryOp op) {
  switch (op) {
    case BinaryOp::or_:
      return "or";
    case BinaryOp::and_:
      return "and";
    case BinaryOp::equal:
      return "==";
    case BinaryOp::not_equal:
      return "!=";
    case BinaryOp::less:
      return "<";
    case BinaryOp::less_equal:
      return "<=";
    case BinaryOp::greater:
      return ">";
    case BinaryOp::greater_equal:
      return ">=";
    case BinaryOp::in:
      return "in";
    case BinaryOp::not_in:
      return "not in";
    case BinaryOp::coalesce:
      return "??";
    case BinaryOp::add:
      return "+";
    case BinaryOp::subtract:
      return "-";
    case BinaryOp::multiply:
      return "*";
    case BinaryOp::divide:
      return "/";
    case BinaryOp::remainder:
      return "%";
  }
  return "?";
}

std::string print_names(const std::vector<Name>& names) {
  std::string out;
  for (const Name& name : names) out += (out.empty() ? "" : ", ") + print_name(name.text);
  return out;
}

std::string print_args(const std::vector<Arg>& args) {
  std::string out;
  for (const Arg& arg : args) {
    if (!out.empty()) out += ", ";
    if (arg.name) out += (arg.name->text == "null" ? "null" : print_name(arg.name->text)) + ": ";
    out += print(*arg.value);
  }
  return out;
}

std::string print_list(const std::vector<Expr*>& exprs) {
  std::string out;
  for (const Expr* expr : exprs) out += (out.empty() ? "" : ", ") + print(*expr);
  return out;
}

std::string print(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::error:
      return "`<error>`";
    case ExprKind::null_literal:
      return "null";
    case ExprKind::bool_literal:
      return as<BoolLiteral>(expr).value ? "true" : "false";
    case ExprKind::int_literal:
      return as<IntLiteral>(expr).digits;
    case ExprKind::decimal_literal:
      return as<DecimalLiteral>(expr).digits;
    case ExprKind::float_literal:
      return as<FloatLiteral>(expr).digits;
    case ExprKind::string_literal:
      return print_string(as<StringLiteral>(expr).value);
    case ExprKind::duration_literal:
      return print_duration(as<DurationLiteral>(expr).micros);
    case ExprKind::size_literal:
      return print_size(as<SizeLiteral>(expr).bytes);
    case ExprKind::timestamp_literal:
      return print_timestamp(as<TimestampLiteral>(expr).micros);
    case ExprKind::date_literal:
      return print_date(as<DateLiteral>(expr).days);
    case ExprKind::interpolation:
      return print_interpolation(as<InterpolationExpr>(expr));
    case ExprKind::list:
      return "[" + print_list(as<ListExpr>(expr).elements) + "]";
    case ExprKind::record:
      return print_record(as<RecordExpr>(expr));
    case ExprKind::name:
      return print_name(as<NameExpr>(expr).name);
    case ExprKind::field: {
      const auto& field = as<FieldExpr>(expr);
      return at_least(postfix, *field.object) + (field.optional ? "?." : ".") + print_name(field.name.text);
    }
    case ExprKind::index:
      return at_least(postfix, *as<IndexExpr>(expr).object) + "[" + print(*as<IndexExpr>(expr).index) + "]";
    case ExprKind::call:
      return print_call(as<CallExpr>(expr));
    case ExprKind::unary: {
      const auto& unary = as<UnaryExpr>(expr);
      return unary.op == UnaryOp::not_ ? "not " + at_least(not_level, *unary.operand)
                                       : "-" + at_least(prefix, *unary.operand);
    }
    case ExprKind::binary:
      return print_binary(as<BinaryExpr>(expr));
    case ExprKind::is_null:
      return at_least(coalesce, *as<IsNullExpr>(expr).operand) +
             (as<IsNullExpr>(expr).negated ? " is not null" : " is null");
    case ExprKind::try_:
      return "try " + at_least(prefix, *as<TryExpr>(expr).operand);
    case ExprKind::capture:
      return print_capture(as<CaptureExpr>(expr));
    case ExprKind::if_:
      return print_if(as<IfExpr>(expr));
    case ExprKind::let: {
      const auto& let = as<LetExpr>(expr);
      // A bare `in` would be taken for the let's own.
      return "let " + print_name(let.name.text) + " = " + at_least(coalesce, *let.value) + " in " +
             print(*let.body);
    }
    case ExprKind::match:
      return print_match(as<MatchExpr>(expr));
    case ExprKind::lambda:
      return print_lambda(as<LambdaExpr>(expr));
  }
  return "";
}

std::string print(const TypeExpr& type) {
  switch (type.kind) {
    case TypeExprKind::named: {
      const auto& named = as<NamedType>(type);
      std::string out = print_name(named.name.text);
      if (!named.type_args.empty()) {
        out += "<";
        for (std::size_t i = 0; i < named.type_args.size(); ++i)
          out += (i == 0 ? "" : ", ") + print(*named.type_args[i]);
        out += ">";
      }
      return named.args.empty() ? out : out + "(" + print_args(named.args) + ")";
    }
    case TypeExprKind::optional:
      return print(*as<OptionalType>(type).inner) + "?";
    case TypeExprKind::function: {
      const auto& function = as<FunctionType>(type);
      std::string out = "fn(";
      for (std::size_t i = 0; i < function.params.size(); ++i)
        out += (i == 0 ? "" : ", ") + print(*function.params[i]);
      return out + ") -> " + print(*function.result);
    }
    case TypeExprKind::error:
      return "`<error>`";
  }
  return "";
}

}  // namespace weir::ast
