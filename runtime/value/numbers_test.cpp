#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/text.h"

namespace weir::value {
namespace {

template <typename Put, typename... Args>
std::string text_of(Put put, Args... args) {
  char buffer[64];
  const char* end = put(buffer, args...);
  return end == nullptr ? "null" : std::string(buffer, static_cast<std::size_t>(end - buffer));
}

std::string padded(const std::string& text) {
  return text + std::string(WEIR_INPUT_PADDING, '9');
}

// What a reader took, as text, or "null". `used` gets how much of the text it took.
template <typename T, typename Read>
std::string read(Read read_function, const std::string& text, T* value) {
  const std::string input = padded(text);
  const char* stop = read_function(input.data(), input.data() + text.size(), value);
  return stop == nullptr ? "null" : text.substr(0, static_cast<std::size_t>(stop - input.data()));
}

TEST(Numbers, ints_out) {
  EXPECT_EQ(text_of(weir_put_int, std::int64_t{0}), "0");
  std::int64_t power = 1;
  for (int i = 0; i < 19; ++i) {
    for (const std::int64_t v : {power, -power, power - 1, 1 - power, power + 7}) {
      EXPECT_EQ(text_of(weir_put_int, v), std::to_string(v));
    }
    power = i < 18 ? power * 10 : power;
  }
  EXPECT_EQ(text_of(weir_put_int, INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(text_of(weir_put_int, INT64_MAX), "9223372036854775807");
}

TEST(Numbers, ints_in) {
  const std::pair<const char*, const char*> cases[] = {{"0", "0"},
                                                       {"-0", "-0"},
                                                       {"7", "7"},
                                                       {"12345678", "12345678"},
                                                       {"123456789012345678", "123456789012345678"},
                                                       {"-99,", "-99"},
                                                       {"1234567890123456789", "null"},
                                                       {"01", "null"},
                                                       {"", "null"},
                                                       {"-", "null"},
                                                       {"x", "null"},
                                                       {"12x", "12"},
                                                       {"+1", "null"}};
  for (const auto& [text, taken] : cases) {
    std::int64_t value = 0;
    // Digits behind the end do not become part of it: too long, or refused.
    const std::string out = read(weir_read_int, std::string(text) + " ", &value);
    EXPECT_EQ(out, taken) << text;
    if (out != "null") {
      EXPECT_EQ(value, std::stoll(out));
    }
  }
  std::int64_t value;
  EXPECT_EQ(read(weir_read_int, "12", &value), "null");  // the padding goes on with digits
}

TEST(Numbers, skipped_up_to_the_end) {
  for (const std::string text : {"9", "12345678", "1.5", "-0", "1e12345678901", "0.000000001"}) {
    const std::string input = padded(text);
    EXPECT_EQ(weir_skip_value(input.data(), input.data() + text.size()), input.data() + text.size()) << text;
  }
  for (const std::string text : {"-", "1.", "1e", "1e+", "-."}) {
    for (const char behind : {'9', '+', '.'}) {
      const std::string input = text + std::string(WEIR_INPUT_PADDING, behind);
      EXPECT_EQ(weir_skip_value(input.data(), input.data() + text.size()), nullptr) << text;
    }
  }
}

TEST(Numbers, decimals_in) {
  struct Case {
    const char* text;
    std::uint32_t scale, precision;
    const char* taken;
    std::int64_t value;
  };
  const Case cases[] = {{"12,", 2, 10, "12", 1200},
                        {"12.1}", 2, 10, "12.1", 1210},
                        {"-0.05,", 2, 10, "-0.05", -5},
                        {"0,", 2, 2, "0", 0},
                        {"0.99,", 2, 2, "0.99", 99},
                        {"1.00,", 2, 2, "null", 0},
                        {"12.345,", 2, 10, "null", 0},
                        {"12.340,", 2, 10, "null", 0},
                        {"12.,", 2, 10, "null", 0},
                        {"123456789.00,", 2, 10, "null", 0},
                        {"99999999.99,", 2, 10, "99999999.99", 9999999999},
                        {"999999999999999999,", 0, 18, "999999999999999999", 999999999999999999},
                        {"1.5,", 0, 18, "null", 0},
                        {".5,", 2, 10, "null", 0},
                        {"01.5,", 2, 10, "null", 0}};
  for (const Case& c : cases) {
    std::int64_t value = 0;
    const std::string input = padded(c.text);
    const char* stop =
        weir_read_decimal(input.data(), input.data() + std::strlen(c.text), c.scale, c.precision, &value);
    const std::string taken = stop == nullptr ? "null" : std::string(input.data(), stop);
    EXPECT_EQ(taken, c.taken) << c.text;
    if (taken != "null") {
      EXPECT_EQ(value, c.value) << c.text;
    }
  }
}

TEST(Numbers, floats_both_ways) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},           {-0.0, "-0.0"},         {1, "1.0"},
      {0.1, "0.1"},           {1e22, "1e+22"},        {1e-7, "1e-07"},
      {123456.5, "123456.5"}, {5e-324, "5e-324"},     {1.7976931348623157e308, "1.7976931348623157e+308"},
      {100000, "1e+05"},      {std::nan(""), "null"}, {INFINITY, "null"},
      {-INFINITY, "null"}};
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(text_of(weir_put_float, value), text);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, 8);
    if (!std::isfinite(value)) {
      continue;
    }
    if (i % 2 == 0) {
      value = static_cast<double>(random() % 100000000) / 1000.0;
    }
    const std::string text = text_of(weir_put_float, value);
    double fast = 1, slow = 1;
    ASSERT_EQ(read(weir_read_float, text + ",", &fast), text);
    ASSERT_EQ(weir_parse_float(text.data(), text.size(), &slow), 0);
    ASSERT_EQ(std::memcmp(&fast, &value, 8), 0) << text;
    ASSERT_EQ(std::memcmp(&slow, &value, 8), 0) << text;
  }
}

