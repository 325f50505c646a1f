// One compiled regex. Thread-safe.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::value {

class Regex {
 public:
  // RE2's syntax, and (?<name>…) for a named group. UTF-8; `.` does not match a line's end.
  static std::expected<std::unique_ptr<Regex>, std::string> make(const std::string& pattern);
  ~Regex();

  // Names by group number - 1, empty where a group has none.
  const std::vector<std::string>& groups() const { return groups_; }
  // Fills groups[0..count) (0 is the whole match), with a null data() for a group that took no part. False: no match.
  bool match_whole(std::string_view text, std::string_view* groups, std::size_t count) const;
  // The first match at or behind `from`.
  bool find(std::string_view text, std::size_t from, std::string_view* groups, std::size_t count) const;

 private:
  struct Impl;
  explicit Regex(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
  std::vector<std::string> groups_;
};

}  // namespace weir::value
