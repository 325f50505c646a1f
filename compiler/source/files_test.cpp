#include "compiler/source/files.h"

#include <gtest/gtest.h>

namespace weir::source {
namespace {

TEST(Files, PositionsAndLines) {
  Files files;
  const FileId id = files.add("a.weir", "one\r\ntwo\n\nlast");
  const File& file = files.file(id);
  EXPECT_EQ(file.line_count(), 4u);
  EXPECT_EQ(file.line_text(1), "one");
  EXPECT_EQ(file.line_text(2), "two");
  EXPECT_EQ(file.line_text(3), "");
  EXPECT_EQ(file.line_text(4), "last");
  EXPECT_EQ(file.line_text(5), "");
  EXPECT_EQ(file.position(0).line, 1u);
  EXPECT_EQ(file.position(5).line, 2u);
  EXPECT_EQ(file.position(6).column, 2u);
  EXPECT_EQ(file.position(1000).line, 4u);
  EXPECT_EQ(file.position(1000).column, 5u);
  EXPECT_EQ(files.text({id, 5, 3}), "two");
}

TEST(Files, TheEmptyTextHasOneLine) {
  Files files;
  const File& file = files.file(files.add("empty", ""));
  EXPECT_EQ(file.line_count(), 1u);
  EXPECT_EQ(file.position(0).column, 1u);
}

TEST(Span, Cover) {
  const FileId file{0};
  const Span a{file, 4, 2};
  const Span b{file, 10, 3};
  EXPECT_EQ(cover(a, b), (Span{file, 4, 9}));
  EXPECT_EQ(cover(b, a), (Span{file, 4, 9}));
  EXPECT_EQ(cover(a, Span{}), a);
}

}  // namespace
}  // namespace weir::source
