// Access to the compiled texts inside this folder.
#pragma once

#include "runtime/value/regex.h"
#include "runtime/value/text_tables.h"

namespace weir::value {

const Regex& regex_of(const weir_text_tables& tables, std::uint32_t index);

}  // namespace weir::value
