/*weir
How many milliseconds after 1970-01-01T00:00:00Z the time is, rounded down.

fn to_unix_ms(t: timestamp) -> int pure

examples:
  to_unix_ms(@2020-01-01T00:00:00Z) == 1577836800000
  to_unix_ms(@1969-12-31T23:59:59.9999Z) == -1
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_unix_ms(weir_worker*, int64_t* result, int64_t t) {
  *result = t / 1000 - (t % 1000 < 0 ? 1 : 0);
}

}  // extern "C"
