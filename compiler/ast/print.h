// The tree as Weir text in one fixed layout. print(parse(print(tree))) is the same text, and the same tree: parentheses stand
// wherever the tree needs them. Comments are not kept (that is the formatter's business).
#pragma once

#include <string>

#include "compiler/ast/declarations.h"

namespace weir::ast {

std::string print(const Module& module);
std::string print(const Decl& decl);
std::string print(const Query& query);
std::string print(const Expr& expr);
std::string print(const TypeExpr& type);

// A name as it must be written: in backticks if it is reserved or not a plain identifier.
std::string print_name(const std::string& name);

// A string literal with escapes, quotes included.
std::string print_string(const std::string& value);

// The expression as nested lists "(kind value child …)", without spans and parentheses: equal texts = equal trees. For tests.
std::string dump(const Expr& expr);

// "==", "not in", …
const char* to_string(BinaryOp op);

}  // namespace weir::ast
