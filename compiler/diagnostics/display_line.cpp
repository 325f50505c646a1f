#include "compiler/diagnostics/display_line.h"

#include <algorithm>

#include <fmt/core.h>

#include "compiler/base/text.h"

namespace weir::diagnostics {

namespace {

// Characters that would change what the reader sees are spelt out.
bool is_treacherous(char32_t c) {
  return c < 0x20 || c == 0x7F || (c >= 0x80 && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF || c == 0x061C;
}

}  // namespace

DisplayLine::DisplayLine(std::string_view line, int tab_width) {
  std::size_t column = 0;
  for (std::size_t at = 0; at < line.size();) {
    const base::CodePoint point = base::decode_utf8(line, at);
    Piece piece{column, 1, text_.size(), 0};
    if (point.value == '\t') {
      piece.width = static_cast<std::size_t>(tab_width) - column % static_cast<std::size_t>(tab_width);
      text_.append(piece.width, ' ');
    } else if (is_treacherous(point.value)) {
      const std::string shown = fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
      text_ += shown;
      piece.width = shown.size();
    } else {
      base::append_utf8(text_, point.value);
      piece.width = static_cast<std::size_t>(base::display_width(point.value));
    }
    piece.length = text_.size() - piece.from;
    pieces_.push_back(piece);
    starts_.insert(starts_.end(), point.length, column);
    column += piece.width;
    at += point.length;
  }
  starts_.push_back(column);
}

std::size_t DisplayLine::column(std::size_t offset) const {
  return offset < starts_.size() ? starts_[offset] : starts_.back() + (offset - (starts_.size() - 1));
}

std::string DisplayLine::slice(std::size_t from, std::size_t to) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    const std::size_t end = piece.column + piece.width;
    if (end < from || piece.column >= to || (end == from && piece.width > 0)) continue;
    if (piece.column >= from && end <= to) {
      out.append(text_, piece.from, piece.length);
    } else {
      out.append(std::min(end, to) - std::max(piece.column, from), ' ');
    }
  }
  return out;
}

}  // namespace weir::diagnostics
