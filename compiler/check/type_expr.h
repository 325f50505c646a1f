// Types as written -> types. Records are resolved once, on demand; a record that contains itself is reported with its
// cycle.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/resolve/symbols.h"
#include "compiler/types/type.h"

namespace weir::check {

using types::TypeRef;
// What type variables stand for (functions of the standard library).
using TypeBindings = std::map<std::string, TypeRef>;

// The most that a type may have, records inside it counted with all their fields: code is made for every one.
constexpr std::size_t most_parts = 10'000;

class Types {
 public:
  Types(const resolve::Symbols& symbols, diagnostics::Diagnostics& out) : symbols_(symbols), out_(out) {}

  // types::error() if it has been reported.
  TypeRef resolve(const ast::TypeExpr& type, const TypeBindings& variables = {});
  // The record of a `type` declaration.
  TypeRef record(const ast::RecordTypeDecl& decl);
  // Resolves every declared type, used or not.
  void check_all();

 private:
  TypeRef named(const ast::NamedType& type, const TypeBindings& variables);
  TypeRef decimal(const ast::NamedType& type);
  TypeRef timestamp(const ast::NamedType& type);
  TypeRef bad(source::Span span, const std::string& message, const std::string& label);
  bool plain(const ast::NamedType& type);
  void report_cycle(const ast::RecordTypeDecl& decl);
  // Fields with those of the records inside, which rows hold in place.
  std::size_t parts(const TypeRef& type);

  struct Step {
    const ast::RecordTypeDecl* decl;
    source::Span through;  // the field's type that leads on
  };

  const resolve::Symbols& symbols_;
  diagnostics::Diagnostics& out_;
  std::map<const ast::RecordTypeDecl*, TypeRef> done_;
  std::map<TypeRef, std::size_t> parts_;  // of records
  bool too_large_ = false;                // reported
  std::vector<Step> path_;                // records being resolved
};

}  // namespace weir::check
