// Small helpers for text that several stages need. Pure functions; bytes are UTF-8 unless said otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::base {

// Number of single-byte insertions, deletions, substitutions and neighbour swaps between `a` and `b`.
// Compares at most the first 64 bytes of each.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, or "" if none is near enough to be what was meant
// (distance at most a third of the word's length, at least 1). Ties go to the earlier candidate.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

// "`a`, `b` or `c`"; `conjunction` is the last joint, for example "or". Empty for no items.
std::string join_choices(const std::vector<std::string>& items, std::string_view conjunction);

struct CodePoint {
  char32_t value = 0;
  std::uint8_t length = 1;  // bytes taken; 1 for a byte that is not part of valid UTF-8
  bool valid = false;
};

// The code point that starts at `text[at]`; requires at < text.size().
CodePoint decode_utf8(std::string_view text, std::size_t at);

// Offset of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

// Appends `value` as UTF-8; surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t value);

// Terminal columns that `value` takes: 0 for combining marks, 2 for wide East Asian and emoji, else 1.
int display_width(char32_t value);

}  // namespace weir::base
