#include "compiler/flow/verify/expr.h"

#include <algorithm>
#include <map>

#include "compiler/flow/natural_type.h"
#include "compiler/flow/text/tokens.h"
#include "compiler/flow/verify.h"

namespace weir::flow::verify_detail {
namespace {

using types::Kind;

std::string op_name(const Expr& expr) {
  switch (expr.op) {
    case Op::kLiteral:
      return "literal";
    case Op::kRow:
      return "row";
    case Op::kLocal:
      return "local";
    case Op::kParam:
      return "param";
    case Op::kMeta:
      return "meta";
    case Op::kList:
      return "list";
    case Op::kLet:
      return "let";
    case Op::kLambda:
      return "lambda";
    case Op::kCall:
      return "call " + expr.name;
    case Op::kCallFunction:
      return "fn";
    case Op::kCapture:
      return "capture";
    default:
      return std::string(text::word(expr.op));
  }
}

// Number of arguments; -1: any.
int arity(Op op) {
  switch (op) {
    case Op::kLiteral:
    case Op::kRow:
    case Op::kLocal:
    case Op::kParam:
    case Op::kMeta:
      return 0;
    case Op::kField:
    case Op::kLambda:
    case Op::kNot:
    case Op::kNegate:
    case Op::kConvert:
    case Op::kIsNull:
    case Op::kUnwrap:
    case Op::kTry:
    case Op::kCapture:
      return 1;
    case Op::kIf:
      return 3;
    case Op::kLet:
    case Op::kAnd:
    case Op::kOr:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kCoalesce:
      return 2;
    case Op::kRecord:
    case Op::kList:
    case Op::kCall:
    case Op::kCallFunction:
      return -1;
  }
  return -1;
}

bool has_order(Kind kind) {
  return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kDecimal || kind == Kind::kString ||
         kind == Kind::kBytes || kind == Kind::kTimestamp || kind == Kind::kDuration || kind == Kind::kBool;
}

bool converts(const types::Type& from, const types::Type& to) {
  if (types::same(from, to)) return true;
  switch (to.kind) {
    case Kind::kOptional:
      return from.kind == Kind::kNull ||
             converts(from.kind == Kind::kOptional ? *from.element : from, *to.element);
    case Kind::kDecimal:
      return from.kind == Kind::kInt || from.kind == Kind::kDecimal;
    case Kind::kFloat:
      return from.kind == Kind::kInt || from.kind == Kind::kDecimal;
    case Kind::kRecord:
      if (from.kind != Kind::kRecord || from.fields.size() != to.fields.size()) return false;
      for (std::size_t i = 0; i < to.fields.size(); ++i) {
        if (!converts(*from.fields[i].type, *to.fields[i].type)) return false;
      }
      return true;
    case Kind::kList:
    case Kind::kMap:
      return from.kind == to.kind && from.element->kind == Kind::kError;  // an empty one
    default:
      return false;
  }
}

class Checker {
 public:
  Checker(const ExprContext& context, const Report& report) : context_(context), report_(report) {
    for (std::size_t i = 0; i < context.locals.size(); ++i) locals_[static_cast<int>(i)] = context.locals[i];
  }

  void check(const ExprRef& expr, int depth);

 private:
  void fault(const Expr& expr, const std::string& what) { report_("`" + op_name(expr) + "` " + what); }
  void need(bool condition, const Expr& expr, const std::string& what) {
    if (!condition) fault(expr, what);
  }
  void same_as(const Expr& expr, const TypeRef& type, const std::string& of) {
    if (!types::same(expr.type, type)) {
      fault(expr,
            "has type " + types::to_string(expr.type) + ", but " + of + " has " + types::to_string(type));
    }
  }
  void all_bool(const Expr& expr);
  void form(const Expr& expr);
  void literal(const Expr& expr);
  void leaf(const Expr& expr);
  void record(const Expr& expr);
  void comparison(const Expr& expr);
  void arithmetic(const Expr& expr);
  void convert(const Expr& expr);
  void call_function(const Expr& expr);
  void scoped(const Expr& expr, int depth);
  bool enter(const Expr& expr, int local, const TypeRef& type);

