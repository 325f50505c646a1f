#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"
#include "runtime/value/value_testing.h"

namespace weir::value {
namespace {

using testing::Record;

std::string json_string(const std::string& text) {
  std::string out(WEIR_MAX_JSON_STRING(text.size()), '\0');
  // The text ends at the end of its memory, for the sanitizer.
  const std::unique_ptr<char[]> exact(new char[text.size()]);
  std::copy(text.begin(), text.end(), exact.get());
  out.resize(
      static_cast<std::size_t>(weir_put_json_string(out.data(), exact.get(), text.size()) - out.data()));
  return out;
}

std::string csv_string(const std::string& text) {
  std::string out(WEIR_MAX_CSV_STRING(text.size()), '\0');
  out.resize(
      static_cast<std::size_t>(weir_put_csv_string(out.data(), text.data(), text.size()) - out.data()));
  return out;
}

TEST(Encode, C061_json_strings) {
  const std::string nasty =
      "' \" \\ \n \t \r C:\\temp\\new \\d+\\b \xf0\x9f\x98\x80 e\xcc\x81 '); drop table t; -- \x01\x1f\x7f/";
  EXPECT_EQ(json_string(nasty), nlohmann::json(nasty).dump());
  EXPECT_EQ(json_string(std::string("\0", 1)), "\"\\u0000\"");
  EXPECT_EQ(json_string(""), "\"\"");
  std::mt19937 random(6);
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 70, 'x');
    for (unsigned k = random() % 5; k > 0 && !text.empty(); --k) {
      text[random() % text.size()] = static_cast<char>(random() % 128);
    }
    ASSERT_EQ(json_string(text), nlohmann::json(text).dump());
  }
}

