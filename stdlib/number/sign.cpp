/*weir
-1, 0 or 1, as the value is below, at or above zero.

fn sign(x: int) -> int pure as weir_fn_sign__int
fn sign(x: duration) -> int pure as weir_fn_sign__int
fn sign(x: decimal(p, s)) -> int pure intrinsic

examples:
  sign(-7) == -1
  sign(0) == 0
  sign(0.1) == 1
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_sign__int(weir_worker*, int64_t* result, int64_t x) {
  *result = (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0);
}

}  // extern "C"
