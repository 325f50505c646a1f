// What all nodes share: names, and the cast by kind.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <vector>

#include "compiler/source/span.h"

namespace weir::ast {

using source::Span;

// An identifier as written, without backticks.
struct Name {
  std::string text;
  Span span;  // backticks included
};

// A decoded string literal where the grammar allows nothing else (a path, a wire name, a reason).
struct Text {
  std::string value;
  Span span;  // quotes included
};

struct Expr;
struct TypeExpr;

// An argument of a call, connector or type: `value` or `name: value`.
struct Arg {
  std::optional<Name> name;
  Expr* value = nullptr;
  Span span;
};

// `as<CallExpr>(expr)`: the node as its own type; its kind must be T::the_kind.
template <typename T, typename Base>
T& as(Base& node) {
  assert(node.kind == T::the_kind);
  return static_cast<T&>(node);
}
template <typename T, typename Base>
const T& as(const Base& node) {
  assert(node.kind == T::the_kind);
  return static_cast<const T&>(node);
}
// nullptr if `node` is null or of another kind.
template <typename T, typename Base>
T* try_as(Base* node) {
  return node != nullptr && node->kind == T::the_kind ? static_cast<T*>(node) : nullptr;
}
template <typename T, typename Base>
const T* try_as(const Base* node) {
  return node != nullptr && node->kind == T::the_kind ? static_cast<const T*>(node) : nullptr;
}

}  // namespace weir::ast
