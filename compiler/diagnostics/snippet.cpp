#include "compiler/diagnostics/snippet.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "compiler/diagnostics/display_line.h"

namespace weir::diagnostics {

namespace {

constexpr std::size_t widest_line = 150;  // columns of source text; longer lines are cut around their marks
constexpr std::size_t context_before_mark = 40;

// A span in lines and columns of one file.
struct Mark {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::size_t first_offset = 0;  // in its line, bytes
  std::size_t last_offset = 0;   // in its line, bytes, exclusive
  std::string label;
  bool primary = false;
  std::size_t lane = 0;  // of a mark over several lines: its place in the margin

  bool is_multi() const { return first_line != last_line; }
};

Mark to_mark(const Label& label, const source::File& file, bool primary) {
  Mark mark;
  const source::Position start = file.position(label.span.offset);
  // A span that ends just after a line's end belongs to that line.
  source::Position end = file.position(label.span.end());
  if (label.span.length > 0 && end.column == 1 && end.line > start.line) {
    end.line -= 1;
    end.column = static_cast<std::uint32_t>(file.line_text(end.line).size()) + 1;
  }
  mark.first_line = start.line;
  mark.last_line = end.line;
  mark.first_offset = start.column - 1;
  mark.last_offset = end.column - 1;
  if (!mark.is_multi() && mark.last_offset <= mark.first_offset) mark.last_offset = mark.first_offset + 1;
  mark.label = label.text;
  mark.primary = primary;
  return mark;
}

// Cells of one row below a source line.
class Row {
 public:
  void put(std::size_t column, char cell, const std::string& colour) {
    cells_[column] = {std::string(1, cell), colour};
  }
  void put_text(std::size_t column, const std::string& text, const std::string& colour) {
    if (!text.empty()) cells_[column] = {text, colour};
  }
  bool empty() const { return cells_.empty(); }

  std::string str(const Palette& palette) const {
    std::string out;
    std::size_t at = 0;
    const std::string* colour = nullptr;
    for (const auto& [column, cell] : cells_) {
      if (column > at) {
        if (colour != nullptr && !colour->empty()) out += palette.reset;
        colour = nullptr;
        out.append(column - at, ' ');
        at = column;
      }
      if (colour == nullptr || *colour != cell.colour) {
        if (colour != nullptr && !colour->empty()) out += palette.reset;
        out += cell.colour;
        colour = &cell.colour;
      }
      out += cell.text;
      at += cell.text.size();  // a text is the last cell of its row or stands far enough left
    }
    if (colour != nullptr && !colour->empty()) out += palette.reset;
    return out;
  }

 private:
  struct Cell {
    std::string text;
    std::string colour;
  };
  std::map<std::size_t, Cell> cells_;
};

class Drawing {
 public:
  Drawing(const source::File& file, std::vector<Mark> marks, std::size_t number_width, Severity severity,
          const Palette& palette, const RenderOptions& options)
      : file_(file),
        marks_(std::move(marks)),
        width_(number_width),
        severity_(severity),
        palette_(palette),
        options_(options) {
    assign_lanes();
  }

  std::string draw() {
    std::uint32_t last = 0;
    for (const std::uint32_t line : lines()) {
      if (last != 0 && line == last + 2) {
        draw_line(last + 1);  // one line is shorter than the dots
      } else if (last != 0 && line > last + 1) {
        out_ += fmt::format("{}...{}{}\n", palette_.frame, palette_.reset, margin_between(last));
      }
      draw_line(line);
      last = line;
    }
    return std::move(out_);
  }

 private:
  // The inner lines of a long mark are left out.
  std::set<std::uint32_t> lines() const {
    std::set<std::uint32_t> all;
    for (const Mark& mark : marks_) {
      all.insert(mark.first_line);
      all.insert(mark.last_line);
      if (mark.is_multi() && mark.last_line - mark.first_line <= 6) {
        for (std::uint32_t line = mark.first_line; line < mark.last_line; ++line) all.insert(line);
      } else if (mark.is_multi()) {
        all.insert({mark.first_line + 1, mark.first_line + 2, mark.last_line - 1});
      }
    }
    return all;
  }

  void assign_lanes() {
    std::vector<Mark*> multi;
    for (Mark& mark : marks_) {
      if (mark.is_multi()) multi.push_back(&mark);
    }
    std::stable_sort(multi.begin(), multi.end(), [](const Mark* a, const Mark* b) {
      return a->last_line - a->first_line > b->last_line - b->first_line;
    });
    for (std::size_t i = 0; i < multi.size(); ++i) multi[i]->lane = i;
    lanes_ = multi.size();
  }

  const std::string& colour(const Mark& mark) const {
    return mark.primary ? palette_.severity(severity_) : palette_.secondary;
  }

