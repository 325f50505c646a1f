/*weir
The minute of the hour, 0 to 59.

fn minute(t: timestamp) -> int pure

examples:
  minute(@2026-03-29T23:30:00Z) == 30
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_minute(weir_worker*, int64_t* result, int64_t t) {
  *result = in_day(t) / 60000000 % 60;
}

}  // extern "C"
