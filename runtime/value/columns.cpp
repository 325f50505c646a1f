#include "runtime/value/columns.h"

#include <cstring>

#include "runtime/value/helpers.h"
#include "runtime/value/scalar_text.h"
#include "runtime/value/text.h"

namespace weir::value {

namespace {

bool add_columns(const weir_type& record, const std::string& prefix, std::uint32_t offset,
                 std::vector<Column>& columns, std::string& error) {
  for (std::uint32_t i = 0; i < record.field_count; ++i) {
    const weir_field& field = record.fields[i];
    const std::string name = prefix + std::string(field.wire_name.data, field.wire_name.size);
    const bool optional = field.type->kind == WEIR_OPTIONAL;
    const weir_type* type = optional ? field.type->element : field.type;
    if (type->kind == WEIR_RECORD && !optional) {
      if (!add_columns(*type, name + ".", offset + field.offset, columns, error)) {
        return false;
      }
      continue;
    }
    if (type->kind == WEIR_RECORD || type->kind == WEIR_LIST || type->kind == WEIR_MAP) {
      char buffer[64];
      error = "the field `" + name + "` is of type " + std::string(type_name(*field.type, buffer)) +
              ", which a text format cannot hold";
      return false;
    }
    columns.push_back({name, offset + field.offset, type, optional});
  }
  return true;
}

}  // namespace

std::expected<std::vector<Column>, std::string> columns_of(const weir_type& record) {
  std::vector<Column> columns;
  std::string error;
  if (!add_columns(record, "", 0, columns, error)) {
    return std::unexpected(std::move(error));
  }
  return columns;
}

std::uint32_t fill_column(weir_worker* worker, const Column& column, std::string_view text, bool absent,
                          std::uint64_t at, char* frame, Reason& reason) {
  Reason inner;
  if (absent) {
    if (column.optional) {
      return 0;
    }
    char name[64];
    inner.set(5003, "absent, but the type {} is not optional", type_name(*column.type, name));
  } else if (scalar_from_text(worker, *column.type, text, frame + column.offset, inner) == 0) {
    if (column.optional) {
      frame[column.offset + column.type->size] = 1;
    }
    return 0;
  }
  return at == 0 ? reason.set(inner.code, "field `{}`: {}", column.name, inner.view())
                 : reason.set(inner.code, "field `{}` at byte {}: {}", column.name, at, inner.view());
}

std::uint32_t report(weir_worker* worker, const Reason& reason, weir_str* detail) {
  auto* copy = static_cast<char*>(weir_scratch_take(worker, reason.size));
  std::memcpy(copy, reason.text, reason.size);
  *detail = {copy, reason.size};
  return reason.code;
}

std::uint32_t check_utf8(std::string_view record, Reason& reason) {
  if (weir_utf8_valid(record.data(), record.size()) != 0) {
    return 0;
  }
  return reason.set(5002, "byte {}: not valid UTF-8", weir_utf8_error(record.data(), record.size()) + 1);
}

}  // namespace weir::value
