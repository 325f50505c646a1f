// One value from its text: the part that all formats share.
#pragma once

#include <string_view>

#include "runtime/abi/abi.h"
#include "runtime/value/reason.h"

namespace weir::value {

// Decodes `text` into `slot` of a scalar type (bool to duration; not optional, list, map or record). Strings view
// `text`; decoded bytes are in the worker's scratch arena. Returns 0, or a 5000s code with `reason` filled: the text
// without the field's name. Leading zeros of numbers are allowed; JSON's grammar is checked by its decoder.
std::uint32_t scalar_from_text(weir_worker* worker, const weir_type& type, std::string_view text, void* slot,
                               Reason& reason);

// RFC 3339 with any offset. 0, 5016 (not of that form), 5010 (years, or a fraction finer than a microsecond).
std::uint32_t parse_rfc3339(std::string_view text, std::int64_t* micros);

// ISO 8601: [-]P[nD][T[nH][nM][n[.f]S]], at least one part. 0, 5016, 5009 (range, or finer than a microsecond).
std::uint32_t parse_duration(std::string_view text, std::int64_t* micros);

}  // namespace weir::value
