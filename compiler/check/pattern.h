// What can be said of a regex or a time pattern before it is compiled. The regexes are RE2's: no look-around, no back
// references; the engine itself judges the rest when the program starts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::check {

struct PatternProblem {
  std::string message;  // "a group is not closed"
  std::string help;     // may be empty
  std::size_t at = 0;   // byte in the pattern
};

std::optional<PatternProblem> regex_problem(std::string_view regex);
// Names of the groups `(?<name>…)` and `(?P<name>…)`, in order.
std::vector<std::string> regex_groups(std::string_view regex);

std::optional<PatternProblem> time_pattern_problem(std::string_view pattern);
// The pattern reads the offset from the text (`%z`, `%Ez`, `%E*z`) or an instant (`%s`). A zone's name (`%Z`) is no offset.
bool names_zone(std::string_view pattern);

}  // namespace weir::check
