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

// Whether the eight bytes at p are all digits, and their value.
inline bool eight_digits(const char* p, std::uint64_t* value) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  if ((((word & 0xF0F0F0F0F0F0F0F0ull) | (((word + 0x0606060606060606ull) & 0xF0F0F0F0F0F0F0F0ull) >> 4))) !=
      0x3333333333333333ull) {
    return false;
  }
  // Pairs, then fours, then all eight, each step one multiplication.
  word = (word & 0x0F0F0F0F0F0F0F0Full) * 2561 >> 8;
  word = (word & 0x00FF00FF00FF00FFull) * 6553601 >> 16;
  *value = (word & 0x0000FFFF0000FFFFull) * 42949672960001ull >> 32;
  return true;
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
