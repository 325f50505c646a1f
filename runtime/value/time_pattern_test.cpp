#include "runtime/value/time_pattern.h"

#include <gtest/gtest.h>

#include <random>

#include "runtime/value/helpers.h"
#include "runtime/value/scalar_text.h"

namespace weir::value {
namespace {

std::string iso(std::int64_t micros) {
  char buffer[WEIR_MAX_TIMESTAMP];
  return {buffer, weir_put_timestamp(buffer, micros)};
}

std::string parse(const std::string& pattern, const std::string& zone, const std::string& text) {
  auto made = TimePattern::make(pattern, zone);
  EXPECT_TRUE(made.has_value()) << made.error();
  std::int64_t micros = 0;
  const std::int32_t code = (*made)->parse(text, &micros);
  return code == 0 ? iso(micros) : std::to_string(code);
}

TEST(TimePattern, reads) {
  EXPECT_EQ(parse("%Y/%m/%d %H:%M", "UTC", "2001/01/10 09:05"), "2001-01-10T09:05:00Z");
  EXPECT_EQ(parse("%d/%b/%Y:%H:%M:%S %z", "", "17/May/2015:10:05:03 +0200"), "2015-05-17T08:05:03Z");
  EXPECT_EQ(parse("%d/%b/%Y:%H:%M:%S %z", "", "17/May/2015:10:05:03 -0000"), "2015-05-17T10:05:03Z");
  EXPECT_EQ(parse("%Y-%m-%d", "UTC", "1960-02-29"), "1960-02-29T00:00:00Z");
  EXPECT_EQ(parse("%F %T", "UTC", "2026-01-02 03:04:05"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(parse("%m/%d/%y %I:%M %p", "UTC", "03/04/26 05:06 PM"), "2026-03-04T17:06:00Z");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M:%E*S", "UTC", "2026-01-02 03:04:05.25"), "2026-01-02T03:04:05.25Z");
  EXPECT_EQ(parse("%s", "", "1577836800"), "2020-01-01T00:00:00Z");
  EXPECT_EQ(parse("%a, %d %B %Y %H:%M:%S %Ez", "", "Thu, 01 January 2026 00:00:00 +01:00"),
            "2025-12-31T23:00:00Z");
  EXPECT_EQ(parse("%s", "", "1577836860"), "2020-01-01T00:01:00Z");
  EXPECT_EQ(parse("%H:%M:%S %d.%m.%Y", "UTC", "00:00:00 01.01.1960"), "1960-01-01T00:00:00Z");
  // A local time of a zone, also around its clock changes; of a repeated one, the first.
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-07-01 12:00"), "2026-07-01T10:00:00Z");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-03-29 01:59"), "2026-03-29T00:59:00Z");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-03-29 03:00"), "2026-03-29T01:00:00Z");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-10-25 02:30"), "2026-10-25T00:30:00Z");
}

TEST(TimePattern, refuses) {
  for (const char* text : {"", "2001/01/10", "2001/13/10 09:05", "2001/02/29 09:05", "2001/01/10 24:05",
                           "2001/01/10 09:60", "2001/01/10 09:05 ", " 2001/01/10 09:05", "2001-01-10 09:05",
                           "infinite-future", "x", "2001/01/10 09:05:00"}) {
    EXPECT_EQ(parse("%Y/%m/%d %H:%M", "UTC", text), "5016") << text;
  }
  // Never shown by the zone's clocks, which go from 02:00 to 03:00 there.
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-03-29 02:00"), "5016");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M", "Europe/Berlin", "2026-03-29 02:30"), "5016");
  EXPECT_EQ(parse("%d/%b/%Y:%H:%M:%S %z", "", "10/Oct/2000:13:55:60 -0700"), "5016");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M:%E*S", "UTC", "1960-12-31 23:59:60.5"), "5016");
  EXPECT_EQ(parse("%Y/%m/%d %H:%M", "UTC", "0000/01/10 09:05"), "5010");
  EXPECT_EQ(parse("%Y/%m/%d", "UTC", "10000/01/10"), "5010");
  EXPECT_EQ(parse("%Y/%m/%d", "UTC", "-0001/01/10"), "5010");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M:%E*S", "UTC", "2026-01-02 03:04:05.1234567"), "5010");
  EXPECT_EQ(parse("%Y-%m-%d %H:%M:%E*S", "UTC", "2026-01-02 03:04:05.1234560"),
            "2026-01-02T03:04:05.123456Z");
  EXPECT_EQ(parse("infinite-future %Y%m%d", "UTC", "infinite-future"), "5016");
}

