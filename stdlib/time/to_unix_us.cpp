/*weir
How many microseconds after 1970-01-01T00:00:00Z the time is, rounded down.

fn to_unix_us(t: timestamp) -> int pure

examples:
  to_unix_us(@2020-01-01T00:00:00Z) == 1577836800000000
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_unix_us(weir_worker*, int64_t* result, int64_t t) {
  *result = t / 1 - (t % 1 < 0 ? 1 : 0);
}

}  // extern "C"
