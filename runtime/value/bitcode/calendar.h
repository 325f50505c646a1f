// The proleptic Gregorian calendar. Header only.
#pragma once

#include <cstdint>

namespace weir::value {

inline bool is_leap(std::uint32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// month 1..12
inline std::uint32_t days_in_month(std::uint32_t year, std::uint32_t month) {
  return month == 2 ? 28u + (is_leap(year) ? 1u : 0u) : 30u + ((month + (month >> 3)) & 1u);
}

}  // namespace weir::value