TEST(TimePattern, checks) {
  EXPECT_EQ(TimePattern::check("%Y/%m/%d %H:%M", "UTC", true), "");
  EXPECT_EQ(TimePattern::check("%d/%b/%Y:%H:%M:%S %z", "", true), "");
  EXPECT_EQ(TimePattern::check("%Y/%m/%d", "", true),
            "the pattern has no offset (%z): name the zone with zone: \"UTC\" or another");
  EXPECT_EQ(TimePattern::check("%Y %H", "UTC", true), "the pattern has no month (%m)");
  EXPECT_EQ(TimePattern::check("%Y %m %d %Z", "UTC", true), "%Z cannot be read");
  EXPECT_EQ(TimePattern::check("%Y %j", "UTC", true), "%j cannot be read");
  EXPECT_EQ(TimePattern::check("%F %I:%M", "UTC", true), "%I is an hour of half a day: add %p, or use %H");
  EXPECT_EQ(TimePattern::check("%F %H:%M %p", "UTC", true), "%p goes with %I, not %H");
  EXPECT_EQ(TimePattern::check("%I:%M", "UTC", false), "");
  EXPECT_EQ(TimePattern::check("%j %Z", "", false), "");
  EXPECT_EQ(TimePattern::check("%Q", "", false), "%Q is unknown");
  EXPECT_EQ(TimePattern::check("%Y %", "", false), "a lone % at the end");
  EXPECT_EQ(TimePattern::check("%Y%m%d", "Europe/Nowhere", true), "there is no time zone \"Europe/Nowhere\"");
}

TEST(TimePattern, writes) {
  auto made = TimePattern::make("%Y/%m/%d %H:%M:%S %z", "Europe/Berlin");
  ASSERT_TRUE(made.has_value());
  std::string out;
  (*made)->format(1774742400000000, out);
  EXPECT_EQ(out, "2026/03/29 01:00:00 +0100");
}

