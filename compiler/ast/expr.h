// Expressions. Child pointers are never null unless said so; what could not be read is an ErrorExpr (already reported).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ast/node.h"

namespace weir::ast {

enum class ExprKind {
  error,
  null_literal,
  bool_literal,
  int_literal,
  decimal_literal,
  float_literal,
  string_literal,
  duration_literal,
  size_literal,
  timestamp_literal,
  date_literal,
  interpolation,
  list,
  record,
  name,
  field,
  index,
  call,
  unary,
  binary,
  is_null,
  try_,
  capture,
  if_,
  let,
  match,
  lambda,
};

struct Expr {
  ExprKind kind = ExprKind::error;
  bool parenthesised = false;  // stood in parentheses; `span` excludes them
  Span span;
  int id = -1;
};

template <ExprKind K>
struct ExprOf : Expr {
  static constexpr ExprKind the_kind = K;
  ExprOf() { kind = K; }
};

struct ErrorExpr : ExprOf<ExprKind::error> {};

// ---- literals

struct NullLiteral : ExprOf<ExprKind::null_literal> {};

struct BoolLiteral : ExprOf<ExprKind::bool_literal> {
  bool value = false;
};

// `10`, `1_000`, `0xff`. A minus sign is a unary operator, folded by nobody here; so `value` may be 2^63.
struct IntLiteral : ExprOf<ExprKind::int_literal> {
  std::string digits;                  // decimal digits without underscores, no leading zeros, any length
  std::optional<std::uint64_t> value;  // absent above 2^64 - 1
};

// `1.50`: exact, its scale is the number of digits after the point.
struct DecimalLiteral : ExprOf<ExprKind::decimal_literal> {
  std::string digits;  // "1.50", without underscores
};

// `1.5e3`
struct FloatLiteral : ExprOf<ExprKind::float_literal> {
  std::string digits;  // "1.5e3", without underscores
};

// Without interpolation; raw strings too.
struct StringLiteral : ExprOf<ExprKind::string_literal> {
  std::string value;  // decoded
};

// One number and a unit.
struct DurationLiteral : ExprOf<ExprKind::duration_literal> {
  std::int64_t micros = 0;
};

// `128MiB`, `64kB`; settings only.
struct SizeLiteral : ExprOf<ExprKind::size_literal> {
  std::uint64_t bytes = 0;
};

// `@2026-01-01T00:00:00Z`
struct TimestampLiteral : ExprOf<ExprKind::timestamp_literal> {
  std::int64_t micros = 0;  // since 1970-01-01T00:00:00Z, years 0001 to 9999
};

// `@2026-01-01`
struct DateLiteral : ExprOf<ExprKind::date_literal> {
  std::int32_t days = 0;  // since 1970-01-01
};

// `"a ${x} b"`: the parts in order, texts as StringLiteral (empty ones left out).
struct InterpolationExpr : ExprOf<ExprKind::interpolation> {
  std::vector<Expr*> parts;
};

// `[1, 2]`
struct ListExpr : ExprOf<ExprKind::list> {
  std::vector<Expr*> elements;
};

struct RecordEntry {
  bool spread = false;  // `..value`; `name` is empty then
  bool quoted = false;  // the name stands in quotes: the key of a map
  Name name;
  Expr* value = nullptr;
  Span span;
};

// `{ a: 1, ..row }`. `open`: ends in a bare `..` (an expected row that leaves the rest uncompared).
struct RecordExpr : ExprOf<ExprKind::record> {
  std::vector<RecordEntry> entries;
  bool open = false;
};

// ---- names and access

struct NameExpr : ExprOf<ExprKind::name> {
  std::string name;  // the node's span is the name's
};

// `object.name`, `object?.name`
struct FieldExpr : ExprOf<ExprKind::field> {
  Expr* object = nullptr;
  Name name;
  bool optional = false;
};

// `object[index]`
struct IndexExpr : ExprOf<ExprKind::index> {
  Expr* object = nullptr;
  Expr* index = nullptr;
};

// `f(a, b: c)`. `x.f(y)` is f(x, y) with `method` set, args[0] the receiver; `x?.f(y)` also sets `optional`.
struct CallExpr : ExprOf<ExprKind::call> {
  Name function;
  std::vector<Arg> args;
  bool method = false;
  bool optional = false;
};

// ---- operators

enum class UnaryOp { negate, not_ };

struct UnaryExpr : ExprOf<ExprKind::unary> {
  UnaryOp op = UnaryOp::negate;
  Span op_span;
  Expr* operand = nullptr;
};

enum class BinaryOp {
  or_,
  and_,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
  coalesce,
  add,
  subtract,
  multiply,
  divide,
  remainder,
};

struct BinaryExpr : ExprOf<ExprKind::binary> {
  BinaryOp op = BinaryOp::add;
  Span op_span;
  Expr* left = nullptr;
  Expr* right = nullptr;
};

// `x is null`, `x is not null`
struct IsNullExpr : ExprOf<ExprKind::is_null> {
  Expr* operand = nullptr;
  bool negated = false;
};

// `try x`: a record error in x becomes an absent value.
struct TryExpr : ExprOf<ExprKind::try_> {
  Expr* operand = nullptr;
};

// `capture x`, `capture "site" x`
struct CaptureExpr : ExprOf<ExprKind::capture> {
  std::optional<Text> site;
  Expr* operand = nullptr;
};

// ---- control

// `if c then a else b`; `if let x = c then a else b` has `binding`.
struct IfExpr : ExprOf<ExprKind::if_> {
  std::optional<Name> binding;
  Expr* condition = nullptr;
  Expr* then_value = nullptr;
  Expr* else_value = nullptr;
};

// `let x = value in body`
struct LetExpr : ExprOf<ExprKind::let> {
  Name name;
  Expr* value = nullptr;
  Expr* body = nullptr;
};

enum class PatternKind { wildcard, literal, name, any_of, error };

// `_`, a literal (also `null`, negative numbers as UnaryExpr), a name (a binding or an enum's value: the checker decides),
// `a | b`.
struct Pattern {
  PatternKind kind = PatternKind::error;
  Span span;
  int id = -1;
  Expr* literal = nullptr;             // literal
  Name name;                           // name
  std::vector<Pattern*> alternatives;  // any_of
};

// `pattern if guard => value`
struct MatchArm {
  Pattern* pattern = nullptr;
  Expr* guard = nullptr;  // may be null
  Expr* value = nullptr;
  Span span;
};

struct MatchExpr : ExprOf<ExprKind::match> {
  Expr* subject = nullptr;
  std::vector<MatchArm> arms;
  Span keyword;
};

// `r => e`, `(a, b) => e`
struct LambdaExpr : ExprOf<ExprKind::lambda> {
  std::vector<Name> params;
  Expr* body = nullptr;
};

}  // namespace weir::ast
