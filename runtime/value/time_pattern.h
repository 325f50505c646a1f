// One time pattern (strftime's letters) with its zone. Thread-safe.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weir::value {

class TimePattern {
 public:
  // `zone` is an IANA name, or empty: UTC for writing, and for a pattern that reads its own offset (%z).
  static std::expected<std::unique_ptr<TimePattern>, std::string> make(const std::string& pattern,
                                                                       const std::string& zone);
  ~TimePattern();

  // Why the pattern cannot be read back to an instant (or written), empty when it can.
  static std::string check(const std::string& pattern, const std::string& zone, bool reading);

  const std::string& text() const { return text_; }
  // 0; 5016 no match, a second 60, or a local time that a clock change skips; 5010 outside the years 1 to 9999, or finer
  // than a microsecond. A local time that occurs twice is the first.
  std::int32_t parse(std::string_view text, std::int64_t* micros) const;
  // The same by the library alone, for comparison in tests.
  std::int32_t parse_slowly(std::string_view text, std::int64_t* micros) const;
  // Appends to `out`.
  void format(std::int64_t micros, std::string& out) const;

 private:
  struct Impl;
  explicit TimePattern(std::string text);

  enum class Part : std::uint8_t {
    kLiteral,
    kYear,
    kMonth,
    kMonthName,
    kDay,
    kHour,
    kMinute,
    kSecond,
    kOffset
  };
  struct Step {
    Part part;
    char literal;
  };
  bool parse_fast(std::string_view text, std::int64_t* micros) const;
  void plan_fast_path(bool utc);

  std::string text_;
  std::vector<Step> steps_;  // empty: no fast path
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir::value
