// Lists that expressions, operators and declarations print alike. Used by the printers only.
#pragma once

#include <string>
#include <vector>

#include "compiler/ast/operators.h"

namespace weir::ast {

std::string print_names(const std::vector<Name>& names);
std::string print_args(const std::vector<Arg>& args);
std::string print_list(const std::vector<Expr*>& exprs);
std::string print_connector(const ConnectorCall& connector);
std::string print_step(const Operator& step);

}  // namespace weir::ast
