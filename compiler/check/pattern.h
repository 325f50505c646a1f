// What is wrong with a regex or a time pattern: first what can be said in the script's own terms, then what the runtime's
// engines say, so that nothing is left to be refused when the program starts. The regexes are RE2's: no look-around, no back
// references.
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

// `reading`: the text must be readable to an instant, as in a timestamp's codec; else it is only written.
std::optional<PatternProblem> time_pattern_problem(std::string_view pattern, bool reading);
// Whether there is a time zone of this name, "Europe/Berlin".
bool zone_exists(std::string_view zone);
// The pattern reads the offset from the text (`%z`, `%Ez`, `%E*z`) or an instant (`%s`). A zone's name (`%Z`) is no offset.
bool names_zone(std::string_view pattern);

}  // namespace weir::check
