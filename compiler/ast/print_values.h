// Literals and names as Weir text. Used by the printers only.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/ast/expr.h"

namespace weir::ast {

std::string print_duration(std::int64_t micros);
std::string print_size(std::uint64_t bytes);
std::string print_timestamp(std::int64_t micros);
std::string print_date(std::int32_t days);
// The inside of a string literal with escapes.
std::string print_string_part(const std::string& value);

}  // namespace weir::ast
