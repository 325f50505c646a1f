#include "compiler/check/pattern.h"

#include <cctype>

#include "runtime/value/text.h"

namespace weir::check {
namespace {

using Problem = std::optional<PatternProblem>;

// Walks a regex once; classes and escapes are skipped as one thing.
class RegexReader {
 public:
  explicit RegexReader(std::string_view text) : text_(text) {}

  Problem read() {
    std::vector<std::size_t> open;
    bool operand = false;  // something that `*` can repeat stands before
    while (at_ < text_.size()) {
      const std::size_t from = at_;
      const char c = text_[at_];
      if (c == '\\') {
        if (Problem problem = escape()) return problem;
        operand = true;
      } else if (c == '[') {
        if (Problem problem = set()) return problem;
        operand = true;
      } else if (c == '(') {
        if (Problem problem = group()) return problem;
        if (flags_only_) continue;
        open.push_back(from);
        operand = false;
      } else if (c == ')') {
        if (open.empty())
          return PatternProblem{"a `)` closes nothing", "a plain parenthesis is written `\\)`", at_};
        open.pop_back();
        ++at_;
        operand = true;
      } else if (c == '*' || c == '+' || c == '?') {
        if (!operand) {
          return PatternProblem{std::string("nothing stands before `") + c + "` that it could repeat",
                                std::string("a plain one is written `\\") + c + "`", at_};
        }
        ++at_;
        if (at_ < text_.size() && text_[at_] == '?') ++at_;
        operand = false;
      } else if (c == '{') {
        if (Problem problem = count()) return problem;
        operand = true;
      } else {
        ++at_;
        operand = c != '|' && c != '^';
      }
    }
    if (!open.empty()) {
      return PatternProblem{"a group is not closed", "a plain parenthesis is written `\\(`", open.back()};
    }
    return std::nullopt;
  }

  std::vector<std::string> groups;

 private:
  Problem escape() {
    const std::size_t from = at_++;
    if (at_ >= text_.size())
      return PatternProblem{"the pattern ends after `\\`", "a plain one is written `\\\\`", from};
    const char c = text_[at_++];
    if (c >= '1' && c <= '9') {
      return PatternProblem{"back references are not supported",
                            "RE2 takes linear time, which they would break", from};
    }
    if (c == 'k' || c == 'G') return PatternProblem{std::string("`\\") + c + "` is not supported", "", from};
    if (c == 'Q') {
      const std::size_t end = text_.find("\\E", at_);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
    }
    return std::nullopt;
  }

  Problem set() {
    const std::size_t from = at_++;
    if (at_ < text_.size() && text_[at_] == '^') ++at_;
    if (at_ < text_.size() && text_[at_] == ']') ++at_;
    while (at_ < text_.size() && text_[at_] != ']') {
      if (text_[at_] == '\\') {
        at_ += 2;
      } else if (text_.compare(at_, 2, "[:") == 0) {
        const std::size_t end = text_.find(":]", at_);
        at_ = end == std::string_view::npos ? at_ + 1 : end + 2;
      } else {
        ++at_;
      }
    }
    if (at_ >= text_.size())
      return PatternProblem{"a `[` is not closed", "a plain one is written `\\[`", from};
    ++at_;
    return std::nullopt;
  }

