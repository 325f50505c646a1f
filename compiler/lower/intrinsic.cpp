// Library functions that are emitted in place. See stdlib/README.md, "intrinsic" and "special".
#include "compiler/lower/expr.h"

namespace weir::lower {

bool emit_intrinsic(Emitter&, const flow::Expr&, Value&) { return false; }

}  // namespace weir::lower
