// Types of the text form.
#pragma once

#include <map>
#include <string>

#include "compiler/flow/text/cursor.h"

namespace weir::flow::text {

class TypeReader {
 public:
  explicit TypeReader(Cursor& cursor) : cursor_(cursor) {}

  // "type Order = { … }" after the word `type`.
  void read_declaration();
  // Never null; the error type after a failure.
  TypeRef read();

 private:
  TypeRef read_plain();
  TypeRef read_timestamp();
  TypeRef read_decimal();
  std::vector<types::Field> read_fields();
  std::string read_label();

  Cursor& cursor_;
  std::map<std::string, TypeRef> declared_;
  int depth_ = 0;
};

}  // namespace weir::flow::text