  bool starts_its_line(const Mark& mark) const {
    const std::string_view text = file_.line_text(mark.first_line);
    return text.find_first_not_of(" \t") >= mark.first_offset;
  }

  // The margin left of the text: one lane for each mark over several lines. `inside(mark)` chooses its sign.
  template <typename Sign>
  std::string margin(Sign sign) const {
    if (lanes_ == 0) return "";
    std::vector<std::string> cells(lanes_, " ");
    for (const Mark& mark : marks_) {
      if (!mark.is_multi()) continue;
      const char c = sign(mark);
      if (c != ' ') cells[mark.lane] = colour(mark) + c + palette_.reset;
    }
    std::string out;
    for (const std::string& cell : cells) out += cell;
    return out + " ";
  }

  std::string margin_between(std::uint32_t line) const {
    std::string out =
        margin([&](const Mark& m) { return m.first_line <= line && line < m.last_line ? '|' : ' '; });
    return out.find('|') == std::string::npos ? "" : std::string(width_, ' ') + out;
  }

  std::string bar(const std::string& number = "") const {
    return fmt::format("{}{:>{}} |{}", palette_.frame, number, width_, palette_.reset);
  }

  void emit(const std::string& prefix, const std::string& lane_text, const std::string& text) {
    std::string line = prefix;
    const std::string rest = (lane_text.empty() ? " " : " " + lane_text) + text;
    const std::size_t end = rest.find_last_not_of(' ');
    if (end != std::string::npos) line += rest.substr(0, end + 1);
    out_ += line + '\n';
  }

  // The part of a very long line that is looked at; moves `cut_` to its first byte.
  std::string_view part_of_line(std::uint32_t number) {
    const std::string_view whole = file_.line_text(number);
    cut_ = 0;
    if (whole.size() <= 5000) return whole;
    std::size_t first = whole.size();
    for (const Mark& mark : marks_) {
      if (mark.first_line == number) first = std::min(first, mark.first_offset);
      if (mark.last_line == number && mark.is_multi()) first = std::min(first, mark.last_offset);
    }
    if (first < whole.size() && first > 1000) cut_ = first - 1000;
    while (cut_ > 0 && (static_cast<unsigned char>(whole[cut_]) & 0xC0) == 0x80) --cut_;
    return whole.substr(cut_, 4000);
  }

  std::size_t column(const DisplayLine& display, std::size_t offset) const {
    return display.column(offset > cut_ ? offset - cut_ : 0);
  }

  void draw_line(std::uint32_t number) {
    const DisplayLine display(part_of_line(number), options_.tab_width);
    std::vector<const Mark*> here;
    for (const Mark& mark : marks_) {
      if (!mark.is_multi() && mark.first_line == number) here.push_back(&mark);
    }
    const auto [from, to] = window(display, number, here);
    std::string text = display.slice(from, to);
    if (from > 0) text = "..." + text;
    if (to < display.width()) text += "...";
    shift_ = from > 0 ? from - 3 : 0;

    emit(bar(std::to_string(number)), margin([&](const Mark& m) {
           if (m.first_line == number) return starts_its_line(m) ? '/' : ' ';
           return m.first_line < number && number <= m.last_line ? '|' : ' ';
         }),
         text);
    draw_single(number, display, here);
    draw_multi(number, display);
  }

  // The columns of a long line to show.
  std::pair<std::size_t, std::size_t> window(const DisplayLine& display, std::uint32_t number,
                                             const std::vector<const Mark*>& here) const {
    if (display.width() <= widest_line) return {0, display.width()};
    std::size_t first = display.width();
    for (const Mark* mark : here) {
      if (mark->primary || first == display.width())
        first = std::min(first, column(display, mark->first_offset));
    }
    for (const Mark& mark : marks_) {
      if (mark.is_multi() && mark.first_line == number)
        first = std::min(first, column(display, mark.first_offset));
      if (mark.is_multi() && mark.last_line == number)
        first = std::min(first, column(display, mark.last_offset));
    }
    if (first == display.width() && here.empty()) first = 0;
    const std::size_t from = first > context_before_mark + 3 ? first - context_before_mark : 0;
    return {from, std::min(display.width(), from + widest_line)};
  }

  std::size_t shown(std::size_t column) const {
    const std::size_t limit = widest_line + 5;
    return std::min(column > shift_ ? column - shift_ : 0, shift_ > 0 || column > limit ? limit : column);
  }

  std::string inner_margin(std::uint32_t number) const {
    return margin([&](const Mark& m) {
      const bool opened = m.first_line < number || (m.first_line == number && starts_its_line(m));
      return opened && number <= m.last_line ? '|' : ' ';
    });
  }

