/*weir
The value, or the limit that it is beyond: `low` below, `high` above. `low` above `high` is refused.

fn clamp(x: int, low: int, high: int) -> int pure fails 5019

examples:
  clamp(7, 0, 5) == 5
  clamp(-1, 0, 5) == 0
  clamp(3, 0, 5) == 3
  (try clamp(1, 5, 0)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_clamp(weir_worker*, int64_t* result, int64_t x, int64_t low, int64_t high) {
  *result = x < low ? low : x > high ? high : x;
  return low > high ? 5019 : 0;
}

}  // extern "C"
