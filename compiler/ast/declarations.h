// Top-level declarations. Child pointers are never null unless said so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ast/expr.h"
#include "compiler/ast/operators.h"
#include "compiler/ast/type_expr.h"

namespace weir::ast {

enum class DeclKind {
  pipeline,
  use,
  record_type,
  enum_type,
  fn,
  extern_fn,
  param,
  source,
  source_table,
  stream,
  table,
  sink,
  test,
};

struct Decl {
  DeclKind kind;
  Span span;  // from the declaration word to the end, documentation excluded
  Span keyword;
  std::string doc;      // the text of the `///` lines above, without the slashes; lines joined by \n
  bool broken = false;  // part of it could not be read (reported): check what is there, report no absence
  Span unread;          // of a broken one: its text from the first mistake on
  int id = -1;

 protected:
  explicit Decl(DeclKind k) : kind(k) {}
};

template <DeclKind K>
struct DeclOf : Decl {
  static constexpr DeclKind the_kind = K;
  DeclOf() : Decl(K) {}
};

// ---- pipeline

// `checkpoint every D to "uri" keep N`; each part may be missing (null, nullopt).
struct CheckpointSetting {
  Expr* every = nullptr;
  std::optional<Text> uri;
  Expr* keep = nullptr;
  Span span;
};

// Settings that are absent are null or nullopt.
struct PipelineDecl : DeclOf<DeclKind::pipeline> {
  Name name;
  std::optional<CheckpointSetting> checkpoint;
  std::optional<Name> protocol;  // barriers | transactions | batches
  Expr* alignment_timeout = nullptr;
  Expr* parallelism = nullptr;
  Expr* replay_horizon = nullptr;
  std::optional<Name> determinism;  // strict | sound | audit
  std::optional<Name> rollback;     // forbid | truncate | dedup
  Expr* memory = nullptr;
};

struct UseDecl : DeclOf<DeclKind::use> {
  Text path;
};

// ---- types

struct FieldDecl {
  Name name;
  TypeExpr* type = nullptr;
  std::optional<Text> wire;  // as "wire name"
  std::string doc;
  Span span;
};

// `type T = { f: type as "wire", ..rest: map<string, json> }`
struct RecordTypeDecl : DeclOf<DeclKind::record_type> {
  Name name;
  std::vector<FieldDecl> fields;
  std::optional<FieldDecl> rest;
};

// `type T = A | B`
struct EnumTypeDecl : DeclOf<DeclKind::enum_type> {
  Name name;
  std::vector<Name> values;
};

// ---- functions and parameters

struct FnParam {
  Name name;
  TypeExpr* type = nullptr;
  Span span;
};

// `fn f<T>(x: T) -> U = body`; type parameters are for the standard library.
struct FnDecl : DeclOf<DeclKind::fn> {
  Name name;
  std::vector<Name> type_params;
  std::vector<FnParam> params;
  TypeExpr* result = nullptr;
  Expr* body = nullptr;
};

// `extern fn f(x: T) -> U pure|clock|random|external from "lib.so"`
struct ExternFnDecl : DeclOf<DeclKind::extern_fn> {
  Name name;
  std::vector<FnParam> params;
  TypeExpr* result = nullptr;
  Name effect;
  Text library;
};

struct ParamDecl : DeclOf<DeclKind::param> {
  Name name;
  TypeExpr* type = nullptr;
  Expr* value = nullptr;
};

// ---- sources

enum class PolicyKind { fail, drop, to };

// `on error fail | drop | to N`, `on late drop | to N`
struct Policy {
  PolicyKind kind = PolicyKind::fail;
  Name target;  // for `to`
  Span span;
};

// `time e [lateness D] [idle after D]`
struct TimeClause {
  Expr* value = nullptr;
  Expr* lateness = nullptr;    // may be null
  Expr* idle_after = nullptr;  // may be null
  Span span;
};

// `accept GUARANTEE "reason"`
struct Accept {
  Name what;
  Text reason;
  Span span;
};

struct SourceDecl : DeclOf<DeclKind::source> {
  Name name;
  TypeExpr* type = nullptr;
  std::vector<ConnectorCall> connectors;  // more than one: `from a(…) then b(…)`
  std::vector<Expr*> identity;            // empty: the source position
  Span identity_span;                     // the whole clause
  std::optional<TimeClause> time;
  std::optional<Policy> on_error;
  std::optional<Policy> on_late;
  Expr* partitioned_by = nullptr;  // may be null
  Expr* decode = nullptr;          // may be null; a name or a lambda
  std::vector<Accept> accepts;
};

// `table N: T from connector(…) key e [time e]`
struct SourceTableDecl : DeclOf<DeclKind::source_table> {
  Name name;
  TypeExpr* type = nullptr;
  std::vector<ConnectorCall> connectors;
  std::vector<Expr*> key;
  std::optional<TimeClause> time;
  std::optional<Policy> on_error;
  Expr* decode = nullptr;  // may be null
  std::vector<Accept> accepts;
};

// ---- streams

// `stream N = …`
struct StreamDecl : DeclOf<DeclKind::stream> {
  Name name;
  Query query;
};

// `table N = …`
struct TableDecl : DeclOf<DeclKind::table> {
  Name name;
  Query query;
};

// ---- sinks

struct SinkDecl : DeclOf<DeclKind::sink> {
  Name name;
  std::optional<Name> from;  // `sink M from N to …`; else the stream is `name`
  ConnectorCall connector;
  std::vector<Expr*> key;
  std::vector<Assignment> headers;
  Expr* timestamp = nullptr;  // may be null
  Expr* topic = nullptr;      // may be null
  std::vector<Assignment> partitions;
  Expr* path = nullptr;  // may be null
  std::vector<Accept> accepts;
  std::optional<Span> deliver_early;

  const Name& stream() const { return from ? *from : name; }
};

// ---- tests

enum class TestStepKind { given_rows, given_raw, given_capture, with_param, expect };

struct TestStep {
  TestStepKind kind = TestStepKind::expect;
  Name name;  // the source, stream, sink or parameter; for a capture the first part of the site
  std::optional<Name> column;  // given capture STREAM.COLUMN
  std::optional<Text> split;   // given S split "p1"
  std::vector<Expr*> rows;     // given, expect
  Expr* value = nullptr;       // with PARAM = value, else null
  Span span;
};

struct TestDecl : DeclOf<DeclKind::test> {
  Text title;
  std::vector<TestStep> steps;
};

// One file's declarations, in written order.
struct Module {
  source::FileId file;
  std::string doc;  // `///` lines at the start that no declaration follows directly
  std::vector<Decl*> decls;
};

}  // namespace weir::ast
