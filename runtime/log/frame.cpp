#include "runtime/log/frame.h"

#include <fmt/core.h>

#include <charconv>
#include <cstring>

#include "runtime/base/crc32c.h"
#include "runtime/protocol/manifest.h"

namespace weir::log {
namespace {

constexpr std::string_view magic = "WEIRSLOT";
constexpr std::size_t checked = 32;
constexpr std::size_t header = 40;

template <typename T>
void put(std::string& out, T value) {
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) out.push_back(static_cast<char>(value >> (8 * byte)));
}

template <typename T>
T get(std::string_view text, std::size_t at) {
  T value = 0;
  for (std::size_t byte = 0; byte < sizeof(T); ++byte)
    value |= static_cast<T>(static_cast<T>(static_cast<unsigned char>(text[at + byte])) << (8 * byte));
  return value;
}

}  // namespace

std::string encode_frame(std::uint64_t number, protocol::SlotKind kind, std::string_view payload) {
  std::string frame(magic);
  put<std::uint32_t>(frame, protocol::format_version);
  put<std::uint32_t>(frame, static_cast<std::uint32_t>(kind));
  put<std::uint64_t>(frame, number);
  put<std::uint64_t>(frame, payload.size());
  put<std::uint32_t>(frame, base::crc32c(payload, base::crc32c(frame)));
  put<std::uint32_t>(frame, 0);
  return frame.append(payload);
}

Frame decode_frame(std::uint64_t number, std::string_view text) {
  Frame frame;
  if (text.size() < header || !text.starts_with(magic)) return frame;
  frame.version = get<std::uint32_t>(text, 8);
  frame.payload = text.substr(header);
  std::uint32_t sum = base::crc32c(frame.payload, base::crc32c(text.substr(0, checked)));
  bool sound = get<std::uint64_t>(text, 16) == number &&
               get<std::uint64_t>(text, 24) == frame.payload.size() && get<std::uint32_t>(text, 32) == sum &&
               get<std::uint32_t>(text, 36) == 0;
  if (!sound) return frame;
  frame.kind = static_cast<protocol::SlotKind>(get<std::uint32_t>(text, 12));
  frame.state = frame.version == protocol::format_version ? FrameState::whole : FrameState::other_version;
  return frame;
}

std::string slot_name(std::uint64_t number) {
  return fmt::format("{:020}", number);
}

std::uint64_t slot_number(std::string_view name) {
  if (name.size() != 20) return 0;
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

}  // namespace weir::log
