#include "compiler/link/link.h"

#include <gtest/gtest.h>

namespace weir::link {
namespace {

TEST(Link, NamesEveryMissingFile) {
  auto linked =
      link_program({.kit = "/nowhere", .objects = {"/nowhere/user.o"}, .output = "/nowhere/program"});
  ASSERT_FALSE(linked);
  EXPECT_NE(linked.error().find("/nowhere/Scrt1.o"), std::string::npos);
  EXPECT_NE(linked.error().find("/nowhere/user.o"), std::string::npos);
}

TEST(Link, KitStandsBesideTheExecutable) {
  EXPECT_TRUE(installed_kit().is_absolute());
  EXPECT_EQ(installed_kit().filename(), "kit");
}

}  // namespace
}  // namespace weir::link
