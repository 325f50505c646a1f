#include "runtime/value/pinned.h"

#include <gtest/gtest.h>

namespace weir::value {
namespace {

TEST(Pinned, versions) {
  const auto versions = pinned_versions();
  EXPECT_FALSE(versions.at("unicode").empty());
  EXPECT_FALSE(versions.at("tzdata").empty());
}

}  // namespace
}  // namespace weir::value
