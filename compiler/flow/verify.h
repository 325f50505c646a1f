// What every flow program must satisfy, whoever made it: the builder, the text reader, a rewrite. A fault is a
// mistake of the compiler (or of a hand-written text), never of the user's script.
#pragma once

#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::flow {

// Deepest nesting of an expression. Passes that recurse need a stack for it (parse/big_stack.h).
inline constexpr int max_verified_depth = 12'000;

struct Fault {
  NodeId node = -1;   // -1: of the program, a parameter or a function
  std::string where;  // stage, function or parameter
  std::string message;
};

// Empty: types of every expression fit, ids are indexes, inputs come first, names are unique, everything that is
// referred to exists. Stops after `limit` faults.
std::vector<Fault> verify(const Program& program, std::size_t limit = 100);

// "revenue.where: `and` has an argument of type int"; one a line.
std::string to_string(const std::vector<Fault>& faults);

}  // namespace weir::flow
