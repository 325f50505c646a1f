// The flow IR: a checked program as a typed graph of operators. The input of analyse, rewrite, interp and
// lower; printed and read back by flow/text.h (`--emit flow`).
//
// Everything implicit in the script is explicit here: conversions, narrowing, defaults of clauses, the row type
// of every stream, hidden event time. Names are resolved to ids; `match` has become `let` and `if`; method
// calls and interpolation have become calls. Expressions are evaluated left to right; the first error in the
// order of evaluation is the record's error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/source/span.h"
#include "compiler/types/type.h"

namespace weir::flow {

using types::TypeRef;
using Int128 = __int128;

// ---- Expressions ----------------------------------------------------------------------------------------

enum class Op : std::uint8_t {
  // leaves
  kLiteral,  // `literal`
  kRow,      // the whole current row (a record)
  kLocal,    // `index`: a let, lambda parameter or function parameter; unique in its root expression/function
  kParam,    // `index` into Program::params
  kMeta,     // meta of the source row: a record (types::meta_record), legal before the first aggregate
  // structure
  kField,   // args[0] is a record; `index` of the field
  kRecord,  // args in the order of the type's fields
  kList,    // args; of a map type (in rows of tests only) key, value, key, value, …
  kIf,      // args: condition (bool), then, else
  kLet,     // `index` := args[0] in args[1]
  kLambda,  // parameters `locals`, body args[0]; only as an argument of kCall
  // booleans: short circuit
  kAnd,
  kOr,
  kNot,
  // comparison of two values of one type (bool, int, float (< <= > >= only), decimal of one scale, string by
  // bytes, timestamp, duration, T? (kEqual and kNotEqual only: both absent = equal))
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  // checked arithmetic. Operands are int, float, decimal, duration, timestamp as the result type says:
  //   int op int; float op float; decimal(p,s) op decimal(q,t) with result type per the language's rules;
  //   timestamp +- duration, timestamp - timestamp, duration +- duration, duration * int, duration / int (kDiv)
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  // conversion of args[0] to `type`: int -> decimal, decimal -> decimal (wider: exact; same scale and smaller
  // precision: range check, fallible), T -> T? (present), null -> T?
  kConvert,
  kIsNull,        // args[0] is T?; true when absent
  kUnwrap,        // args[0] is T? and proven present by a check before
  kCoalesce,      // args[0] T?, args[1] T or T?
  kTry,           // args[0]; its record error becomes absent. type T?
  kCall,          // native function `name` of the catalogue, overload by argument types
  kCallFunction,  // Program::functions[index]
  kCapture,       // journaled value, site `name`; refused by lower for now
};

struct Literal {
  // By the expression's type: bool; int, timestamp, duration (int64_t); float; decimal (unscaled Int128);
  // string and bytes; monostate for null.
  std::variant<std::monostate, bool, std::int64_t, double, Int128, std::string> value;
};

struct Expr;
using ExprRef = std::shared_ptr<const Expr>;  // immutable, may be shared

struct Expr {
  Op op = Op::kLiteral;
  TypeRef type;
  std::vector<ExprRef> args;
  int index = -1;
  std::vector<int> locals;           // kLambda: one id per parameter
  std::vector<TypeRef> local_types;  // kLambda: type per parameter
  std::string name;                  // kCall, kCapture
  bool can_fail = false;             // kCall: the overload can be a record error, as the catalogue says
  Literal literal;
  source::Span span;
  std::string text;  // as written, shortened; for messages of record errors; may be empty
};

// Whether the operation itself can be a record error, its arguments being values. By types alone, so that a
// literal divisor counts as any other; kCallFunction counts as fallible, for which ask `fallible`.
bool own_fallible(const Expr& expr);
// Whether evaluating it can be a record error: its own operation or anything below it outside a kTry. A call of
// a function of the program counts as fallible; with the program at hand the function's body decides.
bool fallible(const Expr& expr);
struct Program;
bool fallible(const Expr& expr, const Program& program);

// ---- Declarations ---------------------------------------------------------------------------------------

struct Function {
  std::string name;
  std::vector<std::string> parameter_names;
  std::vector<TypeRef> parameter_types;  // local ids 0..n-1
  TypeRef result;
  ExprRef body;
  source::Span span;
};

struct Param {
  std::string name;
  TypeRef type;
  ExprRef default_value;      // literal
  bool address_only = false;  // reaches only addresses and credentials
  source::Span span;
};

// A connector argument: a constant.
struct Argument {
  std::string name;
  ExprRef value;  // kLiteral, kParam, or kList of literals
  source::Span span;
};

struct Accept {
  std::string guarantee;  // "best_effort", "at_least_once", "timing", …
  std::string reason;
  source::Span span;
};

enum class Policy : std::uint8_t { kFail, kDrop, kTo };

struct Format {
  std::string name = "json";  // json | csv | text | regex
  std::string regex;          // with "regex"
  std::vector<std::string> null_texts;
};

// ---- Nodes ----------------------------------------------------------------------------------------------

using NodeId = int;

struct Source {
  std::string connector;            // file | stdin
  std::vector<Argument> arguments;  // without format options
  Format format;
  TypeRef declared;               // with codecs and wire names; the node's row type has the same fields
  std::vector<ExprRef> identity;  // empty: source position
  ExprRef time;                   // null: untimed
  std::int64_t lateness = 0;      // microseconds
  std::optional<std::int64_t> idle_after;
  Policy on_error = Policy::kFail;
  std::string on_error_to;  // stream name, kTo
  bool on_late_written = false;
  Policy on_late = Policy::kDrop;  // kDrop or kTo
  std::string on_late_to;
  std::vector<Accept> accepts;
  bool replayable = true;  // false: stdin
};

struct Rejected {  // the stream that `on error to` feeds; row type types::rejected_record()
  std::vector<NodeId> sources;
};

struct Late {  // the stream that `on late to` feeds; row type types::late_record(T)
  std::vector<NodeId> sources;
};

struct Where {
  ExprRef condition;
};

// select, extend, drop, rename, narrowing: the whole new row, one expression per field of the node's row type.
struct Project {
  std::string word;             // "select", "extend", "drop", "rename", "narrow"
  std::vector<ExprRef> values;  // over the input row
};

// One output row per element: the input row's fields, then the element (for a map { key, value }).
struct Flatten {
  ExprRef value;  // list or map
};

enum class AggregateKind : std::uint8_t { kCount, kSum, kMin, kMax, kAvg };

struct Aggregation {
  std::string name;
  AggregateKind kind = AggregateKind::kCount;
  ExprRef argument;  // null for count()
  ExprRef where;     // null: all rows
  TypeRef result;
  source::Span span;
  std::string text;
};

struct Key {
  std::string name;
  ExprRef value;
};

struct Tumbling {
  std::int64_t size = 0;  // microseconds
  std::int64_t offset = 0;
  source::Span span;
};

// Row: keys, `window` (types::window_record), aggregates in written order. Its event time is window.end - 1us.
struct Aggregate {
  std::vector<Key> keys;
  std::optional<Tumbling> window;
  std::vector<Aggregation> aggregations;
};

struct Sink {
  std::string connector;  // file | stdout
  std::vector<Argument> arguments;
  std::string format = "json";
  std::vector<Accept> accepts;
};

struct Node {
  NodeId id = 0;
  std::string stream;  // declared stream, source or sink that it belongs to
  std::string stage;   // shown in errors and reports: "revenue.where", "revenue.extend net", "orders.decode";
                       // unique in the program
  std::vector<NodeId> inputs;  // empty for source, rejected, late; one otherwise
  TypeRef row;                 // record
  bool timed = false;          // rows carry event time
  std::variant<Source, Rejected, Late, Where, Project, Flatten, Aggregate, Sink> op;
  source::Span span;
};

// ---- Program --------------------------------------------------------------------------------------------

struct Settings {
  std::string name;
  std::int64_t checkpoint_every = 10'000'000;  // microseconds
  std::string checkpoint_dir;                  // "state/NAME"
  int keep = 3;
  int parallelism = 0;  // 0: number of CPUs
  std::string protocol = "barriers";
  std::string determinism = "strict";
  std::string rollback = "forbid";
  std::int64_t memory = 0;  // bytes, 0: default
  source::Span span;
};

struct Program {
  Settings settings;
  std::string script;  // path as given
  std::vector<Param> params;
  std::vector<Function> functions;  // callee before caller
  std::vector<Node> nodes;          // topological: inputs first; Node::id is the index
};

}  // namespace weir::flow
