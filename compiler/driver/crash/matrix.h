// Which crashes are tried: chosen from what runs of the program really hit. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::driver::crash {

// A row of the runtime's table of crash points (runtime/protocol/failpoints.def), in the order of a run.
struct Point {
  std::string_view name;
  std::string_view step;
  std::string_view when;
  std::string_view needs;
  std::string_view recovery;
};
std::span<const Point> points();

// The lines "NAME COUNT EPOCH" that a run wrote: per point, the epoch of each hit, in order.
using Hits = std::map<std::string, std::vector<std::uint64_t>>;
Hits parse_hits(std::string_view log);

// What a program has, in the words of the failpoint table's `needs`.
struct Features {
  std::set<std::string> words;
};

// Whether a point with these needs can be reached: words apart by spaces, "a|b" is either.
bool reachable(std::string_view needs, const Features& features);

// Occurrences (from 1) to kill at: the first, second and last hit from epoch 3 on; without such, the first hit.
// Points of the start and of recovery: their first.
std::vector<std::uint64_t> occurrences(std::string_view step, const std::vector<std::uint64_t>& epochs);

}  // namespace weir::driver::crash
