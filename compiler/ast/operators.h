// The steps of a pipeline, and what they are made of. Child pointers are never null unless said so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ast/expr.h"
#include "compiler/ast/node.h"

namespace weir::ast {

enum class OperatorKind {
  error,
  where,
  select,
  extend,
  drop,
  rename,
  flatten,
  aggregate,
  scan,
  join,
  sequence,
  lookup,
  union_,
  dedup,
  top,
  latest,
  changes,
  key_by,
  assert_,
};

struct Operator {
  OperatorKind kind = OperatorKind::error;
  Span span;     // the whole step without `|>`
  Span keyword;  // its first word
  int id = -1;
};

template <OperatorKind K>
struct OperatorOf : Operator {
  static constexpr OperatorKind the_kind = K;
  OperatorOf() { kind = K; }
};

// `name(args)` after `from`, `to`, `lookup`.
struct ConnectorCall {
  Name name;
  std::vector<Arg> args;
  Span span;
};

// `name = value`
struct Assignment {
  Name name;
  Expr* value = nullptr;
  Span span;
};

// `value` or `name = value`: columns of `select`, keys of `by` and `per`.
struct Item {
  std::optional<Name> name;
  Expr* value = nullptr;
  Span span;
};

// `tumbling(1m, offset: 5s)`
struct Window {
  Name kind;
  std::vector<Arg> args;
  Span span;
};

enum class EmitKind { on_close, on_change, every };

struct Emit {
  EmitKind kind = EmitKind::on_close;
  Expr* every = nullptr;  // for `every`, else null
  Span span;
};

struct ErrorOperator : OperatorOf<OperatorKind::error> {};

struct WhereOperator : OperatorOf<OperatorKind::where> {
  Expr* condition = nullptr;
};

struct SelectOperator : OperatorOf<OperatorKind::select> {
  std::vector<Item> items;
};

struct ExtendOperator : OperatorOf<OperatorKind::extend> {
  std::vector<Assignment> items;
};

struct DropOperator : OperatorOf<OperatorKind::drop> {
  std::vector<Name> names;
};

// `rename to = from`
struct Renaming {
  Name to;
  Name from;
  Span span;
};

struct RenameOperator : OperatorOf<OperatorKind::rename> {
  std::vector<Renaming> items;
};

// `flatten e as x`
struct FlattenOperator : OperatorOf<OperatorKind::flatten> {
  Expr* value = nullptr;
  Name name;
};

// `x = agg(…) [where c]`
struct AggregateItem {
  Name name;
  Expr* value = nullptr;
  Expr* where = nullptr;  // may be null
  Span span;
};

struct AggregateOperator : OperatorOf<OperatorKind::aggregate> {
  std::vector<AggregateItem> items;
  std::vector<Item> keys;
  std::optional<Window> window;
  std::optional<Emit> emit;
};

// `scan by k from init with (state, row) => … [expire D]`
struct ScanOperator : OperatorOf<OperatorKind::scan> {
  std::vector<Item> keys;
  Expr* init = nullptr;
  Expr* step = nullptr;    // a LambdaExpr, unless the script errs
  Expr* expire = nullptr;  // may be null
};

enum class JoinKind { inner, left, semi, anti };

// Exactly one of `within` (with `within_end` for D1..D2), `window`, `as_of_time`; none if the script errs.
struct JoinOperator : OperatorOf<OperatorKind::join> {
  JoinKind join = JoinKind::inner;
  Name right;
  std::optional<Name> alias;
  Expr* on = nullptr;
  Expr* within = nullptr;      // may be null
  Expr* within_end = nullptr;  // may be null
  std::optional<Window> window;
  bool as_of_time = false;
};

enum class SequenceEmit { complete, timeout, all };

struct SequenceOperator : OperatorOf<OperatorKind::sequence> {
  std::vector<Item> keys;
  Expr* within = nullptr;
  std::vector<Assignment> steps;  // `name: condition`
  std::optional<SequenceEmit> emit;
};

// `[capture] lookup connector(…) [as x] on …`
struct LookupOperator : OperatorOf<OperatorKind::lookup> {
  bool captured = false;
  ConnectorCall connector;
  std::optional<Name> alias;
  Expr* on = nullptr;
};

struct UnionOperator : OperatorOf<OperatorKind::union_> {
  std::vector<Name> inputs;
};

enum class DedupKeep { first, last, any };

struct DedupOperator : OperatorOf<OperatorKind::dedup> {
  std::vector<Item> keys;
  Expr* within = nullptr;  // may be null
  std::optional<DedupKeep> keep;
};

struct OrderItem {
  Expr* value = nullptr;
  bool descending = false;
  Span span;
};

// `top N by e [desc], tie per k, window`
struct TopOperator : OperatorOf<OperatorKind::top> {
  Expr* count = nullptr;
  std::vector<OrderItem> order;
  std::vector<Item> per;
};

struct LatestOperator : OperatorOf<OperatorKind::latest> {
  std::vector<Item> keys;
};

struct ChangesOperator : OperatorOf<OperatorKind::changes> {};

struct KeyByOperator : OperatorOf<OperatorKind::key_by> {
  std::vector<Item> keys;
};

struct AssertOperator : OperatorOf<OperatorKind::assert_> {
  Expr* condition = nullptr;
  std::optional<Text> message;
};

// `input [as alias] |> step |> step`
struct Query {
  Name input;
  std::optional<Name> alias;
  std::vector<Operator*> steps;
  Span span;
};

}  // namespace weir::ast
