/*weir
The nearest whole number at or below the value. Of a decimal(p, s) it is a decimal(p - s + 1, 0).

fn floor(x: float) -> float pure as weir_fn_floor__float
fn floor(x: decimal(p, s)) -> decimal(p, s) pure special
lower: decimals: weir_decimal_round(x, s, WEIR_ROUND_FLOOR), of type decimal(p - s + 1, 0)

examples:
  floor(1.7) == 1
  floor(-1.2) == -2
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_floor__float(weir_worker*, double* result, double x) {
  *result = __builtin_floor(x);
}

}  // extern "C"
