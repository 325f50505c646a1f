// Dates and times of literals: proleptic Gregorian calendar, years 0001 to 9999.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::parse {

struct ReadDate {
  std::int32_t days = 0;  // since 1970-01-01
  std::string problem;    // empty if it could be read
};

// "2026-01-31"; the shape (digits and dashes) is the caller's promise.
ReadDate read_date(std::string_view text);

struct ReadTimestamp {
  std::int64_t micros = 0;  // since 1970-01-01T00:00:00Z
  std::string problem;      // empty if it could be read
  bool lacks_zone = false;
};

// "2026-01-31T23:59[:59[.123456]](Z|+01:00)"; the shape is the caller's promise, but the zone may be missing.
ReadTimestamp read_timestamp(std::string_view text);

}  // namespace weir::parse