// What the fast path takes, the library takes alike.
TEST(TimePattern, fast_path_agrees_with_the_library) {
  const std::pair<const char*, const char*> patterns[] = {
      {"%Y/%m/%d %H:%M", "UTC"},   {"%d/%b/%Y:%H:%M:%S %z", ""}, {"%Y%m%d%H%M%S", "UTC"},
      {"%Y-%m-%dT%H:%M:%S%z", ""}, {"%b %d %Y", "UTC"},          {"%m/%d/%Y", "UTC"},
      {"%z %Y-%m-%d", ""}};
  std::mt19937 random(5);
  const std::string alphabet = "0123456789/:-+ JanFebMayDecZ";
  int good = 0;
  for (const auto& [pattern, zone] : patterns) {
    auto made = TimePattern::make(pattern, zone);
    ASSERT_TRUE(made.has_value());
    for (int i = 0; i < 20000; ++i) {
      const std::int64_t span = (WEIR_TIME_MAX - WEIR_TIME_MIN) / 1000000;
      const std::int64_t seconds =
          WEIR_TIME_MIN / 1000000 +
          static_cast<std::int64_t>((static_cast<std::uint64_t>(random()) << 32 | random()) %
                                    static_cast<std::uint64_t>(span));
      std::string text;
      (*made)->format(seconds * 1000000, text);
      for (unsigned k = random() % 3; k > 0; --k) {
        const std::size_t at = random() % text.size();
        switch (random() % 3) {
          case 0:
            text[at] = alphabet[random() % alphabet.size()];
            break;
          case 1:
            text.erase(at, 1);
            break;
          default:
            text.insert(at, 1, alphabet[random() % alphabet.size()]);
        }
      }
      std::int64_t fast = 0, slow = 0;
      const std::int32_t code_fast = (*made)->parse(text, &fast);
      const std::int32_t code_slow = (*made)->parse_slowly(text, &slow);
      ASSERT_EQ(code_fast, code_slow) << pattern << ": " << text;
      ASSERT_EQ(fast, slow) << pattern << ": " << text;
      good += code_fast == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(good, 30000);
}

TEST(TimeText, rfc3339) {
  const auto read = [](const std::string& text) {
    std::int64_t micros = 0;
    const std::uint32_t code = parse_rfc3339(text, &micros);
    return code == 0 ? iso(micros) : std::to_string(code);
  };
  EXPECT_EQ(read("2026-01-01T00:00:00Z"), "2026-01-01T00:00:00Z");
  EXPECT_EQ(read("2026-01-01t00:00:00.500z"), "2026-01-01T00:00:00.5Z");
  EXPECT_EQ(read("2026-01-01T00:00:00.1234560Z"), "2026-01-01T00:00:00.123456Z");
  EXPECT_EQ(read("2026-01-01T00:00:00.1234561Z"), "5010");
  EXPECT_EQ(read("2026-01-01T00:00:00+05:30"), "2025-12-31T18:30:00Z");
  EXPECT_EQ(read("1969-12-31T23:59:59.999999Z"), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(read("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00Z");
  EXPECT_EQ(read("0001-01-01T00:00:00+00:01"), "5010");
  EXPECT_EQ(read("0000-12-31T23:59:59Z"), "5010");
  EXPECT_EQ(read("9999-12-31T23:59:59.999999Z"), "9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(read("9999-12-31T23:59:59-00:01"), "5010");
  for (const char* bad :
       {"", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+0100",
        "2026-01-01T00:00:00+24:00", "2026-1-01T00:00:00ZZ", "2026-01-01T00:00:00Z ", "20260101T000000Z000",
        "2026-01-01T00:00:00.5"}) {
    EXPECT_EQ(read(bad), "5016") << bad;
  }
  // The helper takes a subset, with the same values.
  for (const char* good : {"2026-01-01T00:00:00Z", "1969-12-31T23:59:59.9Z", "2024-02-29T12:34:56.123456Z",
                           "0001-01-01T00:00:00Z"}) {
    const std::string padded = std::string(good) + std::string(WEIR_INPUT_PADDING, '1');
    std::int64_t fast = 0, slow = 0;
    ASSERT_EQ(weir_read_timestamp(padded.data(), padded.data() + std::strlen(good), &fast),
              padded.data() + std::strlen(good));
    ASSERT_EQ(parse_rfc3339(good, &slow), 0u);
    EXPECT_EQ(fast, slow);
  }
}

TEST(TimeText, durations) {
  const auto read = [](const std::string& text) -> std::string {
    std::int64_t micros = 0;
    const std::uint32_t code = parse_duration(text, &micros);
    char buffer[WEIR_MAX_DURATION];
    return code == 0 ? std::string(buffer, weir_put_duration(buffer, micros)) : std::to_string(code);
  };
  EXPECT_EQ(read("PT90.5S"), "PT90.5S");
  EXPECT_EQ(read("-PT0.000001S"), "-PT0.000001S");
  EXPECT_EQ(read("PT0S"), "PT0S");
  EXPECT_EQ(read("P1DT2H3M4S"), "PT93784S");
  EXPECT_EQ(read("PT1M"), "PT60S");
  EXPECT_EQ(read("P2D"), "PT172800S");
  EXPECT_EQ(read("PT0.0000001S"), "5009");
  EXPECT_EQ(read("PT99999999999999999S"), "5009");
  for (const char* bad : {"", "P", "PT", "P1", "1S", "PT1", "PTS", "PT1.5M", "PT1S2M", "PT1S1S", "P1DT",
                          "P1Y", "PT-1S", "PT1.S", "p1d"}) {
    EXPECT_EQ(read(bad), "5016") << bad;
  }
  char buffer[WEIR_MAX_DURATION];
  EXPECT_EQ(std::string(buffer, weir_put_duration(buffer, INT64_MIN)), "-PT9223372036854.775808S");
}

}  // namespace
}  // namespace weir::value
