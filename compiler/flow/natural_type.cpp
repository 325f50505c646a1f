#include "compiler/flow/natural_type.h"

#include <algorithm>

namespace weir::flow {
namespace {

using types::Kind;

TypeRef literal_type(const Expr& expr) {
  // Digits and marks tell the type in the text form; only the precision of a decimal and null need more.
  switch (expr.type->kind) {
    case Kind::kDecimal: {
      const auto* value = std::get_if<Int128>(&expr.literal.value);
      if (value == nullptr) return nullptr;
      int digits = 0;
      for (Int128 rest = *value; rest != 0; rest /= 10) ++digits;
      return types::decimal(std::max({digits, expr.type->scale, 1}), expr.type->scale);
    }
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kDuration:
      return expr.type;
    case Kind::kTimestamp:
      return types::timestamp();
    default:
      return types::null();
  }
}

TypeRef arithmetic_type(Op op, const TypeRef& a, const TypeRef& b) {
  if (a->kind == Kind::kDecimal) return decimal_result(op, *a, *b);
  if (a->kind == Kind::kTimestamp) {
    if (b->kind != Kind::kTimestamp) return types::timestamp();
    return op == Op::kSubtract ? types::duration() : nullptr;
  }
  if (a->kind == Kind::kDuration && b->kind == Kind::kTimestamp) return types::timestamp();
  if (a->kind == Kind::kInt && b->kind == Kind::kDuration) return types::duration();
  return a;
}

TypeRef record_type(const Expr& expr) {
  std::vector<types::Field> fields;
  if (expr.type->kind != Kind::kRecord || expr.type->fields.size() != expr.args.size()) return nullptr;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const std::string& name = expr.type->fields[i].name;
    fields.push_back({name, name, expr.args[i]->type});
  }
  return types::record("", std::move(fields));
}

template <class List>
auto at(const List& list, int index) -> decltype(list.data()) {
  return index >= 0 && static_cast<std::size_t>(index) < list.size() ? &list[static_cast<std::size_t>(index)]
                                                                     : nullptr;
}

}  // namespace

TypeRef decimal_result(Op op, const types::Type& a, const types::Type& b) {
  if (a.kind != Kind::kDecimal || b.kind != Kind::kDecimal) return nullptr;
  const int whole_a = a.precision - a.scale;
  const int whole_b = b.precision - b.scale;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract: {
      const int scale = std::max(a.scale, b.scale);
      return types::decimal(std::max(whole_a, whole_b) + 1 + scale, scale);
    }
    case Op::kMultiply:
      return types::decimal(a.precision + b.precision, a.scale + b.scale);
    case Op::kDivide: {
      const int scale = std::max({6, a.scale, b.scale});
      return types::decimal(whole_a + b.scale + scale, scale);
    }
    case Op::kRemainder: {
      const int scale = std::max(a.scale, b.scale);
      return types::decimal(std::min(whole_a, whole_b) + scale, scale);
    }
    default:
      return nullptr;
  }
}

TypeRef natural_type(const Expr& expr, const Scope& scope) {
  const auto& args = expr.args;
  const auto arg = [&](std::size_t i) { return i < args.size() ? args[i]->type : TypeRef(); };
  switch (expr.op) {
    case Op::kLiteral:
      return literal_type(expr);
    case Op::kRow:
      return scope.row;
    case Op::kLocal: {
      const auto found = scope.locals.find(expr.index);
      return found == scope.locals.end() ? nullptr : found->second;
    }
    case Op::kParam: {
      const auto* param = scope.program == nullptr ? nullptr : at(scope.program->params, expr.index);
      return param == nullptr ? nullptr : param->type;
    }
    case Op::kMeta:
      return types::meta_record();
    case Op::kField: {
      const auto* field = args.empty() ? nullptr : at(args[0]->type->fields, expr.index);
      return field == nullptr ? nullptr : field->type;
    }
    case Op::kRecord:
      return record_type(expr);
    case Op::kList:
      return args.empty() ? nullptr : types::list(arg(0));
    case Op::kIf:
    case Op::kLet:
    case Op::kCoalesce:
      return arg(1);
    case Op::kLambda:
    case Op::kCapture:
    case Op::kNegate:
      return arg(0);
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
      return types::boolean();
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
      return args.size() == 2 ? arithmetic_type(expr.op, arg(0), arg(1)) : nullptr;
    case Op::kUnwrap:
      return args.empty() ? nullptr : types::strip_optional(arg(0));
    case Op::kTry:
      return args.empty() ? nullptr : types::optional(arg(0));
    case Op::kCallFunction: {
      const auto* function = scope.program == nullptr ? nullptr : at(scope.program->functions, expr.index);
      return function == nullptr ? nullptr : function->result;
    }
    case Op::kConvert:
    case Op::kCall:
      return nullptr;
  }
  return nullptr;
}

}  // namespace weir::flow
