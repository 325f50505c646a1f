/*weir
The begin of the interval of length `size` that holds the time. Intervals are counted from 1970-01-01T00:00:00Z, also
backwards. A `size` that is not above zero is refused.

fn truncate(t: timestamp, size: duration) -> timestamp pure fails 5010 5019

examples:
  truncate(@2026-03-29T23:31:07Z, 10m) == @2026-03-29T23:30:00Z
  truncate(@1969-12-31T23:59:59Z, 1m) == @1969-12-31T23:59:00Z
  (try truncate(@2026-01-01T00:00:00Z, 0s)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_truncate(weir_worker*, int64_t* result, int64_t t, int64_t size) {
  if (size <= 0) {
    return 5019;
  }
  *result = weir_window_start(t, size, 0);
  return weir_time_check(*result);
}

}  // extern "C"
