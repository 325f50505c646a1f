// Parts of a timestamp in UTC. Header only.
#pragma once

#include "runtime/value/helpers.h"

namespace weir::stdlib {

inline constexpr std::int64_t kDay = 86400000000;

struct Civil {
  std::int64_t year;
  std::uint32_t month, day;
};

// Days since 1970-01-01, rounded down.
inline std::int64_t days(std::int64_t time) {
  return time / kDay - (time % kDay < 0 ? 1 : 0);
}

// Microseconds since midnight.
inline std::int64_t in_day(std::int64_t time) {
  const std::int64_t rest = time % kDay;
  return rest < 0 ? rest + kDay : rest;
}

inline Civil civil(std::int64_t time) {
  Civil result;
  weir_civil_from_days(days(time), &result.year, &result.month, &result.day);
  return result;
}

}  // namespace weir::stdlib
