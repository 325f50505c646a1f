#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/value/helpers.h"

namespace weir::value {
namespace {

using Frame = std::int32_t (*)(const char**, const char*, std::uint32_t, weir_str*);

// Records of `text`, fed in pieces of `step` bytes as a reader does: what is not consumed stays.
std::vector<std::string> records(Frame frame, const std::string& text, std::size_t step) {
  std::vector<std::string> out;
  std::size_t from = 0;
  for (std::size_t to = std::min(step, text.size());; to = std::min(to + step, text.size())) {
    const std::string piece = text.substr(from, to - from);
    const char* cursor = piece.data();
    weir_str record;
    while (frame(&cursor, piece.data() + piece.size(), to == text.size() ? 1 : 0, &record) != 0) {
      out.emplace_back(record.data, record.size);
    }
    from += static_cast<std::size_t>(cursor - piece.data());
    if (to == text.size()) {
      EXPECT_EQ(from, text.size());
      return out;
    }
  }
}

void expect_records(Frame frame, const std::string& text, const std::vector<std::string>& expected) {
  for (std::size_t step = 1; step <= text.size() + 1; ++step) {
    EXPECT_EQ(records(frame, text, step), expected) << "in steps of " << step;
  }
}

TEST(Framing, lines) {
  expect_records(weir_frame_line, "", {});
  expect_records(weir_frame_line, "a", {"a"});
  expect_records(weir_frame_line, "a\nb\r\n\n\r\n c \nd", {"a", "b", " c ", "d"});
  expect_records(weir_frame_line, "a\rb\n", {"a\rb"});
  expect_records(weir_frame_line, "a\r", {"a"});
}

TEST(Framing, json_skips_lines_of_white_space) {
  expect_records(weir_frame_json, " \t\r\n{}\n  \n { } \r\n\n{}", {"{}", " { } ", "{}"});
  expect_records(weir_frame_json, "  ", {});
}

TEST(Framing, csv_quotes_hold_lines) {
  expect_records(weir_frame_csv, "a,b\r\n\"x\ny\",2\n\n\"q\"\"\r\n\",3",
                 {"a,b", "\"x\ny\",2", "\"q\"\"\r\n\",3"});
  // A quote in the middle of a field opens nothing: only its own record is malformed.
  expect_records(weir_frame_csv, "a\"b,1\nc,2\n", {"a\"b,1", "c,2"});
  expect_records(weir_frame_csv, "\"open,1\nc,2\n", {"\"open,1\nc,2\n"});
  expect_records(weir_frame_csv, "\"\"\n,\n", {"\"\"", ","});
}

TEST(Framing, C043_byte_order_mark_at_the_start_of_a_file_only) {
  const std::string text = "\xEF\xBB\xBF{}";
  weir_input input = {};
  input.data = text.data();
  input.end = text.data() + text.size();
  EXPECT_EQ(weir_skip_bom(&input), text.data() + 3);
  input.base = 100;
  EXPECT_EQ(weir_skip_bom(&input), text.data());
  input.base = 0;
  input.end = text.data() + 2;
  EXPECT_EQ(weir_skip_bom(&input), text.data());
}

}  // namespace
}  // namespace weir::value
