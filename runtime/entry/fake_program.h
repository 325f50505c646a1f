#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/protocol/manifest.h"

/// For tests: a program as the compiler would make it, written by hand, and what its output must be.
///
/// Sources `a` and `b` have lines "KEY TIME NUMBER". Lines that are not of that form are rejected (`on error to`).
///   evens      source a, NUMBER even, as they come
///   sums       a and b by KEY over tumbling(10us): count, sum, greatest NUMBER as text
///   letters    sums by first letter of KEY over tumbling(30us): rows, sum of sums (behind a second exchange)
///   late       what is late for sums
///   rejected
namespace weir::entry::fake {

inline constexpr std::int64_t sums_window = 10;
inline constexpr std::int64_t letters_window = 30;

struct PlanText {
  std::string pattern_a;
  std::string pattern_b;
  std::string out;  // folder; each sink has one of its name in it
  std::int64_t lateness = 5;
  std::string on_error = "to";
  bool follow = false;
  std::string files = "each";
  bool view = false;  // evens go to standard output
};
std::string plan_text(const PlanText& plan);

/// The stages; the descriptor's plan is `plan`, which outlives it.
weir_program_t code(const std::string& plan);

/// Rows by sink, as a multiset.
using Output = std::map<std::string, std::map<std::string, int>>;

/// The cumulative output at these positions, computed from the files alone.
Output expected(const std::vector<protocol::SourceState>& sources, std::int64_t lateness);

void add_rows(Output& output, const std::string& sink, const std::string& lines);
/// Empty when equal.
std::string difference(const Output& expected, const Output& actual);

}  // namespace weir::entry::fake
