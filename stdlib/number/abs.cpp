/*weir
The value without its sign. The smallest int and the smallest duration have none: that is an overflow.

fn abs(x: int) -> int pure fails 5006 as weir_fn_abs__int
fn abs(x: float) -> float pure as weir_fn_abs__float
fn abs(x: duration) -> duration pure fails 5006 as weir_fn_abs__int
fn abs(x: decimal(p, s)) -> decimal(p, s) pure intrinsic

examples:
  abs(-3) == 3
  abs(3) == 3
  abs(-1.5) == 1.5
  (try abs(-9223372036854775807 - 1)) is null
  abs(-5s) == 5s
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_abs__int(weir_worker*, int64_t* result, int64_t x) {
  if (x == INT64_MIN) {
    return 5006;
  }
  *result = x < 0 ? -x : x;
  return 0;
}

void weir_fn_abs__float(weir_worker*, double* result, double x) {
  *result = __builtin_fabs(x);
}

}  // extern "C"
