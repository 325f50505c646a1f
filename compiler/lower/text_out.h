// Values as text, by the type that is known at compile time: constant keys, one call per number or string. The rules
// are those of weir_put_json and weir_put_csv in runtime/value/helpers.h.
#pragma once

#include "compiler/lower/emitter.h"

namespace weir::lower {

// Room that is enough for the value (i64).
llvm::Value* json_bound(Emitter& e, const Value& value);
llvm::Value* csv_bound(Emitter& e, const Value& row);

// Writes at `at` and returns the end. A float that is not a number is a record error.
llvm::Value* put_json(Emitter& e, llvm::Value* at, const Value& value);
// A record's columns, without the line's end.
llvm::Value* put_csv(Emitter& e, llvm::Value* at, const Value& row);

// Values of the type may have no text: there is a float in it. put_json and put_csv of others cannot fail.
bool may_have_no_text(const types::Type& type);

// The names of a CSV sink's columns as its header line, LF included: records become `outer.inner`.
std::string csv_header(const types::Type& row);

}  // namespace weir::lower