  const ExprContext& context_;
  const Report& report_;
  std::map<int, TypeRef> locals_;  // in scope
  std::set<int> seen_;             // ever bound in this root
};

void Checker::check(const ExprRef& expr, int depth) {
  if (expr == nullptr) return report_("an expression is missing");
  if (depth > max_verified_depth) return report_("an expression is nested too deeply");
  if (expr->type == nullptr || expr->type->kind == Kind::kError) return fault(*expr, "has no type");
  const int wanted = arity(expr->op);
  if (wanted >= 0 && expr->args.size() != static_cast<std::size_t>(wanted)) {
    return fault(*expr, "has " + std::to_string(expr->args.size()) + " arguments instead of " +
                            std::to_string(wanted));
  }
  if (expr->op == Op::kLet || expr->op == Op::kLambda) return scoped(*expr, depth);
  for (const ExprRef& arg : expr->args) {
    check(arg, depth + 1);
    if (arg == nullptr || arg->type == nullptr) return;
    if (arg->op == Op::kLambda && expr->op != Op::kCall) fault(*expr, "has a lambda as an argument");
  }
  form(*expr);
}

bool Checker::enter(const Expr& expr, int local, const TypeRef& type) {
  if (type == nullptr) {
    fault(expr, "binds a local without a type");
    return false;
  }
  if (!seen_.insert(local).second || locals_.contains(local)) {
    fault(expr, "binds %" + std::to_string(local) + " a second time");
  }
  locals_[local] = type;
  return true;
}

void Checker::scoped(const Expr& expr, int depth) {
  if (expr.op == Op::kLet) {
    check(expr.args[0], depth + 1);
    if (expr.args[0] == nullptr || !enter(expr, expr.index, expr.args[0]->type)) return;
    check(expr.args[1], depth + 1);
    locals_.erase(expr.index);
    if (expr.args[1] != nullptr && expr.args[1]->type != nullptr)
      same_as(expr, expr.args[1]->type, "its body");
    return;
  }
  if (expr.locals.size() != expr.local_types.size()) return fault(expr, "has parameters without types");
  for (std::size_t i = 0; i < expr.locals.size(); ++i) {
    if (!enter(expr, expr.locals[i], expr.local_types[i])) return;
  }
  check(expr.args[0], depth + 1);
  for (int local : expr.locals) locals_.erase(local);
}

void Checker::form(const Expr& expr) {
  const auto& args = expr.args;
  switch (expr.op) {
    case Op::kLiteral:
      return literal(expr);
    case Op::kRow:
    case Op::kLocal:
    case Op::kParam:
    case Op::kMeta:
      return leaf(expr);
    case Op::kField: {
      const auto& fields = args[0]->type->fields;
      if (args[0]->type->kind != Kind::kRecord || expr.index < 0 ||
          static_cast<std::size_t>(expr.index) >= fields.size()) {
        return fault(expr,
                     "takes field " + std::to_string(expr.index) + " of " + types::to_string(args[0]->type));
      }
      return same_as(expr, fields[static_cast<std::size_t>(expr.index)].type, "the field");
    }
    case Op::kRecord:
      return record(expr);
    case Op::kList:
      if (expr.type->kind != Kind::kList) return fault(expr, "has type " + types::to_string(expr.type));
      for (const ExprRef& arg : args) {
        need(types::same(arg->type, expr.type->element), expr,
             "has an element of type " + types::to_string(arg->type));
      }
      return;
    case Op::kIf:
      need(args[0]->type->kind == Kind::kBool, expr,
           "has a condition of type " + types::to_string(args[0]->type));
      same_as(expr, args[1]->type, "its first branch");
      return same_as(expr, args[2]->type, "its second branch");
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
      return all_bool(expr);
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      return comparison(expr);
    case Op::kNegate:
      same_as(expr, args[0]->type, "its argument");
      return need(expr.type->kind == Kind::kInt || expr.type->kind == Kind::kFloat ||
                      expr.type->kind == Kind::kDecimal || expr.type->kind == Kind::kDuration,
                  expr, "is of " + types::to_string(expr.type));
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
      return arithmetic(expr);
    case Op::kConvert:
      return convert(expr);
    case Op::kIsNull:
      need(types::is_optional(args[0]->type), expr, "is of " + types::to_string(args[0]->type));
      return same_as(expr, types::boolean(), "it");
    case Op::kUnwrap:
      need(types::is_optional(args[0]->type), expr, "is of " + types::to_string(args[0]->type));
      return same_as(expr, types::strip_optional(args[0]->type), "what its argument holds");
    case Op::kCoalesce:
      need(types::is_optional(args[0]->type), expr, "is of " + types::to_string(args[0]->type));
      need(types::same(types::strip_optional(args[0]->type), types::strip_optional(args[1]->type)), expr,
           "has an alternative of type " + types::to_string(args[1]->type));
      return same_as(expr, args[1]->type, "its alternative");
    case Op::kTry:
      return same_as(expr, types::optional(args[0]->type), "a `try` of its argument");
    case Op::kCall:
      return need(!expr.name.empty(), expr, "has no name");
    case Op::kCallFunction:
      return call_function(expr);
    case Op::kCapture:
      need(!expr.name.empty(), expr, "has no site");
      return same_as(expr, args[0]->type, "its argument");
    case Op::kLet:
    case Op::kLambda:
      return;
  }
}

void Checker::all_bool(const Expr& expr) {
  same_as(expr, types::boolean(), "it");
  for (const ExprRef& arg : expr.args) {
    need(arg->type->kind == Kind::kBool, expr, "has an argument of type " + types::to_string(arg->type));
  }
}

void Checker::literal(const Expr& expr) {
  const auto& value = expr.literal.value;
  const auto is = [&](const auto* found) {
    return need(found != nullptr, expr, "does not have its type's value");
  };
  switch (expr.type->kind) {
    case Kind::kBool:
      return is(std::get_if<bool>(&value));
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return is(std::get_if<std::int64_t>(&value));
    case Kind::kFloat:
      return is(std::get_if<double>(&value));
    case Kind::kDecimal: {
      const auto* decimal = std::get_if<Int128>(&value);
      if (decimal == nullptr) return is(decimal);
      Int128 limit = 1;
      for (int i = 0; i < expr.type->precision; ++i) limit *= 10;
      return need(*decimal < limit && *decimal > -limit, expr, "does not fit " + types::to_string(expr.type));
    }
    case Kind::kString:
    case Kind::kBytes:
      return is(std::get_if<std::string>(&value));
    case Kind::kNull:
    case Kind::kOptional:
      return is(std::get_if<std::monostate>(&value));
    default:
      return fault(expr, "is of " + types::to_string(expr.type));
  }
}

void Checker::leaf(const Expr& expr) {
  if (expr.op == Op::kRow) {
    if (context_.row == nullptr) return fault(expr, "is used where there is no row");
    return same_as(expr, context_.row, "the row");
  }
  if (expr.op == Op::kMeta) {
    need(context_.meta, expr, "is used where no record of a source is at hand");
    return same_as(expr, types::meta_record(), "`meta`");
  }
  if (expr.op == Op::kLocal) {
    const auto found = locals_.find(expr.index);
    if (found == locals_.end()) return fault(expr, "%" + std::to_string(expr.index) + " is not in scope");
    return same_as(expr, found->second, "what it stands for");
  }
  const auto& params = context_.program->params;
  if (expr.index < 0 || static_cast<std::size_t>(expr.index) >= params.size()) {
    return fault(expr, std::to_string(expr.index) + " does not exist");
  }
  same_as(expr, params[static_cast<std::size_t>(expr.index)].type, "the parameter");
}

void Checker::record(const Expr& expr) {
  if (expr.type->kind != Kind::kRecord || expr.type->fields.size() != expr.args.size()) {
    return fault(
        expr, "of " + std::to_string(expr.args.size()) + " values has type " + types::to_string(expr.type));
  }
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    need(types::same(expr.args[i]->type, expr.type->fields[i].type), expr,
         "gives field " + expr.type->fields[i].name + " a value of type " +
             types::to_string(expr.args[i]->type));
  }
}

void Checker::comparison(const Expr& expr) {
  same_as(expr, types::boolean(), "it");
  const TypeRef& a = expr.args[0]->type;
  const TypeRef& b = expr.args[1]->type;
  if (!types::same(a, b)) {
    return fault(expr, "compares " + types::to_string(a) + " with " + types::to_string(b));
  }
  const bool equality = expr.op == Op::kEqual || expr.op == Op::kNotEqual;
  const Kind kind = equality ? types::strip_optional(a)->kind : a->kind;
  need(has_order(kind) && !(equality && kind == Kind::kFloat), expr,
       "compares values of " + types::to_string(a));
}

void Checker::arithmetic(const Expr& expr) {
  const Kind a = expr.args[0]->type->kind;
  const Kind b = expr.args[1]->type->kind;
  const Kind result = expr.type->kind;
  const auto of = [&](Kind x, Kind y, Kind z) { return a == x && b == y && result == z; };
  const bool additive = expr.op == Op::kAdd || expr.op == Op::kSubtract;
  const bool scales = expr.op == Op::kMultiply || expr.op == Op::kDivide;
  const bool fits =
      of(Kind::kInt, Kind::kInt, Kind::kInt) || of(Kind::kFloat, Kind::kFloat, Kind::kFloat) ||
      of(Kind::kDecimal, Kind::kDecimal, Kind::kDecimal) ||
      (additive && of(Kind::kTimestamp, Kind::kDuration, Kind::kTimestamp)) ||
      (expr.op == Op::kAdd && of(Kind::kDuration, Kind::kTimestamp, Kind::kTimestamp)) ||
      (expr.op == Op::kSubtract && of(Kind::kTimestamp, Kind::kTimestamp, Kind::kDuration)) ||
      ((additive || expr.op == Op::kRemainder) && of(Kind::kDuration, Kind::kDuration, Kind::kDuration)) ||
      (scales && of(Kind::kDuration, Kind::kInt, Kind::kDuration)) ||
      (expr.op == Op::kMultiply && of(Kind::kInt, Kind::kDuration, Kind::kDuration));
  if (!fits) {
    return fault(expr, "of " + types::to_string(expr.args[0]->type) + " and " +
                           types::to_string(expr.args[1]->type) + " has type " + types::to_string(expr.type));
  }
  need(result != Kind::kDecimal || (expr.type->precision >= 1 && expr.type->precision <= 38 &&
                                    expr.type->scale >= 0 && expr.type->scale <= expr.type->precision),
       expr, "has type " + types::to_string(expr.type));
}

void Checker::convert(const Expr& expr) {
  need(converts(*expr.args[0]->type, *expr.type), expr,
       "of " + types::to_string(expr.args[0]->type) + " has type " + types::to_string(expr.type));
}

void Checker::call_function(const Expr& expr) {
  if (expr.index < 0 || static_cast<std::size_t>(expr.index) >= context_.functions) {
    return fault(expr, std::to_string(expr.index) + " does not stand before its caller");
  }
  const Function& function = context_.program->functions[static_cast<std::size_t>(expr.index)];
  if (function.parameter_types.size() != expr.args.size()) {
    return fault(expr, function.name + " has " + std::to_string(expr.args.size()) + " arguments");
  }
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    need(types::same(expr.args[i]->type, function.parameter_types[i]), expr,
         function.name + " has an argument of type " + types::to_string(expr.args[i]->type));
  }
  same_as(expr, function.result, "the function");
}

}  // namespace

void check_expr(const ExprRef& root, const ExprContext& context, const Report& report) {
  Checker(context, report).check(root, 0);
}

bool is_key(const types::Type& type) {
  switch (type.kind) {
    case Kind::kFloat:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kNull:
    case Kind::kError:
      return false;
    case Kind::kOptional:
      return is_key(*type.element);
    case Kind::kRecord:
      return std::all_of(type.fields.begin(), type.fields.end(),
                         [](const types::Field& field) { return is_key(*field.type); });
    default:
      return true;
  }
}

}  // namespace weir::flow::verify_detail
