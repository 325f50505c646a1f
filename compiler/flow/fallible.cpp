#include <algorithm>

#include "compiler/flow/flow.h"

namespace weir::flow {
namespace {

using types::Kind;

// Decimals: the language's result types hold every result; a narrower type needs the check.
bool decimal_may_overflow(const Expr& expr) {
  const auto& a = expr.args[0]->type;
  const auto& b = expr.args[1]->type;
  if (a->kind != Kind::kDecimal || b->kind != Kind::kDecimal) return true;
  const int room = expr.type->precision - expr.type->scale;
  switch (expr.op) {
    case Op::kAdd:
    case Op::kSubtract:
      return room < std::max(a->precision - a->scale, b->precision - b->scale) + 1 ||
             expr.type->scale < std::max(a->scale, b->scale);
    case Op::kMultiply:
      return room < a->precision - a->scale + b->precision - b->scale ||
             expr.type->scale < a->scale + b->scale;
    default:
      return true;
  }
}

bool arithmetic_fallible(const Expr& expr) {
  switch (expr.type->kind) {
    case Kind::kFloat:
      return false;  // IEEE: what is not a number is refused where it is written or converted
    case Kind::kDecimal:
      return decimal_may_overflow(expr);
    case Kind::kDuration:
      return expr.op != Op::kSubtract || expr.args[0]->type->kind != Kind::kTimestamp;
    default:
      return true;
  }
}

bool convert_fallible(const types::Type& from, const types::Type& to) {
  switch (to.kind) {
    case Kind::kOptional:
      if (from.kind == Kind::kNull) return false;
      return convert_fallible(from.kind == Kind::kOptional ? *from.element : from, *to.element);
    case Kind::kRecord:
      for (std::size_t i = 0; i < to.fields.size() && i < from.fields.size(); ++i) {
        if (convert_fallible(*from.fields[i].type, *to.fields[i].type)) return true;
      }
      return false;
    case Kind::kDecimal:
      if (from.kind == Kind::kInt) return to.precision - to.scale < 19;
      return from.kind != Kind::kDecimal || to.scale < from.scale ||
             to.precision - to.scale < from.precision - from.scale;
    default:
      return false;
  }
}

bool any_fallible(const Expr& expr, const Program* program) {
  if (expr.op == Op::kTry) return false;
  if (expr.op == Op::kCallFunction && program != nullptr) {
    const auto index = static_cast<std::size_t>(expr.index);
    if (expr.index < 0 || index >= program->functions.size()) return true;
    if (any_fallible(*program->functions[index].body, program)) return true;
  } else if (own_fallible(expr)) {
    return true;
  }
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const ExprRef& arg) { return any_fallible(*arg, program); });
}

}  // namespace

bool own_fallible(const Expr& expr) {
  switch (expr.op) {
    case Op::kNegate:
      return expr.type->kind == Kind::kInt || expr.type->kind == Kind::kDuration;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
      return expr.args.size() != 2 || arithmetic_fallible(expr);
    case Op::kConvert:
      return expr.args.size() != 1 || convert_fallible(*expr.args[0]->type, *expr.type);
    case Op::kCall:
      return expr.can_fail;
    case Op::kCallFunction:
      return true;
    case Op::kLiteral:
    case Op::kRow:
    case Op::kLocal:
    case Op::kParam:
    case Op::kMeta:
    case Op::kField:
    case Op::kRecord:
    case Op::kList:
    case Op::kIf:
    case Op::kLet:
    case Op::kLambda:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kIsNull:
    case Op::kUnwrap:
    case Op::kCoalesce:
    case Op::kTry:
    case Op::kCapture:
      return false;
  }
  return true;
}

bool fallible(const Expr& expr) {
  return any_fallible(expr, nullptr);
}
bool fallible(const Expr& expr, const Program& program) {
  return any_fallible(expr, &program);
}

}  // namespace weir::flow
