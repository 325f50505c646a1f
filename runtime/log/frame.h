#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/protocol/slot.h"

namespace weir::log {

/// The block that a slot file is: header (40 bytes, little endian) and payload.
///    0  8  "WEIRSLOT"
///    8  4  format version
///   12  4  kind
///   16  8  slot number
///   24  8  payload length
///   32  4  CRC32C of bytes 0-31 and the payload
///   36  4  zero
///   40  n  payload
std::string encode_frame(std::uint64_t number, protocol::SlotKind kind, std::string_view payload);

enum class FrameState {
  whole,
  damaged,        // torn, truncated, flipped, or another number than expected
  other_version,  // whole as far as can be told, but of a version that this program does not know
};

struct Frame {
  FrameState state = FrameState::damaged;
  protocol::SlotKind kind = protocol::SlotKind::fence;
  std::uint32_t version = 0;
  std::string_view payload;  // into the text that was decoded
};

Frame decode_frame(std::uint64_t number, std::string_view text);

/// The name of a slot's file: the number in 20 digits. 0: not such a name.
std::string slot_name(std::uint64_t number);
std::uint64_t slot_number(std::string_view name);

}  // namespace weir::log
