// Signatures of library functions: types with variables, effects, and how they are implemented.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/types/type.h"

namespace weir::catalog {

using types::TypeRef;

// A type with variables.
struct TypePattern {
  enum class Kind {
    concrete,     // `type`
    any_decimal,  // decimal(p, s)
    variable,     // `name`
    list,         // args[0]
    map,          // args[0]: the value
    optional,     // args[0]
    function,     // parameters, then the result
  };
  Kind kind = Kind::concrete;
  TypeRef type;
  std::string name;
  std::vector<TypePattern> args;
};

// As written: "map<string, T>", "(T) -> bool".
std::string to_string(const TypePattern& pattern);

struct Parameter {
  std::string name;
  TypePattern type;
  std::string default_text;  // a literal in Weir, empty if the argument is required
};

enum class Implementation {
  native,     // a C function `symbol`
  intrinsic,  // the compiler's own code
  special,    // typed by a rule of its own
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  TypePattern result;
  std::vector<std::string> effects;  // clock, random, external, order, host; empty: pure
  std::vector<int> fails;            // the record errors that it can give
  Implementation implementation = Implementation::native;
  std::string symbol;
};

// Reads a line of a declaration; the error is a sentence for whoever maintains the library.
std::expected<Signature, std::string> parse_signature(std::string_view line);

// "upper(s: string) -> string".
std::string to_string(const Signature& signature);

// What variables stand for.
using Bindings = std::map<std::string, TypeRef>;

// Matches `type` with the pattern and adds to `bindings`; false if it does not fit. Functions match nothing.
bool match(const TypePattern& pattern, const TypeRef& type, Bindings& bindings);

// The type with all variables replaced; nullptr if one is not bound (or for functions and any_decimal).
TypeRef substitute(const TypePattern& pattern, const Bindings& bindings);

}  // namespace weir::catalog
