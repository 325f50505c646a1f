// Makes nodes of flow expressions.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::check {

using flow::ExprRef;
using flow::Op;
using source::Span;
using types::Kind;
using types::TypeRef;

using NewExpr = std::shared_ptr<flow::Expr>;

NewExpr make(Op op, TypeRef type, Span span, std::vector<ExprRef> args = {});

// Stands for an expression with a mistake that has been reported.
ExprRef poison(Span span);
inline bool is_poison(const ExprRef& expr) {
  return expr->type->kind == Kind::kError;
}
inline bool is_poison(const TypeRef& type) {
  return type->kind == Kind::kError;
}

ExprRef make_bool(bool value, Span span);
ExprRef make_int(std::int64_t value, Span span);
ExprRef make_float(double value, Span span);
ExprRef make_decimal(flow::Int128 unscaled, TypeRef type, Span span);
ExprRef make_string(std::string value, Span span);
ExprRef make_timestamp(std::int64_t micros, Span span);
ExprRef make_duration(std::int64_t micros, Span span);
// null of the type T?, or of the type of `null` without one.
ExprRef make_null(TypeRef type, Span span);
ExprRef make_row(TypeRef row, Span span);
ExprRef make_field(ExprRef object, int index, Span span);
ExprRef make_local(int id, TypeRef type, Span span);
ExprRef make_let(int id, ExprRef value, ExprRef body);
ExprRef make_if(ExprRef condition, ExprRef then_value, ExprRef else_value, Span span);
ExprRef make_not(ExprRef operand, Span span);
ExprRef make_is_null(ExprRef operand, Span span);
ExprRef make_unwrap(ExprRef operand, Span span);
// Conversion to `type`; the expression itself if it has that type.
ExprRef make_convert(ExprRef value, const TypeRef& type);
// A balanced tree of `op` (kAnd, kOr) over the parts; at least one part.
ExprRef make_chain(Op op, const std::vector<ExprRef>& parts, Span span);

// Index of the field, -1 if there is none.
int field_index(const types::Type& record, const std::string& name);

bool is_literal(const ExprRef& expr);
bool is_number_literal(const ExprRef& expr);

// The number of digits that `value` needs, at least 1.
int digit_count(flow::Int128 value);
flow::Int128 power_of_ten(int exponent);  // 0..38
// "-12.50".
std::string decimal_text(flow::Int128 unscaled, int scale);

}  // namespace weir::check
