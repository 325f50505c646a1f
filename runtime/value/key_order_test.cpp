#include "runtime/value/key_order.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace weir::value {
namespace {

TEST(KeyOrder, is_the_order_of_bytes) {
  std::mt19937 random(9);
  for (int round = 0; round < 3000; ++round) {
    // Shared heads, zero bytes at ends, empty keys, bytes above 127.
    const std::string head(random() % 12, 'h');
    std::vector<std::string> keys(random() % 20);
    for (std::string& key : keys) {
      key = random() % 10 == 0 ? "" : head;
      for (unsigned n = random() % 12; n > 0; --n) key += "\0\x01z\xff"[random() % 4];
    }
    std::vector<std::string> expected = keys;
    std::ranges::sort(expected);
    sort_by_key(keys, [](const std::string& key) { return std::string_view(key); });
    ASSERT_EQ(keys, expected);
  }
}

}  // namespace
}  // namespace weir::value
