#include "runtime/exec/record_end.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "runtime/value/helpers.h"

namespace weir::exec {
namespace {

// Bytes up to the end of the first record, fed in pieces of `step`; 0: it does not end.
std::size_t end_of(bool csv, const std::string& text, std::size_t step) {
  RecordEnd scan(csv);
  for (std::size_t at = 0; at < text.size(); at += step) {
    const char* end = text.data() + std::min(at + step, text.size());
    if (const char* found = scan.find(text.data() + at, end))
      return static_cast<std::size_t>(found - text.data());
  }
  return 0;
}

TEST(RecordEnd, of_a_line) {
  for (std::size_t step = 1; step < 9; ++step) {
    EXPECT_EQ(end_of(false, "a\"b\nc\n", step), 4u);
    EXPECT_EQ(end_of(false, "abc", step), 0u);
  }
}

TEST(RecordEnd, of_csv_is_where_the_framing_puts_it) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "x";  // lines without anything are no records
    for (std::size_t left = random() % 14; left > 0; --left) text += "\"\"\"\n,a\r"[random() % 7];
    if (random() % 2) text.erase(0, 1);
    if (text.empty() || text[0] == '\n' || text[0] == '\r') continue;
    const char* cursor = text.data();
    weir_str record{};
    const bool framed = weir_frame_csv(&cursor, text.data() + text.size(), 0, &record) != 0;
    const auto expected = framed ? static_cast<std::size_t>(cursor - text.data()) : 0;
    for (std::size_t step : {std::size_t{1}, std::size_t{3}, text.size()})
      EXPECT_EQ(end_of(true, text, step), expected) << text << " in steps of " << step;
  }
}

}  // namespace
}  // namespace weir::exec
