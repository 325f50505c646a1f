// Library functions that are emitted in place ("intrinsic" and "special" in stdlib/README.md), one file per group. Each
// table maps a name to what emits it.
#pragma once

#include <string>
#include <unordered_map>

#include "compiler/lower/emitter.h"

namespace weir::lower {

using EmitIntrinsic = Value (*)(Emitter& e, const flow::Expr& expr);
using Intrinsics = std::unordered_map<std::string, EmitIntrinsic>;

const Intrinsics& text_intrinsics();    // intrinsic_text.cpp: to_text, concat
const Intrinsics& number_intrinsics();  // intrinsic_number.cpp: round, to_decimal
const Intrinsics& list_intrinsics();    // intrinsic_list.cpp: at, length, map, filter, …

}  // namespace weir::lower