  Problem group() {
    const std::size_t from = at_++;
    flags_only_ = false;
    if (at_ >= text_.size() || text_[at_] != '?') return std::nullopt;
    ++at_;
    for (const std::string_view look : {"=", "!", "<=", "<!", ">"}) {
      if (text_.compare(at_, look.size(), look) == 0) {
        return PatternProblem{"look-around and atomic groups are not supported",
                              "RE2 takes linear time, which they would break", from};
      }
    }
    if (text_.compare(at_, 1, "<") == 0 || text_.compare(at_, 2, "P<") == 0) {
      at_ = text_.find('<', at_) + 1;
      const std::size_t end = text_.find('>', at_);
      const std::string name(end == std::string_view::npos ? "" : text_.substr(at_, end - at_));
      if (name.empty())
        return PatternProblem{"a named group needs a name and `>`", "for example (?<client>…)", from};
      for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
          return PatternProblem{"the name of a group has letters, digits and `_`", "", from};
        }
      }
      groups.push_back(name);
      at_ = end + 1;
      return std::nullopt;
    }
    while (at_ < text_.size() &&
           (std::isalpha(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-'))
      ++at_;
    if (at_ < text_.size() && text_[at_] == ')') {
      flags_only_ = true;
      ++at_;
      return std::nullopt;
    }
    if (at_ >= text_.size() || text_[at_] != ':')
      return PatternProblem{"`(?` begins nothing that is known", "", from};
    ++at_;
    return std::nullopt;
  }

  // `{n}`, `{n,}`, `{n,m}`; anything else is a plain brace.
  Problem count() {
    const std::size_t from = at_++;
    std::size_t end = at_;
    int number = 0;
    int greatest = 0;
    bool digits = false;
    while (end < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 || (text_[end] == ',' && digits))) {
      if (text_[end] == ',') {
        number = 0;
      } else {
        digits = true;
        number = number > 10'000 ? number : number * 10 + (text_[end] - '0');
        greatest = number > greatest ? number : greatest;
      }
      ++end;
    }
    if (!digits || end >= text_.size() || text_[end] != '}') return std::nullopt;
    if (greatest > 1000) return PatternProblem{"a repetition counts to 1000 at most", "", from};
    at_ = end + 1;
    if (at_ < text_.size() && text_[at_] == '?') ++at_;
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool flags_only_ = false;
};

}  // namespace

std::optional<PatternProblem> regex_problem(std::string_view regex) {
  if (Problem problem = RegexReader(regex).read()) return problem;
  char text[200];
  const std::size_t size = weir_regex_problem(regex.data(), regex.size(), text, sizeof text);
  if (size == 0) return std::nullopt;
  return PatternProblem{std::string(text, size), "the regexes are those of RE2", 0};
}

std::vector<std::string> regex_groups(std::string_view regex) {
  RegexReader reader(regex);
  reader.read();
  return std::move(reader.groups);
}

std::optional<PatternProblem> time_pattern_problem(std::string_view pattern, bool reading) {
  constexpr std::string_view known = "YCymdeHIMSpAaBbhjDFTRrzZsnt%UuwWVGgckPlcxX";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    const std::size_t from = i++;
    if (i < pattern.size() && (pattern[i] == 'E' || pattern[i] == 'O')) {
      ++i;
      while (i < pattern.size() &&
             (pattern[i] == '*' || std::isdigit(static_cast<unsigned char>(pattern[i])) != 0))
        ++i;
      if (i < pattern.size() && (std::isalpha(static_cast<unsigned char>(pattern[i])) != 0)) continue;
    }
    if (i >= pattern.size() || known.find(pattern[i]) == std::string_view::npos) {
      return PatternProblem{"`" + std::string(pattern.substr(from, i < pattern.size() ? 2 : 1)) +
                                "` is not a field of a time pattern",
                            "year %Y, month %m, day %d, hour %H, minute %M, second %S (with fraction %E*S), "
                            "offset %z, month's name %b",
                            from};
    }
  }
  char text[200];
  const std::size_t size = weir_time_pattern_problem(pattern.data(), pattern.size(), nullptr, 0,
                                                     reading ? 1 : 0, text, sizeof text);
  if (size == 0) return std::nullopt;
  return PatternProblem{std::string(text, size), reading ? "a text must say year, month and day" : "", 0};
}

bool zone_exists(std::string_view zone) {
  char text[200];
  return weir_time_pattern_problem("%Y", 2, zone.data(), zone.size(), 0, text, sizeof text) == 0;
}

bool names_zone(std::string_view pattern) {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    ++i;
    if (pattern[i] == 'z' || pattern[i] == 's') return true;
    if (pattern[i] == 'E' &&
        (pattern.substr(i + 1).starts_with("z") || pattern.substr(i + 1).starts_with("*z")))
      return true;
  }
  return false;
}

}  // namespace weir::check
