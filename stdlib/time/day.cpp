/*weir
The day of the month in UTC, 1 to 31.

fn day(t: timestamp) -> int pure

examples:
  day(@2026-03-29T23:30:00Z) == 29
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_day(weir_worker*, int64_t* result, int64_t t) {
  *result = civil(t).day;
}

}  // extern "C"
