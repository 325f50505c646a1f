// Writes NEXMark-like bids as NDJSON: generate_bids COUNT SEED > FILE. The same arguments give the same bytes.
// One bid every 10 us of event time from 2015-07-15T00:00:00Z, in order, as in the NEXMark generator's fields
// (github.com/nexmark/nexmark): hot auctions and bidders, log-uniform prices, hot and cold channels.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

// SplitMix64 (Steele, Lea, Flood 2014), reseeded per event.
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }
};

void append_time(std::string& out, std::int64_t micros) {
  const std::int64_t day_seconds = 86400;
  std::int64_t seconds = micros / 1000000;
  char text[40];
  // the generated range stays within July 2015
  std::int64_t day = 15 + seconds / day_seconds;
  seconds %= day_seconds;
  std::snprintf(text, sizeof text, "2015-07-%02dT%02d:%02d:%02d.%06dZ", static_cast<int>(day),
                static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60 % 60),
                static_cast<int>(seconds % 60), static_cast<int>(micros % 1000000));
  out += text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: generate_bids COUNT SEED\n", stderr);
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  static const char* const kHot[] = {"Google", "Facebook", "Baidu", "Apple"};
  std::string out;
  for (std::uint64_t id = 0; id < count; ++id) {
    Random random{seed * 0x2545f4914f6cdd1dull + id};
    const std::uint64_t last_auction = id / 46 * 3 + 2;
    const std::uint64_t last_person = id / 46;
    const std::uint64_t low = last_auction > 100 ? last_auction - 100 : 0;
    const std::uint64_t auction =
        random.below(2) == 0 ? last_auction / 100 * 100 : low + random.below(last_auction - low + 11);
    const std::uint64_t active = last_person + 1 < 1000 ? last_person + 1 : 1000;
    const std::uint64_t bidder = random.below(4) != 0 ? last_person / 100 * 100 + 1
                                                      : last_person + 1 - active + random.below(active + 10);
    const double u = static_cast<double>(random.next() >> 11) * 0x1p-53;
    const auto price = static_cast<std::uint64_t>(std::llround(std::pow(10.0, 6 * u) * 100));
    out += "{\"auction\":" + std::to_string(auction + 1000) + ",\"bidder\":" + std::to_string(bidder + 1000) +
           ",\"price\":" + std::to_string(price) + ",\"channel\":\"";
    if (random.below(2) == 0) {
      const char* hot = kHot[random.below(4)];
      out += std::string(hot) + "\",\"url\":\"https://www.nexmark.com/" + hot + "/item.htm?query=1";
    } else {
      const std::uint64_t channel = random.below(10000);
      out += "channel-" + std::to_string(channel) +
             "\",\"url\":\"https://www.nexmark.com/a/b/c/item.htm?query=1";
      if (random.below(10) != 0) out += "&channel_id=" + std::to_string(channel * 7919 % 1000003);
    }
    out += "\",\"dateTime\":\"";
    append_time(out, static_cast<std::int64_t>(id) * 10);
    out += "\",\"extra\":\"";
    const std::uint64_t extra = 50 + random.below(36);
    for (std::uint64_t i = 0; i < extra; ++i) out += static_cast<char>('a' + random.below(26));
    out += "\"}\n";
    if (out.size() > (1u << 20)) {
      std::fwrite(out.data(), 1, out.size(), stdout);
      out.clear();
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return 0;
}