  // Underlines of the marks within one line, then their labels: the rightmost beside its underline, the others
  // hanging below, right to left.
  void draw_single(std::uint32_t number, const DisplayLine& display, std::vector<const Mark*> marks) {
    if (marks.empty()) return;
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark* a, const Mark* b) { return a->first_offset < b->first_offset; });
    const auto start = [&](const Mark* m) { return shown(column(display, m->first_offset)); };
    const auto end = [&](const Mark* m) {
      return std::max(shown(column(display, m->last_offset)), start(m) + 1);
    };

    Row underline;
    for (const bool primary : {false, true}) {
      for (const Mark* mark : marks) {
        if (mark->primary != primary) continue;
        for (std::size_t c = start(mark); c < end(mark); ++c)
          underline.put(c, primary ? '^' : '-', colour(*mark));
      }
    }
    std::vector<const Mark*> hanging;
    for (const Mark* mark : marks) {
      if (!mark->label.empty()) hanging.push_back(mark);
    }
    if (!hanging.empty()) {
      const Mark* last = hanging.back();
      const bool clear = std::all_of(marks.begin(), marks.end(),
                                     [&](const Mark* m) { return m == last || end(m) <= start(last); });
      if (clear) {
        underline.put_text(end(last) + 1, last->label, colour(*last));
        hanging.pop_back();
      }
    }
    emit(bar(), inner_margin(number), underline.str(palette_));
    if (hanging.empty()) return;

    const auto stems = [&](std::size_t count, Row& row) {
      for (std::size_t i = 0; i < count; ++i) row.put(start(hanging[i]), '|', colour(*hanging[i]));
    };
    Row first;
    stems(hanging.size(), first);
    emit(bar(), inner_margin(number), first.str(palette_));
    for (std::size_t i = hanging.size(); i-- > 0;) {
      Row row;
      stems(i, row);
      // A label must not run over a stem to its right: there is none, they go right to left.
      row.put_text(start(hanging[i]), hanging[i]->label, colour(*hanging[i]));
      emit(bar(), inner_margin(number), row.str(palette_));
    }
  }

  // The corners of marks over several lines that begin or end on this line.
  void draw_multi(std::uint32_t number, const DisplayLine& display) {
    for (const Mark& mark : marks_) {
      if (!mark.is_multi() || mark.first_line != number || starts_its_line(mark)) continue;
      const std::size_t start = shown(column(display, mark.first_offset));
      emit(bar(), corner_margin(mark, number, ' '), line_to(mark, start));
    }
    for (const Mark& mark : marks_) {
      if (!mark.is_multi() || mark.last_line != number) continue;
      const std::size_t end = shown(column(display, mark.last_offset));
      std::string text = line_to(mark, end > 0 ? end - 1 : 0);
      if (!mark.label.empty()) text += " " + colour(mark) + mark.label + palette_.reset;
      emit(bar(), corner_margin(mark, number, '|'), text);
    }
  }

  std::string line_to(const Mark& mark, std::size_t column) const {
    return colour(mark) + std::string(column, '_') + (mark.primary ? '^' : '-') + palette_.reset;
  }

  // The margin of a corner's row: lanes right of the mark's own are crossed by its line.
  std::string corner_margin(const Mark& corner, std::uint32_t number, char own) const {
    std::string out;
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      char c = lane > corner.lane ? '_' : ' ';
      const std::string* paint = &colour(corner);
      for (const Mark& mark : marks_) {
        if (!mark.is_multi() || mark.lane != lane) continue;
        const bool open =
            (mark.first_line < number || (mark.first_line == number && starts_its_line(mark))) &&
            number <= mark.last_line;
        if (&mark == &corner) {
          c = own;
        } else if (open && lane < corner.lane) {
          c = '|';
          paint = &colour(mark);
        }
      }
      out += c == ' ' ? std::string(" ") : *paint + c + palette_.reset;
    }
    return out + colour(corner) + "_" + palette_.reset;
  }

  const source::File& file_;
  std::vector<Mark> marks_;
  std::size_t width_;
  Severity severity_;
  const Palette& palette_;
  const RenderOptions& options_;
  std::size_t lanes_ = 0;
  std::size_t cut_ = 0;    // bytes left out at the start of the current line
  std::size_t shift_ = 0;  // columns cut at the left of the current line
  std::string out_;
};

}  // namespace

