// The text form of the flow IR: complete (all of a Program that has a meaning) and stable. For tests, `--emit
// flow` and people. print(read(print(p))) == print(p).
//
// An expression's type is written (`: int?`) only where it is not the one that its parts imply. The written text of
// an expression (`~"a * b"`) stands on operations that can fail and on calls, where messages need it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "compiler/flow/flow.h"

namespace weir::flow {

struct PrintOptions {
  bool spans = false;  // `@FILE:OFFSET+LENGTH` after what has one
  bool texts = true;   // `~"a * b"`
};

// Never fails, whatever is wrong with the program (the verifier says what).
std::string print(const Program& program, const PrintOptions& options = {});
std::string print(const Node& node, const Program& program, const PrintOptions& options = {});
// `row`: type of the row that `expr` sees, may be null.
std::string print(const Expr& expr, const Program& program, const TypeRef& row = nullptr,
                  const PrintOptions& options = {});

struct ReadError {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in bytes
  std::string message;
};

// "3:7: a name is expected".
std::string to_string(const ReadError& error);

// Reads what print writes. Checks syntax and that names are known, nothing else. Expressions nested deeper
// than `max_depth` are refused; the default suits a stack of 8 MiB.
std::expected<Program, ReadError> read(std::string_view text, int max_depth = 3000);

}  // namespace weir::flow
