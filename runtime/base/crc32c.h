#pragma once

#include <cstdint>
#include <string_view>

namespace weir::base {

/// CRC-32C (Castagnoli) of `data`, continuing `before` (0 at the beginning): crc32c(b, crc32c(a)) is the checksum of
/// a followed by b. Uses the processor's instruction where there is one.
std::uint32_t crc32c(std::string_view data, std::uint32_t before = 0);

/// Without the instruction; the same values.
std::uint32_t crc32c_portable(std::string_view data, std::uint32_t before = 0);

}  // namespace weir::base
