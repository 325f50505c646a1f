#include "compiler/driver/crash/matrix.h"

#include <algorithm>
#include <sstream>

namespace weir::driver::crash {
namespace {

constexpr Point kPoints[] = {
#define WEIR_FAILPOINT(name, step, when, needs, recovery) {#name, step, when, needs, recovery},
#include "runtime/protocol/failpoints.def"
#undef WEIR_FAILPOINT
};

}  // namespace

std::span<const Point> points() {
  return kPoints;
}

Hits parse_hits(std::string_view log) {
  Hits hits;
  std::istringstream lines{std::string(log)};
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t epoch = 0;
  while (lines >> name >> count >> epoch) hits[name].push_back(epoch);
  return hits;
}

bool reachable(std::string_view needs, const Features& features) {
  std::istringstream words{std::string(needs)};
  std::string word;
  while (words >> word) {
    std::istringstream alternatives{word};
    std::string one;
    bool any = false;
    while (std::getline(alternatives, one, '|')) any = any || features.words.contains(one);
    if (!any) return false;
  }
  return true;
}

std::vector<std::uint64_t> occurrences(std::string_view step, const std::vector<std::uint64_t>& epochs) {
  if (epochs.empty()) return {};
  if (step == "start" || step == "recovery") return {1};
  constexpr std::uint64_t kFirstEpoch = 3;
  const auto from =
      std::find_if(epochs.begin(), epochs.end(), [](std::uint64_t e) { return e >= kFirstEpoch; });
  if (from == epochs.end()) return {1};
  const auto first = static_cast<std::uint64_t>(from - epochs.begin()) + 1;
  std::set<std::uint64_t> chosen = {first, std::min<std::uint64_t>(first + 1, epochs.size()), epochs.size()};
  return {chosen.begin(), chosen.end()};
}

}  // namespace weir::driver::crash
