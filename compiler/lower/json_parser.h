// A parser for one record type that predicts: keys come in the declared order, nothing is escaped, numbers are plain.
// Every byte is checked; where a text is not as predicted the parser gives up, and the reference decoder
// (weir_decode_json) reads the record again from its start. What it accepts, the reference accepts with the same value.
#pragma once

#include <utility>
#include <vector>

#include "compiler/lower/unit.h"

namespace weir::lower {

class JsonParsers {
 public:
  explicit JsonParsers(Unit& unit) : unit_(unit) {}

  // Whether a parser for the type can be generated.
  static bool predictable(const types::Type& type);

  // (worker, p, end, slot) -> behind the value's closing brace, or null. p stands at the opening brace or at `end`; 64 bytes
  // behind `end` are readable. Made once per record type.
  llvm::Function* parser(const types::TypeRef& record, source::Span span);

 private:
  Unit& unit_;
  std::vector<std::pair<types::TypeRef, llvm::Function*>> made_;
};

}  // namespace weir::lower
