// Digits and powers of ten, shared by the helpers. Header only.
#pragma once

#include <cstdint>
#include <cstring>

namespace weir::value {

inline constexpr std::uint64_t kPower10[20] = {1ull,
                                               10ull,
                                               100ull,
                                               1000ull,
                                               10000ull,
                                               100000ull,
                                               1000000ull,
                                               10000000ull,
                                               100000000ull,
                                               1000000000ull,
                                               10000000000ull,
                                               100000000000ull,
                                               1000000000000ull,
                                               10000000000000ull,
                                               100000000000000ull,
                                               1000000000000000ull,
                                               10000000000000000ull,
                                               100000000000000000ull,
                                               1000000000000000000ull,
                                               10000000000000000000ull};

// 10^exponent for exponents up to 38.
inline __int128 power10_128(std::uint32_t exponent) {
  return exponent <= 19
             ? static_cast<__int128>(kPower10[exponent])
             : static_cast<__int128>(kPower10[19]) * static_cast<__int128>(kPower10[exponent - 19]);
}

inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

// How many of the eight bytes at p are digits before the first that is none, and their values: the first digit in the
// lowest byte, garbage behind the last.
inline std::uint32_t digit_run(const char* p, std::uint64_t* digits) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  const std::uint64_t values = word ^ 0x3030303030303030ull;
  *digits = values;
  // The top bit of each byte that is above 9. A carry can only come out of a byte that is marked itself.
  const std::uint64_t none = ((values + 0x7676767676767676ull) | values) & 0x8080808080808080ull;
  return none == 0 ? 8 : static_cast<std::uint32_t>(__builtin_ctzll(none)) / 8;
}

// The number that `count` digits (1 to 8) make, as digit_run leaves them.
inline std::uint64_t digits_value(std::uint64_t digits, std::uint32_t count) {
  // To the end of eight digits with zeros in front; then pairs, fours and all eight, each step one multiplication.
  std::uint64_t word = digits << (64 - 8 * count);
  word = word * 2561 >> 8 & 0x00FF00FF00FF00FFull;
  word = word * 6553601 >> 16 & 0x0000FFFF0000FFFFull;
  return word * 42949672960001ull >> 32;
}

inline constexpr char kDigitPairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051"
    "525354"
    "555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

inline int count_digits(std::uint64_t value) {
  // log10 by log2, corrected by one comparison.
  const int bits = 64 - __builtin_clzll(value | 1);
  const int guess = bits * 1233 >> 12;
  return guess + (value >= kPower10[guess] ? 1 : 0) + (value == 0 ? 1 : 0);
}

// Writes exactly `count` digits of value, which must have no more, with leading zeros.
inline void write_digits(char* p, std::uint64_t value, int count) {
  while (count >= 2) {
    std::memcpy(p + count - 2, kDigitPairs + value % 100 * 2, 2);
    value /= 100;
    count -= 2;
  }
  if (count == 1) {
    *p = static_cast<char>('0' + value % 10);
  }
}

}  // namespace weir::value
