/*weir
The duration of so many microseconds.

fn from_us(x: int) -> duration pure

examples:
  from_us(1500000) == 1500ms
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_from_us(weir_worker*, int64_t* result, int64_t x) {
  *result = x;
}

}  // extern "C"
