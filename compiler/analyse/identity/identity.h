// What names a row of a stream.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::analyse {

struct Identity {
  enum class Kind : std::uint8_t { position, declared, element, group, rejected, late };
  Kind kind = Kind::position;
  std::string name;                    // source, or operator of a group
  std::vector<std::string> parts;      // declared expressions, keys, name of the flattened column
  std::shared_ptr<const Identity> of;  // element, rejected, late: of what
  bool stable = true;                  // the same row has it in every run
  bool unique = true;                  // no two rows of the stream share it; a declared one is not checked
};

// One per node, of the rows that it makes; for a sink of the rows that it takes.
std::vector<Identity> find_identities(const flow::Program& program);

// "(orders, split, byte)", "(orders.id)", "(revenue.aggregate, customer, window)".
std::string to_string(const Identity& identity);

// As a script wrote it where that is known: "placed", "row.id".
std::string expr_text(const flow::Expr& expr, const flow::Program& program, const flow::TypeRef& row);

}  // namespace weir::analyse
