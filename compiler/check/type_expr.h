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

  struct Step {
    const ast::RecordTypeDecl* decl;
    source::Span through;  // the field's type that leads on
  };

  const resolve::Symbols& symbols_;
  diagnostics::Diagnostics& out_;
  std::map<const ast::RecordTypeDecl*, TypeRef> done_;
  std::vector<Step> path_;  // records being resolved
};

}  // namespace weir::check
