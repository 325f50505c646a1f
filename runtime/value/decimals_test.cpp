#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"

namespace weir::value {
namespace {

std::string text(weir_i128 value, std::uint32_t scale) {
  char buffer[WEIR_MAX_DECIMAL];
  return {buffer, weir_put_decimal128(buffer, value, scale)};
}

weir_i128 decimal(const std::string& digits, std::uint32_t scale) {
  weir_i128 value = 0;
  EXPECT_EQ(weir_parse_decimal(digits.data(), digits.size(), scale, 38, &value), 0) << digits;
  return value;
}

TEST(Decimals, rounding) {
  const struct {
    std::int64_t value;
    std::int64_t half_even, down, floor, ceiling, half_up;
  } cases[] = {{25, 2, 2, 2, 3, 3},       {35, 4, 3, 3, 4, 4}, {-25, -2, -2, -3, -2, -3},
               {-35, -4, -3, -4, -3, -4}, {24, 2, 2, 2, 3, 2}, {26, 3, 2, 2, 3, 3},
               {20, 2, 2, 2, 2, 2},       {0, 0, 0, 0, 0, 0},  {5, 0, 0, 0, 1, 1},
               {-5, 0, 0, -1, 0, -1},     {-1, 0, 0, -1, 0, 0}};
  for (const auto& c : cases) {
    EXPECT_TRUE(weir_decimal_round(c.value, 1, WEIR_ROUND_HALF_EVEN) == c.half_even) << c.value;
    EXPECT_TRUE(weir_decimal_round(c.value, 1, WEIR_ROUND_DOWN) == c.down) << c.value;
    EXPECT_TRUE(weir_decimal_round(c.value, 1, WEIR_ROUND_FLOOR) == c.floor) << c.value;
    EXPECT_TRUE(weir_decimal_round(c.value, 1, WEIR_ROUND_CEILING) == c.ceiling) << c.value;
    EXPECT_TRUE(weir_decimal_round(c.value, 1, WEIR_ROUND_HALF_UP) == c.half_up) << c.value;
  }
  EXPECT_EQ(
      text(weir_decimal_round(decimal("49999999999999999999999999999999999999", 0), 38, WEIR_ROUND_HALF_EVEN),
           0),
      "0");
  EXPECT_EQ(
      text(weir_decimal_round(decimal("50000000000000000000000000000000000001", 0), 38, WEIR_ROUND_HALF_EVEN),
           0),
      "1");
}

TEST(Decimals, division) {
  weir_i128 result = 0;
  const auto divide = [&](const char* a, std::uint32_t sa, const char* b, std::uint32_t sb,
                          std::uint32_t scale, std::uint32_t precision) -> std::string {
    const std::int32_t code =
        weir_decimal_divide(decimal(a, sa), sa, decimal(b, sb), sb, scale, precision, &result);
    return code == 0 ? text(result, scale) : std::to_string(code);
  };
  EXPECT_EQ(divide("1", 0, "3", 0, 6, 38), "0.333333");
  EXPECT_EQ(divide("2", 0, "3", 0, 6, 38), "0.666667");
  EXPECT_EQ(divide("-2", 0, "3", 0, 6, 38), "-0.666667");
  EXPECT_EQ(divide("12", 2, "6", 2, 6, 38), "2.000000");
  EXPECT_EQ(divide("1", 0, "0", 0, 6, 38), "5007");
  EXPECT_EQ(divide("1", 0, "0.01", 2, 6, 8), "5008");
  EXPECT_EQ(divide("0.0000005", 7, "1", 0, 6, 38), "0.000000");
  EXPECT_EQ(divide("0.0000015", 7, "1", 0, 6, 38), "0.000002");
  // Intermediates beyond 128 bits.
  EXPECT_EQ(divide("12345678901234567890123456789012345678", 0, "3.7", 1, 0, 38),
            "3336669973306639970303636970003336670");
  EXPECT_EQ(divide("1", 0, "99999999999999999999999999999999999999", 0, 38, 38),
            "0.00000000000000000000000000000000000001");
  EXPECT_EQ(divide("99999999999999999999999999999999999999", 0, "1", 0, 6, 38), "5008");
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    // The same quotient by way of a larger scale that forces the wide path.
    const weir_i128 a = static_cast<std::int64_t>(random()) / 1000;
    const weir_i128 b = static_cast<std::int64_t>(random()) >> (random() % 60);
    weir_i128 narrow = 0, wide = 0;
    const std::int32_t code = weir_decimal_divide(a, 0, b, 0, 6, 38, &narrow);
    if (b == 0) {
      ASSERT_EQ(code, 5007);
      continue;
    }
    ASSERT_EQ(code, 0);
    ASSERT_EQ(weir_decimal_divide(a * power10_128(18), 18, b, 0, 6, 38, &wide), 0);
    ASSERT_TRUE(narrow == wide);
  }
}

TEST(Decimals, multiplication_through_256_bits) {
  weir_i128 result = 0;
  const weir_i128 large = decimal("99999999999999999999999999999999999999", 0);
  EXPECT_EQ(weir_decimal_multiply(large, large, 38, 0, 38, &result), 0);
  EXPECT_EQ(text(result, 0), "99999999999999999999999999999999999998");
  EXPECT_EQ(weir_decimal_multiply(large, -large, 37, 0, 38, &result), 5008);
  EXPECT_EQ(weir_decimal_multiply(decimal("1.5", 1), decimal("-0.5", 1), 2, 1, 38, &result), 0);
  EXPECT_EQ(text(result, 1), "-0.8");  // -0.75: half to even
  EXPECT_EQ(weir_decimal_multiply(decimal("1.3", 1), decimal("0.5", 1), 2, 1, 38, &result), 0);
  EXPECT_EQ(text(result, 1), "0.6");
}

TEST(Decimals, conversions) {
  std::int64_t whole = 0;
  EXPECT_EQ(weir_decimal_to_int(decimal("-2.99", 2), 2, &whole), 0);
  EXPECT_EQ(whole, -2);
  EXPECT_EQ(weir_decimal_to_int(decimal("9223372036854775808", 0), 0, &whole), 5009);
  // C053
  EXPECT_EQ(weir_float_to_int(1e300, &whole), 5009);
  EXPECT_EQ(weir_float_to_int(std::nan(""), &whole), 5014);
  EXPECT_EQ(weir_float_to_int(INFINITY, &whole), 5014);
  EXPECT_EQ(weir_float_to_int(9223372036854775808.0, &whole), 5009);
  EXPECT_EQ(weir_float_to_int(-9223372036854775808.0, &whole), 0);
  EXPECT_EQ(whole, INT64_MIN);
  EXPECT_EQ(weir_float_to_int(-0.9, &whole), 0);
  EXPECT_EQ(whole, 0);

  weir_i128 result = 0;
  const auto from_float = [&](double value, std::uint32_t scale, std::uint32_t precision) -> std::string {
    const std::int32_t code = weir_float_to_decimal(value, scale, precision, &result);
    return code == 0 ? text(result, scale) : std::to_string(code);
  };
  EXPECT_EQ(from_float(0.1, 2, 10), "0.10");
  EXPECT_EQ(from_float(0.1, 20, 38), "0.10000000000000000555");
  EXPECT_EQ(from_float(0.125, 2, 10), "0.12");
  EXPECT_EQ(from_float(0.375, 2, 10), "0.38");
  EXPECT_EQ(from_float(-1.005, 2, 10), "-1.00");
  EXPECT_EQ(from_float(1e8, 2, 10), "5008");
  EXPECT_EQ(from_float(1e300, 2, 38), "5008");
  EXPECT_EQ(from_float(5e-324, 38, 38), "0." + std::string(38, '0'));
  EXPECT_EQ(from_float(1e22, 0, 38), "10000000000000000000000");
  EXPECT_EQ(from_float(std::nan(""), 2, 10), "5014");
  EXPECT_EQ(weir_decimal_to_float(decimal("0.1", 1), 1), 0.1);
  EXPECT_EQ(weir_decimal_to_float(decimal("12345678901234567890.5", 1), 1), 12345678901234567890.5);

  EXPECT_EQ(weir_decimal_rescale(decimal("1.25", 2), 2, 1, 10, &result), 0);
  EXPECT_EQ(text(result, 1), "1.2");
  EXPECT_EQ(weir_decimal_rescale(decimal("99999999", 0), 0, 2, 9, &result), 5008);
  EXPECT_EQ(weir_decimal_rescale(power10_128(37), 0, 38, 38, &result), 5008);
  EXPECT_EQ(weir_decimal_check(power10_128(5), 5), 5008);
  EXPECT_EQ(weir_decimal_check(-power10_128(5) + 1, 5), 0);
}

TEST(Decimals, sums_in_256_bits_do_not_depend_on_order) {
  const weir_i128 large = power10_128(38) - 1;
  weir_i256 sum = {};
  weir_i128 result = 0;
  for (int i = 0; i < 1000; ++i) {
    weir_sum256_add(&sum, large);
  }
  EXPECT_EQ(weir_sum256_get(&sum, 38, &result), 5015);
  for (int i = 0; i < 999; ++i) {
    weir_sum256_add(&sum, -large);
  }
  EXPECT_EQ(weir_sum256_get(&sum, 38, &result), 0);
  EXPECT_TRUE(result == large);
  weir_sum256_add(&sum, 1);
  EXPECT_EQ(weir_sum256_get(&sum, 38, &result), 5015);
  weir_sum256_add(&sum, -large);
  weir_sum256_add(&sum, -2);
  EXPECT_EQ(weir_sum256_get(&sum, 38, &result), 0);
  EXPECT_TRUE(result == -1);
  // C040
  weir_i256 cents = {};
  for (int i = 0; i < 10000; ++i) {
    weir_sum256_add(&cents, 1);
  }
  EXPECT_EQ(weir_sum256_get(&cents, 38, &result), 0);
  EXPECT_EQ(text(result, 2), "100.00");
  std::int64_t whole;
  EXPECT_EQ(weir_sum_to_int(weir_i128{INT64_MAX} + 1, &whole), 5015);
  EXPECT_EQ(weir_sum_to_int(weir_i128{INT64_MIN}, &whole), 0);
}

TEST(Decimals, averages) {
  weir_i128 result = 0;
  EXPECT_EQ(weir_avg_int(10, 4, &result), 0);
  EXPECT_EQ(text(result, 6), "2.500000");
  EXPECT_EQ(weir_avg_int(-2, 3, &result), 0);
  EXPECT_EQ(text(result, 6), "-0.666667");
  EXPECT_EQ(weir_avg_int(1, 2000000, &result), 0);
  EXPECT_EQ(text(result, 6), "0.000000");  // half to even
  EXPECT_EQ(weir_avg_int(3, 2000000, &result), 0);
  EXPECT_EQ(text(result, 6), "0.000002");
  EXPECT_EQ(weir_avg_int(-3, 2000000, &result), 0);
  EXPECT_EQ(text(result, 6), "-0.000002");
  EXPECT_EQ(weir_avg_i128(5, 2, 2, 2, &result), 0);
  EXPECT_TRUE(result == 2);
  EXPECT_EQ(weir_avg_i128(7, 2, 2, 2, &result), 0);
  EXPECT_TRUE(result == 4);
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    const weir_i128 sum = static_cast<weir_i128>(static_cast<std::int64_t>(random())) *
                          static_cast<std::int64_t>(random() % 1000000 + 1);
    const std::uint64_t count = (random() >> (random() % 63)) + 1;
    const auto from = static_cast<std::uint32_t>(random() % 7);
    const std::uint32_t to = from > 6 ? from : 6;
    weir_i256 wide = {};
    weir_sum256_add(&wide, sum);
    weir_i128 a = 0, b = 0;
    const std::int32_t code_a = weir_avg_i128(sum, count, from, to, &a);
    const std::int32_t code_b = weir_avg_i256(&wide, count, from, to, &b);
    ASSERT_EQ(code_a, code_b);
    ASSERT_TRUE(code_a != 0 || a == b);
  }
}

