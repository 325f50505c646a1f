// Types as written. What a name means is resolved later.
#pragma once

#include <string>
#include <vector>

#include "compiler/ast/node.h"

namespace weir::ast {

enum class TypeExprKind { named, optional, function, error };

struct TypeExpr {
  TypeExprKind kind = TypeExprKind::error;
  Span span;
  int id = -1;
};

// `int`, `Order`, `list<int>`, `map<string, T>`, `decimal(12, 2)`, `timestamp("%Y", zone: "UTC")`.
struct NamedType : TypeExpr {
  static constexpr TypeExprKind the_kind = TypeExprKind::named;
  NamedType() { kind = the_kind; }
  Name name;
  std::vector<TypeExpr*> type_args;
  std::vector<Arg> args;
};

// `T?`
struct OptionalType : TypeExpr {
  static constexpr TypeExprKind the_kind = TypeExprKind::optional;
  OptionalType() { kind = the_kind; }
  TypeExpr* inner = nullptr;
};

// `fn(T, U) -> V`: the type of a parameter that takes a lambda.
struct FunctionType : TypeExpr {
  static constexpr TypeExprKind the_kind = TypeExprKind::function;
  FunctionType() { kind = the_kind; }
  std::vector<TypeExpr*> params;
  TypeExpr* result = nullptr;
};

// Stands where a type could not be read; already reported.
struct ErrorType : TypeExpr {
  static constexpr TypeExprKind the_kind = TypeExprKind::error;
  ErrorType() { kind = the_kind; }
};

}  // namespace weir::ast
