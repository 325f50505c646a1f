// How the state of one aggregate operator stands in memory: what each aggregation keeps, and what a row brings for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::lower {

// The part of one aggregation. All zero bytes = nothing seen.
struct Accumulator {
  enum class Sum : std::uint8_t { kNone, k128, k256 };
  std::uint64_t value = 0;  // offset: count (i64), sum (i128 or 256 bits), or extreme (a slot of T? )
  std::uint64_t count = 0;  // offset, avg only
  Sum sum = Sum::kNone;
  int argument = -1;  // field of the argument record, or -1: nothing but the row itself
};

struct Accumulators {
  explicit Accumulators(const flow::Aggregate& op);

  std::vector<Accumulator> parts;      // by aggregation
  std::uint64_t size = 0;              // a multiple of 16
  std::vector<std::uint64_t> strings;  // offsets of weir_str whose bytes belong to state
  // What a row brings: a record with a field per aggregation that needs something: bool for `count() where`, T, or T?
  // where the aggregation has a condition.
  types::TypeRef arguments;
};

// The type in which an aggregation's argument arrives (T of T?).
const types::Type& argument_type(const flow::Aggregation& aggregation);

// "total: sum decimal(12, 2)", for people.
std::string describe(const flow::Aggregation& aggregation);

}  // namespace weir::lower
