/*weir
How many seconds after 1970-01-01T00:00:00Z the time is, rounded down.

fn to_unix_s(t: timestamp) -> int pure

examples:
  to_unix_s(@2020-01-01T00:00:00Z) == 1577836800
  to_unix_s(@1969-12-31T23:59:59.9999Z) == -1
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_unix_s(weir_worker*, int64_t* result, int64_t t) {
  *result = t / 1000000 - (t % 1000000 < 0 ? 1 : 0);
}

}  // extern "C"
