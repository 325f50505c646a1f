// Where something stands in a source text: a file and a byte range. Plain values, cheap to copy.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace weir::source {

// Index of a file in `Files`. -1 = no file (a node that no text stands for).
struct FileId {
  std::int32_t value = -1;
  friend auto operator<=>(const FileId&, const FileId&) = default;
};

struct Span {
  FileId file;
  std::uint32_t offset = 0;  // bytes from the start of the file
  std::uint32_t length = 0;  // bytes

  std::uint32_t end() const { return offset + length; }
  bool is_known() const { return file.value >= 0; }
  friend auto operator<=>(const Span&, const Span&) = default;
};

// The smallest span that holds both; one that is unknown (or of another file) is ignored.
inline Span cover(Span a, Span b) {
  if (!a.is_known()) return b;
  if (!b.is_known() || a.file != b.file) return a;
  const std::uint32_t from = std::min(a.offset, b.offset);
  return {a.file, from, std::max(a.end(), b.end()) - from};
}

// The empty span just before / just after `span`, for insertions.
inline Span before(Span span) {
  return {span.file, span.offset, 0};
}
inline Span after(Span span) {
  return {span.file, span.end(), 0};
}

}  // namespace weir::source
