// Text -> tree. The only folder that knows ANTLR.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/ast/tree.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/source/files.h"

namespace weir::parse {

// Documented limits; beyond them one located error.
struct Limits {
  std::size_t bytes = 4u << 20;  // of one file
  std::size_t brackets = 256;    // open at once
  std::size_t depth = 1000;      // operators, prefixes, `if`, `let` and lambdas inside each other
  std::size_t steps = 1000;      // of one pipeline
  std::size_t tokens = 500'000;  // of one declaration
  std::size_t findings = 100;    // of one file; later ones are dropped
};

// Parses one file of `files`. Always returns a module: what could not be read is reported and left out or marked `broken`.
// Nodes live in `tree`, which may hold several files' nodes. Never throws; uses a thread of its own for the stack.
ast::Module parse_file(source::FileId file, const source::Files& files, ast::Tree& tree,
                       diagnostics::Diagnostics& out, const Limits& limits = {});

// A single expression that fills the whole file (`weir eval`, tests). nullptr if it could not be read (reported).
ast::Expr* parse_expression(source::FileId file, const source::Files& files, ast::Tree& tree,
                            diagnostics::Diagnostics& out, const Limits& limits = {});

}  // namespace weir::parse
