/*weir
The nearest whole number at or above the value. Of a decimal(p, s) it is a decimal(p - s + 1, 0).

fn ceil(x: float) -> float pure as weir_fn_ceil__float
fn ceil(x: decimal(p, s)) -> decimal(p, s) pure special
lower: decimals: weir_decimal_round(x, s, WEIR_ROUND_CEILING), of type decimal(p - s + 1, 0)

examples:
  ceil(1.2) == 2
  ceil(-1.7) == -1
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_ceil__float(weir_worker*, double* result, double x) {
  *result = __builtin_ceil(x);
}

}  // extern "C"
