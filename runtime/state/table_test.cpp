#include "runtime/state/table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "runtime/state/row_key.h"
#include "runtime/value/helpers.h"

namespace weir::state {
namespace {

struct Slots {
  std::int64_t count;
  std::int64_t unused;
  weir_str text;
};

TableShape shape() {
  TableShape made;
  made.operator_id = 7;
  made.state_size = sizeof(Slots);
  made.string_offsets = {offsetof(Slots, text)};
  made.window_size = 10;
  return made;
}

Slots& upsert(Table& table, std::int64_t start, const std::string& key) {
  void* slot =
      weir_table_upsert(table.handle(), start, weir_hash(key.data(), key.size()), key.data(), key.size());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot) % 16, 0u);
  return *static_cast<Slots*>(slot);
}

using Contents = std::map<std::pair<std::int64_t, std::string>, std::pair<std::int64_t, std::string>>;

Contents close(Table& table, std::int64_t watermark) {
  Contents closed;
  std::pair<std::int64_t, std::string> last{INT64_MIN, ""};
  table.close_until(watermark, [&](std::int64_t start, std::span<const weir_state_row> rows) {
    for (const weir_state_row& row : rows) {
      const auto* slots = static_cast<const Slots*>(row.accumulators);
      std::pair<std::int64_t, std::string> at{start, {row.key, row.key_size}};
      EXPECT_LT(last, at);
      last = at;
      closed[at] = {slots->count, {slots->text.data, slots->text.size}};
    }
    return true;
  });
  return closed;
}

TEST(table, closes_windows_by_end_and_key) {
  Table table(shape());
  Contents wanted;
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::int64_t start = static_cast<std::int64_t>(random() % 100) * 10 - 500;
    std::string key = "k" + std::to_string(random() % 50);
    Slots& slots = upsert(table, start, key);
    ++slots.count;
    std::string text = std::to_string(round);
    slots.text = weir_table_keep(table.handle(), text.data(), text.size());
    auto& known = wanted[{start, key}];
    ++known.first;
    known.second = text;
  }
  Contents first = close(table, 0);
  for (const auto& [at, row] : first) EXPECT_LE(at.first + 10, 0);
  Contents all = close(table, INT64_MAX);
  all.insert(first.begin(), first.end());
  EXPECT_EQ(all, wanted);
  EXPECT_EQ(table.windows(), 0u);
}

TEST(table, deltas_applied_in_order_are_the_table) {
  Table table(shape());
  std::map<std::string, std::string> store;
  std::mt19937 random(2);
  for (int epoch = 0; epoch < 30; ++epoch) {
    for (int round = 0; round < 200; ++round) {
      std::int64_t start = (epoch + static_cast<std::int64_t>(random() % 5)) * 10;
      Slots& slots = upsert(table, start, "key" + std::to_string(random() % 30));
      ++slots.count;
      std::string text(random() % 40, static_cast<char>('a' + random() % 20));
      slots.text = weir_table_keep(table.handle(), text.data(), text.size());
    }
    close(table, epoch * 10);
    Delta delta;
    table.take_delta(delta);
    for (const Delta::Range& range : delta.dropped)
      store.erase(store.lower_bound(range.from), store.lower_bound(range.to));
    for (const Delta::Row& row : delta.rows) store[std::string(delta.key(row))] = delta.value(row);
    Delta nothing;
    table.take_delta(nothing);
    EXPECT_TRUE(nothing.empty());
  }
  Table restored(shape());
  for (const auto& [name, value] : store) {
    auto key = parse_row_key(name);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->operator_id, 7u);
    ASSERT_TRUE(
        restored.restore(key->window_end, weir_hash(key->key.data(), key->key.size()), key->key, value));
  }
  EXPECT_EQ(restored.rows(), table.rows());
  EXPECT_EQ(close(restored, INT64_MAX), close(table, INT64_MAX));
}

TEST(table, refuses_values_of_another_shape) {
  Table table(shape());
  EXPECT_FALSE(table.restore(10, 1, "k", "short"));
  EXPECT_FALSE(table.restore(10, 1, "l", std::string(sizeof(Slots), '\0')));
  EXPECT_FALSE(table.restore(10, 1, "m", std::string(sizeof(Slots) + 5, '\0')));
}

TEST(row_key, sorts_by_operator_window_and_group) {
  auto bytes = [](std::uint32_t op, std::int64_t end, std::uint16_t group, std::string_view key) {
    std::string out;
    append_row_key(out, {op, end, group, key});
    return out;
  };
  EXPECT_LT(bytes(1, 5, 9, "z"), bytes(2, -5, 0, ""));
  EXPECT_LT(bytes(1, -5, 9, "z"), bytes(1, 5, 0, ""));
  EXPECT_LT(bytes(1, INT64_MIN, 9, "z"), bytes(1, INT64_MAX, 0, ""));
  EXPECT_LT(bytes(1, 5, 255, "z"), bytes(1, 5, 256, "a"));
  EXPECT_FALSE(parse_row_key("short"));
}

}  // namespace
}  // namespace weir::state
