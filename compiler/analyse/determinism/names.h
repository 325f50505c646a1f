// How a script refers, at one operator, to what a deterministic value can be made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::analyse {

// For the row that an operator reads.
struct RowNames {
  std::string event_time;             // an expression of type timestamp; empty if there is none
  std::vector<std::string> identity;  // expressions that together name the record; empty if there are none
  std::vector<types::TypeRef> identity_types;
};

// One entry per node: the names in the row that the node *makes*. Those of its input are what it reads.
std::vector<RowNames> row_names(const flow::Program& program);

// How a script writes a column of the row, or a field of one: "placed", "window.end"; empty for anything else.
std::string column_text(const flow::Expr& expr);

// Text of a string expression that holds the identity: "id", "\"${a}-${b}\""; empty if it cannot be written.
std::string identity_text(const RowNames& names);

}  // namespace weir::analyse