Palette Palette::of(bool colour) {
  if (!colour) return {};
  return {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;32m", "\x1b[1;34m", "\x1b[1;36m",
          "\x1b[32m",   "\x1b[31m",   "\x1b[1m",    "\x1b[0m"};
}

const std::string& Palette::severity(Severity severity) const {
  switch (severity) {
    case Severity::error:
      return error;
    case Severity::warning:
      return warning;
    case Severity::note:
      return note;
  }
  return error;
}

std::size_t number_width(const Diagnostic& diagnostic, const source::Files& files) {
  std::uint32_t largest = 1;
  const auto see = [&](source::Span span) {
    if (span.is_known()) largest = std::max(largest, files.file(span.file).position(span.end()).line);
  };
  see(diagnostic.primary.span);
  for (const Label& label : diagnostic.secondary) see(label.span);
  for (const Suggestion& suggestion : diagnostic.suggestions) {
    for (const Edit& edit : suggestion.edits) see(edit.span);
  }
  return std::to_string(largest).size();
}

std::string draw_snippet(const Diagnostic& diagnostic, const source::Files& files, std::size_t width,
                         const Palette& palette, const RenderOptions& options) {
  if (!diagnostic.primary.span.is_known()) return "";
  std::vector<source::FileId> order{diagnostic.primary.span.file};
  for (const Label& label : diagnostic.secondary) {
    if (std::find(order.begin(), order.end(), label.span.file) == order.end())
      order.push_back(label.span.file);
  }
  std::string out;
  for (const source::FileId id : order) {
    const source::File& file = files.file(id);
    std::vector<Mark> marks;
    source::Span head;
    if (diagnostic.primary.span.file == id) {
      head = diagnostic.primary.span;
      marks.push_back(to_mark(diagnostic.primary, file, true));
    }
    for (const Label& label : diagnostic.secondary) {
      if (label.span.file != id) continue;
      if (!head.is_known()) head = label.span;
      marks.push_back(to_mark(label, file, false));
    }
    const source::Position position = file.position(head.offset);
    const bool first = id == order.front();
    out += fmt::format("{}{}{} {}{}:{}:{}\n", std::string(width, ' '), palette.frame,
                       first ? "-->" : ":::", palette.reset, file.path(), position.line, position.column);
    out += fmt::format("{}{} |{}\n", palette.frame, std::string(width, ' '), palette.reset);
    out += Drawing(file, std::move(marks), width, diagnostic.severity, palette, options).draw();
  }
  return out;
}

std::string draw_suggestion(const Suggestion& suggestion, const source::Files& files, std::size_t width,
                            const Palette& palette, const RenderOptions& options) {
  std::string out = fmt::format("{}help{}: {}\n", palette.secondary, palette.reset, suggestion.message);
  std::set<source::FileId> touched;
  for (const Edit& edit : suggestion.edits) {
    if (edit.span.is_known()) touched.insert(edit.span.file);
  }
  const std::string empty_bar =
      fmt::format("{}{} |{}\n", palette.frame, std::string(width, ' '), palette.reset);
  for (const source::FileId id : touched) {
    const source::File& before = files.file(id);
    const source::File after(id, before.path(), apply(suggestion, before));
    // Equal lines at both ends are left out; what is between them is the change.
    const std::uint32_t old_count = before.line_count();
    const std::uint32_t new_count = after.line_count();
    std::uint32_t same = 0;
    while (same < std::min(old_count, new_count) && before.line_text(same + 1) == after.line_text(same + 1))
      ++same;
    std::uint32_t tail = 0;
    while (tail < std::min(old_count, new_count) - same &&
           before.line_text(old_count - tail) == after.line_text(new_count - tail)) {
      ++tail;
    }
    out += empty_bar;
    const auto line = [&](char sign, std::uint32_t number, std::string_view text, const std::string& colour) {
      const DisplayLine display(text, options.tab_width);
      std::string shown = display.slice(0, widest_line);
      if (display.width() > widest_line) shown += "...";
      std::string row = fmt::format("{}{:>{}}{} {}{} {}{}", palette.frame, number, width, palette.reset,
                                    colour, sign, shown, palette.reset);
      while (row.ends_with(' ')) row.pop_back();
      out += row + '\n';
    };
    // Changes that stand apart are drawn apart: with equal line counts line by line, else as one block.
    if (old_count == new_count) {
      std::uint32_t last = 0;
      for (std::uint32_t n = same + 1; n + tail <= old_count; ++n) {
        if (before.line_text(n) == after.line_text(n)) continue;
        if (last != 0 && n > last + 1) out += fmt::format("{}...{}\n", palette.frame, palette.reset);
        line('-', n, before.line_text(n), palette.removed);
        line('+', n, after.line_text(n), palette.added);
        last = n;
      }
    } else {
      for (std::uint32_t n = same + 1; n + tail <= old_count; ++n)
        line('-', n, before.line_text(n), palette.removed);
      for (std::uint32_t n = same + 1; n + tail <= new_count; ++n)
        line('+', n, after.line_text(n), palette.added);
    }
  }
  return out;
}

}  // namespace weir::diagnostics