TEST(Numbers, float_texts) {
  const auto parse = [](const std::string& text, double* value) {
    return weir_parse_float(text.data(), text.size(), value);
  };
  double value = 0;
  for (const char* bad :
       {"", "-", "nan", "inf", "infinity", ".5", "1.", "1e", "0x1", " 1", "1 ", "+1", "1e5x", "--1"}) {
    EXPECT_EQ(parse(bad, &value), 5016) << bad;
  }
  for (const char* large : {"1e400", "-1e999999999999", "123456789e305", "1e309"}) {
    EXPECT_EQ(parse(large, &value), 5009) << large;
  }
  for (const char* tiny : {"1e-400", "0.000001e-400", "1e-999999999999", "0e999"}) {
    EXPECT_EQ(parse(tiny, &value), 0) << tiny;
    EXPECT_EQ(value, 0) << tiny;
  }
  EXPECT_EQ(parse("-1e-400", &value), 0);
  EXPECT_TRUE(std::signbit(value));
  EXPECT_EQ(parse(std::string(400, '0') + "1", &value), 0);
  EXPECT_EQ(parse("0." + std::string(400, '0') + "1e401", &value), 0);
  EXPECT_EQ(value, 1);
}

TEST(Numbers, decimals_out) {
  EXPECT_EQ(text_of(weir_put_decimal64, std::int64_t{-5}, 2u), "-0.05");
  EXPECT_EQ(text_of(weir_put_decimal64, std::int64_t{0}, 2u), "0.00");
  EXPECT_EQ(text_of(weir_put_decimal64, std::int64_t{1200}, 2u), "12.00");
  EXPECT_EQ(text_of(weir_put_decimal64, std::int64_t{7}, 0u), "7");
  EXPECT_EQ(text_of(weir_put_decimal64, std::int64_t{1}, 18u), "0.000000000000000001");
  const weir_i128 largest = power10_128(38) - 1;
  EXPECT_EQ(text_of(weir_put_decimal128, largest, 0u), std::string(38, '9'));
  EXPECT_EQ(text_of(weir_put_decimal128, -largest, 38u), "-0." + std::string(38, '9'));
  EXPECT_EQ(text_of(weir_put_decimal128, weir_i128{0}, 20u), "0." + std::string(20, '0'));
  EXPECT_EQ(text_of(weir_put_decimal128, weir_i128{0}, 0u), "0");
  EXPECT_EQ(text_of(weir_put_decimal128, power10_128(20), 20u), "1." + std::string(20, '0'));
  std::mt19937_64 random(2);
  for (int i = 0; i < 100000; ++i) {
    const auto value = static_cast<std::int64_t>(random() >> (random() % 64)) / 10;
    const auto scale = static_cast<std::uint32_t>(random() % 19);
    ASSERT_EQ(text_of(weir_put_decimal64, value, scale),
              text_of(weir_put_decimal128, weir_i128{value}, scale));
  }
}

