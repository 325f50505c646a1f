#include "compiler/check/make.h"

#include <algorithm>

namespace weir::check {

NewExpr make(Op op, TypeRef type, Span span, std::vector<ExprRef> args) {
  auto expr = std::make_shared<flow::Expr>();
  expr->op = op;
  expr->type = std::move(type);
  expr->span = span;
  expr->args = std::move(args);
  return expr;
}

namespace {

template <typename Value>
ExprRef literal(TypeRef type, Span span, Value value) {
  auto expr = make(Op::kLiteral, std::move(type), span);
  expr->literal.value = std::move(value);
  return expr;
}

}  // namespace

ExprRef poison(Span span) {
  return make(Op::kLiteral, types::error(), span);
}

ExprRef make_bool(bool value, Span span) {
  return literal(types::boolean(), span, value);
}
ExprRef make_int(std::int64_t value, Span span) {
  return literal(types::integer(), span, value);
}
ExprRef make_float(double value, Span span) {
  return literal(types::floating(), span, value);
}
ExprRef make_decimal(flow::Int128 unscaled, TypeRef type, Span span) {
  return literal(std::move(type), span, unscaled);
}
ExprRef make_string(std::string value, Span span) {
  return literal(types::string(), span, std::move(value));
}
ExprRef make_timestamp(std::int64_t micros, Span span) {
  return literal(types::timestamp(), span, micros);
}
ExprRef make_duration(std::int64_t micros, Span span) {
  return literal(types::duration(), span, micros);
}
ExprRef make_null(TypeRef type, Span span) {
  return make(Op::kLiteral, std::move(type), span);
}
ExprRef make_row(TypeRef row, Span span) {
  return make(Op::kRow, std::move(row), span);
}

ExprRef make_field(ExprRef object, int index, Span span) {
  TypeRef type = object->type->fields[static_cast<std::size_t>(index)].type;
  auto expr = make(Op::kField, std::move(type), span, {std::move(object)});
  expr->index = index;
  return expr;
}

ExprRef make_local(int id, TypeRef type, Span span) {
  auto expr = make(Op::kLocal, std::move(type), span);
  expr->index = id;
  return expr;
}

ExprRef make_let(int id, ExprRef value, ExprRef body) {
  TypeRef type = body->type;
  const Span span = source::cover(value->span, body->span);
  auto expr = make(Op::kLet, std::move(type), span, {std::move(value), std::move(body)});
  expr->index = id;
  return expr;
}

ExprRef make_if(ExprRef condition, ExprRef then_value, ExprRef else_value, Span span) {
  TypeRef type = then_value->type;
  return make(Op::kIf, std::move(type), span,
              {std::move(condition), std::move(then_value), std::move(else_value)});
}

ExprRef make_not(ExprRef operand, Span span) {
  return make(Op::kNot, types::boolean(), span, {std::move(operand)});
}

ExprRef make_is_null(ExprRef operand, Span span) {
  return make(Op::kIsNull, types::boolean(), span, {std::move(operand)});
}

ExprRef make_unwrap(ExprRef operand, Span span) {
  TypeRef type = types::strip_optional(operand->type);
  return make(Op::kUnwrap, std::move(type), span, {std::move(operand)});
}

ExprRef make_convert(ExprRef value, const TypeRef& type) {
  if (types::same(value->type, type)) return value;
  const Span span = value->span;
  auto expr = make(Op::kConvert, type, span, {value});
  expr->text = value->text;
  return expr;
}

ExprRef make_chain(Op op, const std::vector<ExprRef>& parts, Span span) {
  std::vector<ExprRef> level = parts;
  while (level.size() > 1) {
    std::vector<ExprRef> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(make(op, types::boolean(), span, {level[i], level[i + 1]}));
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

int field_index(const types::Type& record, const std::string& name) {
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    if (record.fields[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool is_literal(const ExprRef& expr) {
  return expr->op == Op::kLiteral && !is_poison(expr);
}

bool is_number_literal(const ExprRef& expr) {
  return is_literal(expr) && (expr->type->kind == Kind::kInt || expr->type->kind == Kind::kDecimal ||
                              expr->type->kind == Kind::kFloat);
}

int digit_count(flow::Int128 value) {
  int count = 0;
  do {
    value /= 10;
    ++count;
  } while (value != 0);
  return count;
}

flow::Int128 power_of_ten(int exponent) {
  flow::Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::string decimal_text(flow::Int128 unscaled, int scale) {
  const bool negative = unscaled < 0;
  std::string digits;
  for (flow::Int128 rest = unscaled; rest != 0; rest /= 10) {
    const int digit = static_cast<int>(rest % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  while (static_cast<int>(digits.size()) <= scale) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  return (negative ? "-" : "") + digits;
}

}  // namespace weir::check
