#include "compiler/source/files.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace weir::source {

File::File(FileId id, std::string path, std::string text)
    : id_(id), path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t File::line_start(std::uint32_t line) const {
  assert(line >= 1);
  return line <= line_starts_.size() ? line_starts_[line - 1] : static_cast<std::uint32_t>(text_.size());
}

std::string_view File::line_text(std::uint32_t line) const {
  const std::uint32_t from = line_start(line);
  std::string_view text = std::string_view(text_).substr(from, line_start(line + 1) - from);
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

Position File::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  return {line, offset - line_starts_[line - 1] + 1};
}

FileId Files::add(std::string path, std::string text) {
  const FileId id{static_cast<std::int32_t>(files_.size())};
  files_.emplace_back(id, std::move(path), std::move(text));
  return id;
}

const File& Files::file(FileId id) const {
  assert(id.value >= 0 && static_cast<std::size_t>(id.value) < files_.size());
  return files_[static_cast<std::size_t>(id.value)];
}

std::string_view Files::text(Span span) const {
  if (!span.is_known()) return {};
  const std::string_view text = file(span.file).text();
  return span.offset <= text.size() ? text.substr(span.offset, span.length) : std::string_view{};
}

Position Files::position(Span span) const {
  return span.is_known() ? file(span.file).position(span.offset) : Position{};
}

}  // namespace weir::source