TEST(Decimals, windows_begin_below_C027) {
  const auto start = [](std::int64_t ms, std::int64_t offset = 0) {
    return weir_window_start(ms * 1000, 60000000, offset) / 1000;
  };
  EXPECT_EQ(start(-90000), -120000);
  EXPECT_EQ(start(-60000), -60000);
  EXPECT_EQ(start(-1), -60000);
  EXPECT_EQ(start(0), 0);
  EXPECT_EQ(start(59999), 0);
  EXPECT_EQ(start(0, 15000000), -45000);
  EXPECT_EQ(start(15000, 15000000), 15000);
  EXPECT_EQ(start(0, -15000000), -15000);
  EXPECT_EQ(weir_window_start(INT64_MIN, 7, 3), INT64_MIN);
}

TEST(Decimals, calendar) {
  for (std::int64_t days = -719162; days <= 2932896; days += 1) {
    std::int64_t year;
    std::uint32_t month, day;
    weir_civil_from_days(days, &year, &month, &day);
    ASSERT_EQ(weir_days_from_civil(year, month, day), days);
  }
  EXPECT_EQ(weir_days_from_civil(1970, 1, 1), 0);
  EXPECT_EQ(weir_days_from_civil(2000, 3, 1), 11017);
  EXPECT_EQ(weir_days_from_civil(1, 1, 1) * 86400000000, WEIR_TIME_MIN);
  EXPECT_EQ(weir_days_from_civil(10000, 1, 1) * 86400000000 - 1, WEIR_TIME_MAX);
}

}  // namespace
}  // namespace weir::value