TEST(Encode, csv_strings) {
  EXPECT_EQ(csv_string("plain text"), "plain text");
  EXPECT_EQ(csv_string(""), "\"\"");
  EXPECT_EQ(csv_string("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_string("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_string("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_string("a\rb"), "\"a\rb\"");
}

TEST(Encode, csv_records) {
  Record window;
  window.add("start", testing::timestamp_type()).add("end", testing::timestamp_type());
  Record type;
  type.add("key", testing::optional(testing::string_type()))
      .add("window", window.type())
      .add("other", testing::optional(window.type()))
      .add("mean", testing::optional(testing::decimal_type(38, 6)))
      .add("ratio", testing::float_type());
  EXPECT_EQ(weir_csv_columns(type.type()), 7u);
  testing::Worker worker;
  std::string frame(type.type()->size, '\0');
  const std::string text =
      R"({"key":"a,b","window":{"start":"2026-01-01T00:00:00Z","end":"2026-01-01T00:01:00Z"},"mean":1.5,"ratio":1})";
  weir_str detail;
  ASSERT_EQ(weir_decode_json(worker.get(), type.type(), text.data(), text.size(), frame.data(), &detail), 0u);
  std::string out(weir_csv_bound(type.type(), frame.data()), '\0');
  out.resize(static_cast<std::size_t>(weir_put_csv(out.data(), type.type(), frame.data()) - out.data()));
  EXPECT_EQ(out, "\"a,b\",2026-01-01T00:00:00Z,2026-01-01T00:01:00Z,,,1.500000,1.0");
  // NaN cannot be written.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(frame.data() + type.type()->fields[4].offset, &nan, 8);
  out.resize(weir_csv_bound(type.type(), frame.data()));
  EXPECT_EQ(weir_put_csv(out.data(), type.type(), frame.data()), nullptr);
  out.resize(weir_json_bound(type.type(), frame.data()));
  EXPECT_EQ(weir_put_json(out.data(), type.type(), frame.data()), nullptr);
}

TEST(Encode, base64) {
  testing::Worker worker;
  std::mt19937 random(8);
  const std::pair<std::string, const char*> cases[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xff\xfe\xfd", "//79"}};
  for (const auto& [bytes, text] : cases) {
    char buffer[16];
    EXPECT_EQ(std::string(buffer, weir_put_base64(buffer, bytes.data(), bytes.size())), text);
  }
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) {
      c = static_cast<char>(random());
    }
    std::string text(WEIR_MAX_BASE64(bytes.size()), '\0');
    text.resize(
        static_cast<std::size_t>(weir_put_base64(text.data(), bytes.data(), bytes.size()) - text.data()));
    weir_str back;
    ASSERT_EQ(weir_base64_decode(worker.get(), text.data(), text.size(), &back), 0);
    ASSERT_EQ(std::string(back.data, back.size), bytes);
  }
  for (const std::string bad :
       {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm 9", "Zm9_"}) {
    weir_str back;
    EXPECT_EQ(weir_base64_decode(worker.get(), bad.data(), bad.size(), &back), 5016) << bad;
  }
}

TEST(Keys, order_of_bytes_is_order_of_numbers) {
  const std::int64_t ints[] = {INT64_MIN, -1000, -1, 0, 1, 255, 256, INT64_MAX};
  std::string last;
  for (const std::int64_t value : ints) {
    char buffer[8];
    const std::string bytes(buffer, weir_key_put_int(buffer, value));
    EXPECT_LT(last, bytes);
    last = bytes;
    std::int64_t back;
    EXPECT_EQ(weir_key_get_int(buffer, &back), buffer + 8);
    EXPECT_EQ(back, value);
  }
  last.clear();
  const weir_i128 large = power10_128(38) - 1;
  for (const weir_i128 value : {-large, weir_i128{INT64_MIN} - 1, weir_i128{-1}, weir_i128{0}, weir_i128{1},
                                weir_i128{1} << 64, large}) {
    char buffer[16];
    const std::string bytes(buffer, weir_key_put_i128(buffer, value));
    EXPECT_LT(last, bytes);
    last = bytes;
    weir_i128 back;
    EXPECT_EQ(weir_key_get_i128(buffer, &back), buffer + 16);
    EXPECT_TRUE(back == value);
  }
}

TEST(Keys, any_type_there_and_back) {
  Record inner;
  inner.add("x", testing::optional(testing::decimal_type(10, 2))).add("y", testing::decimal_type(30, 2));
  Record type;
  type.add("s", testing::string_type())
      .add("o", testing::optional(testing::string_type()))
      .add("b", testing::bool_type())
      .add("n", testing::int_type())
      .add("t", testing::timestamp_type())
      .add("i", inner.type())
      .add("l", testing::list(testing::int_type()))
      .add("m", testing::map(inner.type()));
  testing::Worker worker;
  for (
      const std::string text :
      {R"({"s":"","o":null,"b":true,"n":-1,"t":"1969-12-31T23:59:59Z","i":{"x":null,"y":-1.00},"l":[],"m":{}})",
       R"({"s":"a","o":"","b":false,"n":1,"t":"2026-01-01T00:00:00Z","i":{"x":1.50,"y":1.00},"l":[1,2],"m":{"k":{"x":0.01,"y":0.00}}})"}) {
    std::string frame(type.type()->size, '\0');
    weir_str detail;
    ASSERT_EQ(weir_decode_json(worker.get(), type.type(), text.data(), text.size(), frame.data(), &detail),
              0u);
    std::string key(weir_key_size(type.type(), frame.data()), '\0');
    ASSERT_EQ(weir_key_put(key.data(), type.type(), frame.data()), key.data() + key.size());
    std::string back(type.type()->size, '\x77');
    ASSERT_EQ(weir_key_get(worker.get(), key.data(), type.type(), back.data()), key.data() + key.size());
    std::string out(weir_json_bound(type.type(), back.data()), '\0');
    out.resize(static_cast<std::size_t>(weir_put_json(out.data(), type.type(), back.data()) - out.data()));
    EXPECT_EQ(out, text);
  }
}

TEST(Keys, the_hash_never_changes) {
  EXPECT_EQ(weir_hash("", 0), weir_hash(nullptr, 0));
  // Golden: state on disk is placed by it.
  EXPECT_EQ(weir_hash("order-1", 7), 1559419844324091126ull);
  EXPECT_EQ(WEIR_KEY_GROUP(0xFFFFFFFFFFFFFFFFull), 1023u);
}

TEST(Scratch, older_blocks_stay_valid) {
  testing::Worker worker;
  auto* first = static_cast<char*>(weir_scratch_take(worker.get(), 5));
  std::memcpy(first, "hello", 5);
  auto* second = static_cast<char*>(weir_scratch_take(worker.get(), 1 << 20));
  std::memset(second, 'x', 1 << 20);
  auto* third = static_cast<char*>(weir_scratch_take(worker.get(), 10));
  EXPECT_EQ(std::string(first, 5), "hello");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 16, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(third) % 16, 0u);
}

TEST(Maps, look_up) {
  Record type;
  type.add("m", testing::map(testing::int_type()));
  testing::Worker worker;
  std::string frame(type.type()->size, '\0');
  const std::string text = R"({"m":{"b":2,"a":1,"":0,"ab":3,"c":4}})";
  weir_str detail;
  ASSERT_EQ(weir_decode_json(worker.get(), type.type(), text.data(), text.size(), frame.data(), &detail), 0u);
  weir_list list;
  std::memcpy(&list, frame.data(), sizeof list);
  const weir_type* map = type.type()->fields[0].type;
  const auto find = [&](const std::string& key) -> std::int64_t {
    const void* found =
        weir_map_find(list.data, list.count, map->element_size, map->value_offset, key.data(), key.size());
    std::int64_t value = -1;
    if (found != nullptr) {
      std::memcpy(&value, found, 8);
    }
    return value;
  };
  EXPECT_EQ(find(""), 0);
  EXPECT_EQ(find("a"), 1);
  EXPECT_EQ(find("ab"), 3);
  EXPECT_EQ(find("c"), 4);
  EXPECT_EQ(find("aa"), -1);
  EXPECT_EQ(find("d"), -1);
}

}  // namespace
}  // namespace weir::value
