// Expressions of the text form.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compiler/flow/natural_type.h"
#include "compiler/flow/text/cursor.h"
#include "compiler/flow/text/read_type.h"

namespace weir::flow::text {

// Reads "@FILE:OFFSET+LENGTH" if it stands here; a timestamp is told apart by its dash.
source::Span read_span(Cursor& cursor);

class ExprReader {
 public:
  // `program`: parameters and functions that were read so far.
  ExprReader(Cursor& cursor, TypeReader& types, const Program& program, int max_depth)
      : cursor_(cursor), types_(types), max_depth_(max_depth) {
    scope_.program = &program;
  }

  // Null after a failure.
  ExprRef read(const TypeRef& row);
  void define(int local, TypeRef type) { scope_.locals[local] = std::move(type); }

 private:
  using Draft = std::shared_ptr<Expr>;

  ExprRef read();
  Draft read_form();
  Draft read_number();
  Draft read_word(std::string word);
  Draft read_let();
  Draft read_lambda();
  Draft read_record();
  Draft read_literal_word(const std::string& word);
  ExprRef read_field(ExprRef base);
  void read_args(Expr& expr, std::string_view close);
  void read_suffixes(Expr& expr, bool force);
  int read_local();
  int find_param();
  int find_function();
  Draft make(Op op);

  Cursor& cursor_;
  TypeReader& types_;
  Scope scope_;
  int max_depth_;
  int depth_ = 0;
};

}  // namespace weir::flow::text
