#include "runtime/state/row_key.h"

namespace weir::state {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

void append_big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = (bytes - 1) * 8; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

std::uint64_t read_big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

}  // namespace

void append_row_key(std::string& out, const RowKey& key) {
  append_big_endian(out, key.operator_id, 4);
  append_big_endian(out, static_cast<std::uint64_t>(key.window_end) ^ sign, 8);
  append_big_endian(out, key.group, 2);
  out.append(key.key);
}

std::optional<RowKey> parse_row_key(std::string_view bytes) {
  if (bytes.size() < row_key_prefix) return std::nullopt;
  RowKey key;
  key.operator_id = static_cast<std::uint32_t>(read_big_endian(bytes.substr(0, 4)));
  key.window_end = static_cast<std::int64_t>(read_big_endian(bytes.substr(4, 8)) ^ sign);
  key.group = static_cast<std::uint16_t>(read_big_endian(bytes.substr(12, 2)));
  key.key = bytes.substr(row_key_prefix);
  return key;
}

}  // namespace weir::state
