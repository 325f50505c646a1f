// Sorting by key bytes, with few looks at the keys themselves. Header only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::value {

// Sorts `items`, at most 2^32, by the bytes of `key_of(item)`, a std::string_view that stays valid while sorting. Keys of one
// place share their first bytes and differ in the next sixteen: these are compared as numbers, and the keys only
// where they are equal.
template <typename T, typename KeyOf>
void sort_by_key(std::vector<T>& items, KeyOf key_of) {
  struct Entry {
    std::uint64_t prefix[2];
    std::uint32_t index;
  };
  if (items.size() < 2) return;
  const std::string_view first = key_of(items.front());
  std::size_t common = first.size();
  for (const T& item : items) {
    const std::string_view key = key_of(item);
    common = std::min(common, key.size());
    if (common == 0 || std::memcmp(first.data(), key.data(), common) == 0) continue;
    common =
        static_cast<std::size_t>(std::ranges::mismatch(first.substr(0, common), key).in1 - first.begin());
  }
  const auto rest_of = [&](std::uint32_t index) { return key_of(items[index]).substr(common); };
  std::vector<Entry> order(items.size());
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    const std::string_view rest = rest_of(i);
    std::uint64_t prefix[2] = {};
    if (!rest.empty()) std::memcpy(prefix, rest.data(), std::min<std::size_t>(rest.size(), sizeof prefix));
    order[i] = {{__builtin_bswap64(prefix[0]), __builtin_bswap64(prefix[1])}, i};
  }
  std::sort(order.begin(), order.end(), [&](const Entry& a, const Entry& b) {
    if (a.prefix[0] != b.prefix[0]) return a.prefix[0] < b.prefix[0];
    if (a.prefix[1] != b.prefix[1]) return a.prefix[1] < b.prefix[1];
    return rest_of(a.index) < rest_of(b.index);
  });
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const Entry& entry : order) sorted.push_back(std::move(items[entry.index]));
  items.swap(sorted);
}

}  // namespace weir::value
