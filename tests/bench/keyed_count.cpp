// The hand-written counterpart of keyed_count.weir: keyed_count INPUT OUTPUT. Input in order of time.
#include <algorithm>

#include "baseline.h"

namespace {

// Open addressing, linear probing, key 0 = empty (auctions begin at 1000).
class Counts {
 public:
  Counts() : slots_(1u << 16) {}
  void add(std::int64_t key) {
    for (std::size_t i = place(key);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.key == key) {
        ++slot.count;
        return;
      }
      if (slot.key == 0) {
        slot = {key, 1};
        if (++used_ * 2 > slots_.size()) grow();
        return;
      }
    }
  }
  struct Slot {
    std::int64_t key = 0;
    std::int64_t count = 0;
  };
  std::vector<Slot> take_sorted() {
    std::vector<Slot> rows;
    rows.reserve(used_);
    for (Slot& slot : slots_) {
      if (slot.key != 0) rows.push_back(slot);
      slot = {};
    }
    used_ = 0;
    std::sort(rows.begin(), rows.end(), [](const Slot& a, const Slot& b) { return a.key < b.key; });
    return rows;
  }

 private:
  std::size_t place(std::int64_t key) const {
    return (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15ull >> 20) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key == 0) continue;
      std::size_t i = place(slot.key);
      while (slots_[i].key != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

constexpr std::int64_t kMinute = 60'000'000;

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  baseline::Output out(argv[2]);
  simdjson::ondemand::parser parser;
  Counts counts;
  std::int64_t window = -1;
  auto close = [&] {
    for (const Counts::Slot& row : counts.take_sorted()) {
      char* at = out.room(192);
      at = baseline::put(at, "{\"auction\":");
      at = baseline::put(at, row.key);
      at = baseline::put(at, ",\"window\":{\"start\":\"");
      at = baseline::put_time(at, window * kMinute);
      at = baseline::put(at, "\",\"end\":\"");
      at = baseline::put_time(at, (window + 1) * kMinute);
      at = baseline::put(at, "\"},\"bids\":");
      at = baseline::put(at, row.count);
      at = baseline::put(at, "}\n");
      out.advance_to(at);
    }
  };
  baseline::each_line(argv[1], [&](const char* begin, const char* end) {
    const auto size = static_cast<std::size_t>(end - begin);
    auto bid = parser.iterate(begin, size, size + simdjson::SIMDJSON_PADDING);
    auto object = bid.get_object();
    const std::int64_t auction = object["auction"].get_int64();
    const std::int64_t minute = baseline::parse_time(object["dateTime"].get_string()) / kMinute;
    if (minute != window) {
      if (window >= 0) close();
      window = minute;
    }
    counts.add(auction);
  });
  if (window >= 0) close();
  return 0;
}
