// The plan: what the runtime must know about the program besides its code (runtime/abi/plan.md).
#pragma once

#include <string>

#include "compiler/lower/accumulators.h"
#include "compiler/lower/graph.h"
#include "compiler/lower/unit.h"

namespace weir::lower {

struct PlanInputs {
  const Graph& graph;
  Unit& unit;
  const std::vector<Accumulators>& accumulators;
  std::string weir_version;
  std::string report;                   // the guarantee report as text
  std::string report_json;              // and as JSON; empty: none
  std::vector<std::string> guarantees;  // by sink; may be shorter
  std::string cpu;                      // the baseline that the code was made for
};

// JSON text. Call it after all code is emitted: sites and patterns are collected on the way.
std::string plan_json(const PlanInputs& inputs);

// 32 hex digits of a 128-bit hash.
std::string fingerprint(const std::string& text);

}  // namespace weir::lower
