#include "runtime/connectors/file/file_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace weir::connectors::file {
namespace {

TEST(file_order, rotated_files_come_first_and_oldest_first) {
  std::vector<std::string> files = {"b.log", "a.log", "a.log.2", "a.log.10", "a.log.1", "a.log.x", "b.log.1"};
  std::ranges::sort(files, [](const auto& a, const auto& b) { return read_before(a, b); });
  EXPECT_EQ(files, (std::vector<std::string>{"a.log.10", "a.log.2", "a.log.1", "a.log", "a.log.x", "b.log.1",
                                             "b.log"}));
}

TEST(file_order, is_strict) {
  EXPECT_FALSE(read_before("a.1", "a.1"));
  EXPECT_TRUE(read_before("a.01", "a.1") != read_before("a.1", "a.01"));
}

}  // namespace
}  // namespace weir::connectors::file
