// Functions of the program: each body is elaborated once (a generic one once for every choice of types), when it is first
// called, so that the list is in the order callee before caller.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/check/type_expr.h"
#include "compiler/flow/flow.h"

namespace weir::check {

struct Context;

class FunctionTable {
 public:
  explicit FunctionTable(Context& context) : context_(context) {}

  // What a call of `decl` needs to know; types are errors where they have been reported.
  struct Head {
    std::vector<TypeRef> parameters;
    TypeRef result;
  };
  const Head& head(const ast::FnDecl& decl);

  // Index of the function, elaborated now if it has not been. -1: its body is wrong or it calls itself (reported).
  // `call` is where it is called from.
  int request(const ast::FnDecl& decl, const TypeBindings& variables, source::Span call);

  // Elaborates all functions of the script, used or not.
  void check_all();

  std::vector<flow::Function> take() { return std::move(functions_); }
  const flow::Function& at(int index) const { return functions_[static_cast<std::size_t>(index)]; }

 private:
  struct Active {
    const ast::FnDecl* decl;
    source::Span call;  // the call that led here
  };
  void report_cycle(const ast::FnDecl& decl, source::Span call);

  Context& context_;
  std::map<const ast::FnDecl*, Head> heads_;
  std::map<std::pair<const ast::FnDecl*, std::string>, int> done_;
  std::vector<flow::Function> functions_;
  std::vector<Active> active_;
};

}  // namespace weir::check
