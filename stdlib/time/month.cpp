/*weir
The month of the date in UTC, 1 to 12.

fn month(t: timestamp) -> int pure

examples:
  month(@2026-03-29T23:30:00Z) == 3
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_month(weir_worker*, int64_t* result, int64_t t) {
  *result = civil(t).month;
}

}  // extern "C"
