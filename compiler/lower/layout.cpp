#include "compiler/lower/layout.h"

#include <algorithm>

namespace weir::lower {

using types::Kind;
using types::Type;

namespace {

// Lays `parts` out one after the other, as C does in a struct.
Layout sequence(const std::vector<Layout>& parts, std::vector<std::uint64_t>* offsets) {
  Layout result;
  for (const Layout& part : parts) {
    const std::uint64_t offset = align_up(result.size, part.align);
    if (offsets != nullptr) offsets->push_back(offset);
    result.size = offset + part.size;
    result.align = std::max(result.align, part.align);
  }
  result.size = align_up(result.size, result.align);
  return result;
}

std::vector<Layout> field_layouts(const Type& record) {
  std::vector<Layout> parts;
  parts.reserve(record.fields.size());
  for (const types::Field& field : record.fields) parts.push_back(layout_of(*field.type));
  return parts;
}

constexpr Layout text_layout{16, 8};

}  // namespace

Layout layout_of(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return {1, 1};
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return {8, 8};
    case Kind::kDecimal:
      return is_wide(type) ? Layout{16, 16} : Layout{8, 8};
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      return text_layout;
    case Kind::kRecord:
      return sequence(field_layouts(type), nullptr);
    case Kind::kOptional:
      return sequence({layout_of(*type.element), {1, 1}}, nullptr);
    case Kind::kError:
    case Kind::kNull:
      break;
  }
  return {1, 1};
}

std::vector<std::uint64_t> field_offsets(const Type& record) {
  std::vector<std::uint64_t> offsets;
  sequence(field_layouts(record), &offsets);
  return offsets;
}

std::uint64_t field_offset(const Type& record, int index) {
  return field_offsets(record)[static_cast<std::size_t>(index)];
}

std::uint64_t presence_offset(const Type& optional) {
  return layout_of(*optional.element).size;
}

Layout map_entry_layout(const Type& map) {
  return sequence({text_layout, layout_of(*map.element)}, nullptr);
}

std::uint64_t map_value_offset(const Type& map) {
  return align_up(text_layout.size, layout_of(*map.element).align);
}

}  // namespace weir::lower
