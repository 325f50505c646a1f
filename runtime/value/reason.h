// What is wrong with one value: a 5000s code and a text. Filled without allocating.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "runtime/abi/abi.h"

namespace weir::value {

struct Reason {
  std::uint32_t code = 0;
  std::uint32_t size = 0;
  char text[480];

  // Replaces the text, cut at the buffer's end. Returns the code.
  template <typename... Args>
  std::uint32_t set(std::uint32_t new_code, fmt::format_string<Args...> format, Args&&... args) {
    code = new_code;
    size = 0;
    return add(format, std::forward<Args>(args)...);
  }
  template <typename... Args>
  std::uint32_t add(fmt::format_string<Args...> format, Args&&... args) {
    const auto result =
        fmt::format_to_n(text + size, sizeof text - size, format, std::forward<Args>(args)...);
    size = static_cast<std::uint32_t>(result.out - text);
    return code;
  }
  std::string_view view() const { return {text, size}; }
};

// The begin of a value as it is shown in a message: at most 40 bytes, cut between characters, marked when cut.
struct Shown {
  std::string_view text;
};

// "int", "decimal(12, 2)", "string?", "list<int>", "record"; at most the size of `buffer`.
std::string_view type_name(const weir_type& type, char (&buffer)[64]);

}  // namespace weir::value

template <>
struct fmt::formatter<weir::value::Shown> : fmt::formatter<std::string_view> {
  template <typename Context>
  auto format(weir::value::Shown shown, Context& context) const {
    std::string_view text = shown.text;
    const bool cut = text.size() > 40;
    if (cut) {
      std::size_t size = 40;
      while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
        --size;
      }
      text = text.substr(0, size);
    }
    auto out = context.out();
    for (char c : text) {
      *out++ = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return cut ? fmt::format_to(out, "…") : out;
  }
};
