/*weir
The hour of the day in UTC, 0 to 23.

fn hour(t: timestamp) -> int pure

examples:
  hour(@2026-03-29T23:30:00Z) == 23
  hour(@1969-12-31T23:59:59Z) == 23
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_hour(weir_worker*, int64_t* result, int64_t t) {
  *result = in_day(t) / 3600000000;
}

}  // extern "C"
