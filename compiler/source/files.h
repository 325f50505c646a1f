// The texts of one compilation and their line tables. Not thread safe; texts never change once added, and
// references and views stay valid for the life of `Files`.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/span.h"

namespace weir::source {

struct Position {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in bytes
};

// One text with its name as the user gave it.
class File {
 public:
  File(FileId id, std::string path, std::string text);

  FileId id() const { return id_; }
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

  // Lines are separated by \n; a \r before it belongs to the line's end. At least one line.
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  // Offset of the first byte of `line` (from 1; beyond the last line: the size of the text).
  std::uint32_t line_start(std::uint32_t line) const;
  // The line without its end. Empty for a line that does not exist.
  std::string_view line_text(std::uint32_t line) const;
  // An offset beyond the text counts as its end.
  Position position(std::uint32_t offset) const;

 private:
  FileId id_;
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

class Files {
 public:
  FileId add(std::string path, std::string text);
  // `id` must come from `add` of this object.
  const File& file(FileId id) const;
  std::size_t size() const { return files_.size(); }

  // Empty text and line 1 for an unknown span.
  std::string_view text(Span span) const;
  Position position(Span span) const;

 private:
  std::deque<File> files_;
};

}  // namespace weir::source