TEST(Numbers, decimal_texts) {
  const auto parse = [](const std::string& text, std::uint32_t scale, std::uint32_t precision,
                        weir_i128* value) {
    return weir_parse_decimal(text.data(), text.size(), scale, precision, value);
  };
  struct Case {
    const char* text;
    std::uint32_t scale, precision;
    std::int32_t code;
    std::int64_t value = 0;
  };
  const Case cases[] = {{"12", 2, 10, 0, 1200},
                        {"12.1", 2, 10, 0, 1210},
                        {"-0.05", 2, 10, 0, -5},
                        {"12.345", 2, 10, 5009},
                        {"12.3400", 2, 10, 0, 1234},
                        {"1e2", 2, 10, 0, 10000},
                        {"1E+2", 0, 10, 0, 100},
                        {"1.5e1", 0, 10, 0, 15},
                        {"15e-1", 1, 10, 0, 15},
                        {"15e-1", 0, 10, 5009},
                        {"0e99999999999999999999", 2, 10, 0, 0},
                        {"0.000e-9999", 2, 10, 0, 0},
                        {"1e99999999999999999999", 2, 10, 5008},
                        {"1e-99999999999999999999", 2, 10, 5009},
                        {"99999999.99", 2, 10, 0, 9999999999},
                        {"100000000", 2, 10, 5008},
                        {"007.50", 2, 10, 0, 750},
                        {"", 2, 10, 5016},
                        {"-", 2, 10, 5016},
                        {".5", 2, 10, 5016},
                        {"5.", 2, 10, 5016},
                        {"1.2.3", 2, 10, 5016},
                        {"1e", 2, 10, 5016},
                        {"+1", 2, 10, 5016},
                        {" 1", 2, 10, 5016},
                        {"1_0", 2, 10, 5016},
                        {"NaN", 2, 10, 5016},
                        {"0x1", 2, 10, 5016}};
  for (const Case& c : cases) {
    weir_i128 value = 0;
    EXPECT_EQ(parse(c.text, c.scale, c.precision, &value), c.code) << c.text;
    if (c.code == 0) {
      EXPECT_TRUE(value == c.value) << c.text;
    }
  }
  weir_i128 value = 0;
  EXPECT_EQ(parse(std::string(38, '9'), 0, 38, &value), 0);
  EXPECT_TRUE(value == power10_128(38) - 1);
  EXPECT_EQ(parse(std::string(39, '9'), 0, 38, &value), 5008);
  EXPECT_EQ(parse("1" + std::string(38, '0'), 0, 38, &value), 5008);
  EXPECT_EQ(parse("0." + std::string(37, '0') + "1", 38, 38, &value), 0);
  EXPECT_TRUE(value == 1);
  EXPECT_EQ(parse(std::string(1000, '0') + "1", 0, 38, &value), 0);
  EXPECT_EQ(parse("1" + std::string(1000, '0') + "e-1000", 0, 38, &value), 0);
  EXPECT_TRUE(value == 1);
}

TEST(Numbers, unix_times_in) {
  const auto take = [](const std::string& text, std::uint32_t digits, std::uint32_t floor,
                       std::int64_t* value) {
    const std::string input = text + std::string(WEIR_INPUT_PADDING, ' ');
    return weir_read_unix_time(input.data(), input.data() + text.size(), digits, floor, value) != nullptr;
  };
  std::int64_t value = 0;
  EXPECT_TRUE(take("1577836800", 0, 0, &value));
  EXPECT_EQ(value, 1577836800000000);
  EXPECT_TRUE(take("1577836800000000000", 9, 0, &value));
  EXPECT_EQ(value, 1577836800000000);
  EXPECT_FALSE(take("1577836800000000001", 9, 0, &value));
  EXPECT_TRUE(take("-1577836800000000001", 9, 1, &value));
  EXPECT_EQ(value, -1577836800000001);
  EXPECT_FALSE(take("253402300800", 0, 0, &value));
  EXPECT_FALSE(take("999999999999999999", 0, 0, &value));
  EXPECT_TRUE(take("-62135596800", 0, 0, &value));
}

}  // namespace
}  // namespace weir::value
