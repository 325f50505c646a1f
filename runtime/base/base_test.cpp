#include <gtest/gtest.h>

#include <regex>

#include "runtime/base/crc32c.h"
#include "runtime/base/random.h"
#include "runtime/base/status.h"

namespace weir::base {
namespace {

TEST(Crc32c, KnownValues) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
}

TEST(Crc32c, PortableAgreesAtEveryLengthAndSplit) {
  SeededRandom random(1);
  std::string data;
  for (int length = 0; length < 100; ++length) {
    ASSERT_EQ(crc32c(data), crc32c_portable(data));
    for (std::size_t split = 0; split <= data.size(); split += 7)
      ASSERT_EQ(crc32c(data), crc32c(data.substr(split), crc32c(data.substr(0, split))));
    data.push_back(static_cast<char>(random.next()));
  }
}

TEST(Random, Uuid) {
  SeededRandom random(7);
  std::regex shape("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  std::string first = make_uuid(random);
  EXPECT_TRUE(std::regex_match(first, shape)) << first;
  EXPECT_NE(first, make_uuid(random));
}

TEST(Status, EveryErrorHasItsText) {
  for (const RunErrorInfo& row : run_errors()) {
    EXPECT_FALSE(row.title.empty());
    EXPECT_FALSE(row.title.ends_with('.')) << row.name;
    EXPECT_TRUE(row.explanation.ends_with('.')) << row.name;
    EXPECT_EQ(&info(row.error), &row);
  }
}

Result<int> half(int value) {
  if (value % 2 != 0) return fail(RunError::file_io, "odd");
  return value / 2;
}

Result<int> quarter(int value) {
  WEIR_TRY(int once, half(value));
  WEIR_TRY(int twice, half(once));
  return twice;
}

TEST(Status, TryPassesErrorsOn) {
  EXPECT_EQ(*quarter(8), 2);
  auto failed = quarter(6);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().to_string(), "E6001: a read or write failed: odd");
}

}  // namespace
}  // namespace weir::base
