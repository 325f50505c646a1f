// The only includer of RE2.
#include "runtime/value/regex.h"

#include <re2/re2.h>

namespace weir::value {

namespace {

// (?<name> is written (?P<name> for the version of RE2 that is linked. (?<= and (?<! stay, to be refused by name. *bytes
// becomes true when the pattern has \C, a byte.
std::string rewrite_groups(const std::string& pattern, bool* bytes) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      if (pattern[i + 1] == 'Q') {
        const std::size_t end = pattern.find("\\E", i + 2);
        const std::size_t stop = end == std::string::npos ? pattern.size() : end + 2;
        out.append(pattern, i, stop - i);
        i = stop - 1;
        continue;
      }
      // Half of a character would not be a string.
      *bytes = *bytes || pattern[i + 1] == 'C';
      out.append(pattern, i, 2);
      ++i;
      continue;
    }
    if (in_class) {
      // "[:alpha:]" inside a class has brackets of its own.
      if (c == '[' && i + 1 < pattern.size() && pattern[i + 1] == ':') {
        const std::size_t end = pattern.find(":]", i + 2);
        if (end != std::string::npos) {
          out.append(pattern, i, end + 2 - i);
          i = end + 1;
          continue;
        }
      }
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
      out += c;
      // A first "]" (also behind "^") is a character of the class.
      if (i + 1 < pattern.size() && pattern[i + 1] == '^') {
        out += pattern[++i];
      }
      if (i + 1 < pattern.size() && pattern[i + 1] == ']') {
        out += pattern[++i];
      }
      continue;
    } else if (pattern.compare(i, 3, "(?<") == 0 && i + 3 < pattern.size() && pattern[i + 3] != '=' &&
               pattern[i + 3] != '!') {
      out += "(?P<";
      i += 2;
      continue;
    }
    out += c;
  }
  return out;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

constexpr int kMaxGroups = 64;

}  // namespace

struct Regex::Impl {
  explicit Impl(const std::string& pattern) : compiled(pattern, options()) {}
  static RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }
  bool match(std::string_view text, std::size_t from, RE2::Anchor anchor, std::string_view* groups,
             std::size_t count) const {
    re2::StringPiece found[kMaxGroups];
    const int wanted = count > kMaxGroups ? kMaxGroups : static_cast<int>(count);
    // RE2 takes a null text for an absent group.
    if (text.data() == nullptr) {
      text = std::string_view("", 0);
    }
    if (!compiled.Match(piece(text), from, text.size(), anchor, found, wanted)) {
      return false;
    }
    for (int i = 0; i < wanted; ++i) {
      groups[i] = {found[i].data(), found[i].size()};
    }
    return true;
  }
  RE2 compiled;
};

Regex::Regex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Regex::~Regex() = default;

std::expected<std::unique_ptr<Regex>, std::string> Regex::make(const std::string& pattern) {
  bool bytes = false;
  auto impl = std::make_unique<Impl>(rewrite_groups(pattern, &bytes));
  if (bytes) {
    return std::unexpected(std::string("\\C is a byte, and strings are made of characters"));
  }
  if (!impl->compiled.ok()) {
    std::string error = impl->compiled.error();
    if (impl->compiled.error_code() == RE2::ErrorBadPerlOp && pattern.find("(?<") != std::string::npos) {
      error += " (look-behind is not supported)";
    }
    return std::unexpected(std::move(error));
  }
  if (impl->compiled.NumberOfCapturingGroups() >= kMaxGroups) {
    return std::unexpected(std::string("more than 63 groups"));
  }
  std::unique_ptr<Regex> regex(new Regex(std::move(impl)));
  regex->groups_.resize(static_cast<std::size_t>(regex->impl_->compiled.NumberOfCapturingGroups()));
  for (const auto& [number, name] : regex->impl_->compiled.CapturingGroupNames()) {
    regex->groups_[static_cast<std::size_t>(number - 1)] = name;
  }
  return regex;
}

bool Regex::match_whole(std::string_view text, std::string_view* groups, std::size_t count) const {
  return impl_->match(text, 0, RE2::ANCHOR_BOTH, groups, count);
}

bool Regex::find(std::string_view text, std::size_t from, std::string_view* groups, std::size_t count) const {
  return impl_->match(text, from, RE2::UNANCHORED, groups, count);
}

}  // namespace weir::value
