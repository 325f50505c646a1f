// Expressions in the text form.
#pragma once

#include <string>

#include "compiler/flow/natural_type.h"
#include "compiler/flow/text.h"
#include "compiler/flow/text/print_type.h"

namespace weir::flow::text {

class ExprPrinter {
 public:
  ExprPrinter(const Program& program, const TypePrinter& types, const PrintOptions& options)
      : types_(types), options_(options) {
    scope_.program = &program;
  }

  // `row`: type of `row` in the expression, may be null. Locals of functions are given by `define`.
  std::string print(const Expr& expr, const TypeRef& row);
  std::string print(const ExprRef& expr, const TypeRef& row) {
    return expr == nullptr ? "null: error" : print(*expr, row);
  }
  void define(int local, TypeRef type) { scope_.locals[local] = std::move(type); }
  std::string span(const source::Span& span) const;

 private:
  bool write(const Expr& expr);  // whether a suffix (type, text, span) was needed
  void write_form(const Expr& expr);
  void write_literal(const Expr& expr);
  void write_args(const Expr& expr);
  void write_local(int local) { out_ += "%" + std::to_string(local); }
  std::string function_name(int index) const;

  const TypePrinter& types_;
  const PrintOptions& options_;
  Scope scope_;
  std::string out_;
};

}  // namespace weir::flow::text
