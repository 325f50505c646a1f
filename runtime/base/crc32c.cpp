#include "runtime/base/crc32c.h"

#include <array>
#include <cstring>

namespace weir::base {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected

/// tables[k][b]: the checksum of byte b followed by k zero bytes.
constexpr auto make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = (crc >> 8) ^ tables[0][crc & 0xff];
    }
  return tables;
}

constexpr auto tables = make_tables();

std::uint64_t load64(const char* from) {
  std::uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse(std::string_view data, std::uint32_t before) {
  std::uint64_t crc = ~before;
  const char* at = data.data();
  const char* end = at + data.size();
  for (; end - at >= 8; at += 8) crc = __builtin_ia32_crc32di(crc, load64(at));
  auto narrow = static_cast<std::uint32_t>(crc);
  for (; at != end; ++at) narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*at));
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_portable(std::string_view data, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const char* at = data.data();
  const char* end = at + data.size();
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = load64(at) ^ crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; at != end; ++at) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<unsigned char>(*at)) & 0xff];
  return ~crc;
}

std::uint32_t crc32c(std::string_view data, std::uint32_t before) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_sse(data, before);
#endif
  return crc32c_portable(data, before);
}

}  // namespace weir::base
