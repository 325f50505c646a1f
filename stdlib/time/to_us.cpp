/*weir
The duration in microseconds.

fn to_us(d: duration) -> int pure

examples:
  to_us(1500ms) == 1500000
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_us(weir_worker*, int64_t* result, int64_t d) {
  *result = d;
}

}  // extern "C"
