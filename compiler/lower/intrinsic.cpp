#include "compiler/lower/intrinsic.h"

#include "compiler/lower/expr.h"

namespace weir::lower {

bool emit_intrinsic(Emitter& e, const flow::Expr& expr, Value& result) {
  for (const Intrinsics* group :
       {&text_intrinsics(), &number_intrinsics(), &list_intrinsics(), &pattern_intrinsics()}) {
    const auto found = group->find(expr.name);
    if (found == group->end()) continue;
    result = found->second(e, expr);
    return true;
  }
  return false;
}

}  // namespace weir::lower
