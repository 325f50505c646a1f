// What one expression depends on: places where something other than the record decides (origins), and columns of
// the row. Seen through functions of the program.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/analyse/effects.h"
#include "compiler/flow/flow.h"

namespace weir::analyse {

// One place that makes the result depend on more than the input, as reached from one operator.
struct Origin {
  const flow::Expr* call = nullptr;  // `now()`, `meta.received`
  Effect effect = Effect::clock;
  // Calls of functions of the program that lead to it, the innermost first; empty if the operator's own
  // expression has it.
  std::vector<const flow::Expr*> through;
  bool in_scope = true;  // no local name (let, lambda) stands between the operator and the call
};

struct Dependencies {
  std::vector<Origin> origins;  // in the order of the text
  std::set<int> columns;        // of the row, by index
  bool whole_row = false;
};

class DependencyFinder {
 public:
  // `program` must outlive the finder.
  DependencyFinder(const flow::Program& program, EffectsOf effects_of);

  Dependencies find(const flow::Expr& expr) const;
  // A capture makes what it holds the same on replay.
  const std::vector<std::string>& captured() const { return captured_; }

 private:
  void visit(const flow::Expr& expr, bool in_scope, Dependencies& out) const;
  void add_call(const flow::Expr& call, bool in_scope, Dependencies& out) const;

  EffectsOf effects_of_;
  std::vector<std::vector<Origin>> functions_;  // origins in the body of each function
  mutable std::vector<std::string> captured_;
};

// "now()", "env(…)", "meta.received": how messages name the origin.
std::string name_of(const Origin& origin);

}  // namespace weir::analyse
