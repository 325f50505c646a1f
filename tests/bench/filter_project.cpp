// The hand-written counterpart of filter_project.weir: filter_project INPUT OUTPUT.
#include "baseline.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  baseline::Output out(argv[2]);
  simdjson::ondemand::parser parser;
  baseline::each_line(argv[1], [&](const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    auto bid = parser.iterate(begin, size, size + simdjson::SIMDJSON_PADDING);
    auto object = bid.get_object();
    const std::int64_t auction = object["auction"].get_int64();
    const std::int64_t bidder = object["bidder"].get_int64();
    const std::int64_t price = object["price"].get_int64();
    if (price <= 10000) return;
    const std::string_view url = object["url"].raw_json_token();  // the data has no escapes: copied as it is
    const std::int64_t time = baseline::parse_time(object["dateTime"].get_string());
    char* at = out.room(256 + url.size());
    at = baseline::put(at, "{\"auction\":");
    at = baseline::put(at, auction);
    at = baseline::put(at, ",\"bidder\":");
    at = baseline::put(at, bidder);
    at = baseline::put(at, ",\"price\":");
    at = baseline::put(at, price);
    at = baseline::put(at, ",\"cents\":");
    at = baseline::put(at, price * 908);
    at = baseline::put(at, ",\"dateTime\":\"");
    at = baseline::put_time(at, time);
    at = baseline::put(at, "\",\"url\":");
    at = baseline::put(at, url);
    at = baseline::put(at, "}\n");
    out.advance_to(at);
  });
  return 0;
}
