// One source line as a terminal shows it: tabs expanded, control characters made visible, widths counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir::diagnostics {

class DisplayLine {
 public:
  DisplayLine(std::string_view line, int tab_width);

  // Column (from 0) at which the byte `offset` of the line begins; beyond the end: the column after the last,
  // one more for each byte further (so that an empty span at the end of a line can be marked).
  std::size_t column(std::size_t offset) const;

  std::size_t width() const { return starts_.back(); }

  // The columns from `from` up to, not including, `to`. A wide character that is cut becomes spaces.
  std::string slice(std::size_t from, std::size_t to) const;

  const std::string& text() const { return text_; }

 private:
  struct Piece {
    std::size_t column;
    std::size_t width;
    std::size_t from;  // in text_
    std::size_t length;
  };
  std::string text_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> starts_;  // per byte of the line, one more for its end
};

}  // namespace weir::diagnostics
