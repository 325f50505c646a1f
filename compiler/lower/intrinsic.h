// Library functions that are emitted in place ("intrinsic" and "special" in stdlib/README.md), one file per group. Each
// table maps a name to what emits it. An overload with a symbol of its own is never looked up here.
#pragma once

#include <string>
#include <unordered_map>

#include "compiler/lower/emitter.h"

namespace weir::lower {

using EmitIntrinsic = Value (*)(Emitter& e, const flow::Expr& expr);
using Intrinsics = std::unordered_map<std::string, EmitIntrinsic>;

const Intrinsics& text_intrinsics();     // intrinsic_text.cpp: to_text, concat
const Intrinsics& number_intrinsics();   // intrinsic_number.cpp: round, to_decimal, …
const Intrinsics& list_intrinsics();     // intrinsic_list.cpp: at, length, map, filter, …
const Intrinsics& pattern_intrinsics();  // intrinsic_pattern.cpp: regexes and time patterns of the plan

// Evaluates the arguments and calls `symbol` by the convention of abi.h. An argument that `constants` names by its place
// is passed as that number instead, and one that it gives -1 is left out.
Value call_native(Emitter& e, const flow::Expr& expr, const char* symbol, const std::vector<int>& fails,
                  const std::unordered_map<std::size_t, int>& constants = {});

}  // namespace weir::lower
