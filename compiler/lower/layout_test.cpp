#include "compiler/lower/layout.h"

#include <gtest/gtest.h>

#include "runtime/abi/abi.h"

namespace weir::lower {
namespace {

struct Wide {
  std::uint8_t flag;
  weir_i128 amount;
  weir_str name;
  struct {
    std::int64_t value;
    std::uint8_t present;
  } age;
};

TEST(Layout, FollowsC) {
  const types::TypeRef record = types::record("", {{"flag", "flag", types::boolean()},
                                                   {"amount", "amount", types::decimal(38, 2)},
                                                   {"name", "name", types::string()},
                                                   {"age", "age", types::optional(types::integer())}});
  EXPECT_EQ(layout_of(*record).size, sizeof(Wide));
  EXPECT_EQ(layout_of(*record).align, alignof(Wide));
  EXPECT_EQ(field_offsets(*record), (std::vector<std::uint64_t>{offsetof(Wide, flag), offsetof(Wide, amount),
                                                                offsetof(Wide, name), offsetof(Wide, age)}));
  EXPECT_EQ(presence_offset(*types::optional(types::integer())), 8u);
  EXPECT_EQ(presence_offset(*types::optional(types::boolean())), 1u);
}

TEST(Layout, MapEntries) {
  EXPECT_EQ(map_entry_layout(*types::map(types::boolean())).size, 24u);
  EXPECT_EQ(map_value_offset(*types::map(types::decimal(30, 1))), 16u);
}

}  // namespace
}  // namespace weir::lower
