/*weir
The square root, correctly rounded. A negative value is refused.

fn sqrt(x: float) -> float pure fails 5019

examples:
  to_text(sqrt(2.25)) == "1.5"
  (try sqrt(to_float(-1))) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_sqrt(weir_worker*, double* result, double x) {
  if (x < 0) {
    return 5019;
  }
  *result = __builtin_sqrt(x);
  return 0;
}

}  // extern "C"
