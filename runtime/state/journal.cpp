#include "runtime/state/journal.h"

#include <bit>
#include <cstring>

namespace weir::state {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t head_size = 4 * sizeof(std::uint64_t);

template <typename Integer>
void put(std::string& out, Integer value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}

void put_text(std::string& out, std::string_view text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

template <typename Integer>
bool take(std::string_view& in, Integer& value) {
  if (in.size() < sizeof value) return false;
  std::memcpy(&value, in.data(), sizeof value);
  in.remove_prefix(sizeof value);
  return true;
}

bool take_text(std::string_view& in, std::string_view& text) {
  std::uint32_t size = 0;
  if (!take(in, size) || in.size() < size) return false;
  text = in.substr(0, size);
  in.remove_prefix(size);
  return true;
}

template <typename Visit>
bool take_pairs(std::string_view& in, std::uint64_t count, const Visit& visit) {
  for (std::uint64_t at = 0; at < count; ++at) {
    std::string_view first;
    std::string_view second;
    if (!take_text(in, first) || !take_text(in, second)) return false;
    visit(first, second);
  }
  return true;
}

}  // namespace

std::uint64_t entry_size(std::span<const Delta> deltas) {
  std::uint64_t size = head_size;
  for (const Delta& delta : deltas) {
    size += delta.bytes.size() + 2 * sizeof(std::uint32_t) * (delta.rows.size() + delta.dropped.size());
    for (const Delta::Range& range : delta.dropped) size += range.from.size() + range.to.size();
  }
  return size;
}

void append_entry(std::string& out, std::uint64_t epoch, std::span<const Delta> deltas) {
  std::uint64_t rows = 0;
  std::uint64_t ranges = 0;
  for (const Delta& delta : deltas) {
    rows += delta.rows.size();
    ranges += delta.dropped.size();
  }
  std::size_t begin = out.size();
  out.reserve(begin + entry_size(deltas));
  put(out, std::uint64_t{0});
  put(out, epoch);
  put(out, ranges);
  put(out, rows);
  for (const Delta& delta : deltas)
    for (const Delta::Range& range : delta.dropped) {
      put_text(out, range.from);
      put_text(out, range.to);
    }
  for (const Delta& delta : deltas)
    for (const Delta::Row& row : delta.rows) {
      put_text(out, delta.key(row));
      put_text(out, delta.value(row));
    }
  std::uint64_t length = out.size() - begin - sizeof length;
  std::memcpy(out.data() + begin, &length, sizeof length);
}

bool read_entries(std::string_view journal, const EntryVisitor& visitor) {
  while (!journal.empty()) {
    std::uint64_t length = 0;
    if (!take(journal, length) || journal.size() < length) return false;
    std::string_view entry = journal.substr(0, length);
    journal.remove_prefix(length);
    std::uint64_t epoch = 0;
    std::uint64_t ranges = 0;
    std::uint64_t rows = 0;
    if (!take(entry, epoch) || !take(entry, ranges) || !take(entry, rows)) return false;
    if (!take_pairs(entry, ranges, visitor.dropped) || !take_pairs(entry, rows, visitor.row)) return false;
    if (!entry.empty()) return false;
    visitor.entry_done();
  }
  return true;
}

}  // namespace weir::state
