// Leaves of a record type as columns of text formats, and how one is filled.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/value/reason.h"

namespace weir::value {

struct Column {
  std::string name;                 // dotted wire name
  std::uint32_t offset = 0;         // of the slot in the frame
  const weir_type* type = nullptr;  // scalar: inside of the optional
  bool optional = false;
};

// Nested records become dotted columns; the error names a field that text cannot hold (lists, maps, optional records).
std::expected<std::vector<Column>, std::string> columns_of(const weir_type& record);

// A column's slot from its text. `absent`: no value there (an error for a plain type). Returns 0 or the code of `reason`,
// which then names the column and, unless `at` is 0, the byte.
std::uint32_t fill_column(weir_worker* worker, const Column& column, std::string_view text, bool absent,
                          std::uint64_t at, char* frame, Reason& reason);

// Copies the reason into the scratch arena; returns its code.
std::uint32_t report(weir_worker* worker, const Reason& reason, weir_str* detail);

// 0, or 5002.
std::uint32_t check_utf8(std::string_view record, Reason& reason);

}  // namespace weir::value
