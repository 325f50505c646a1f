#include "compiler/base/text.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(Text, EditDistanceCountsASwapOnce) {
  EXPECT_EQ(edit_distance("where", "where"), 0u);
  EXPECT_EQ(edit_distance("wehre", "where"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Text, NearestRefusesWhatIsFar) {
  EXPECT_EQ(nearest("agregate", {"where", "aggregate"}), "aggregate");
  EXPECT_EQ(nearest("xyz", {"where", "aggregate"}), "");
  EXPECT_EQ(nearest("a", {"b"}), "");
}

TEST(Text, ChoicesAreJoined) {
  EXPECT_EQ(join_choices({"a"}, "or"), "a");
  EXPECT_EQ(join_choices({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(Text, Utf8RoundTripAndRefusals) {
  for (const char32_t value : {U'a', U'\u00e9', U'\u20ac', U'\U0001F600'}) {
    std::string text;
    append_utf8(text, value);
    const CodePoint point = decode_utf8(text, 0);
    EXPECT_TRUE(point.valid);
    EXPECT_EQ(point.value, value);
    EXPECT_EQ(point.length, text.size());
  }
  EXPECT_EQ(find_invalid_utf8("ab\xC0\x80"), 2u);     // overlong
  EXPECT_EQ(find_invalid_utf8("a\xED\xA0\x80"), 1u);  // surrogate
  EXPECT_EQ(find_invalid_utf8("a\xE2\x82"), 1u);      // cut
  EXPECT_EQ(find_invalid_utf8("gr\xC3\xBC\xC3\x9F"), std::string_view::npos);
}

TEST(Text, Widths) {
  EXPECT_EQ(display_width(U'a'), 1);
  EXPECT_EQ(display_width(U'\u0301'), 0);
  EXPECT_EQ(display_width(U'\u4e2d'), 2);
  EXPECT_EQ(display_width(U'\U0001F600'), 2);
}

}  // namespace
}  // namespace weir::base
