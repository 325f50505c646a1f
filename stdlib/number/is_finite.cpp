/*weir
Whether the float is a number: neither NaN nor infinite.

fn is_finite(x: float) -> bool pure

examples:
  is_finite(1.5)
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_is_finite(weir_worker*, uint8_t* result, double x) {
  *result = x - x == 0 ? 1 : 0;
}

}  // extern "C"
