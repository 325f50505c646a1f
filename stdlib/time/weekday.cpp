/*weir
The day of the week in UTC: Monday is 1, Sunday is 7.

fn weekday(t: timestamp) -> int pure

examples:
  weekday(@1970-01-01T00:00:00Z) == 4
  weekday(@2026-03-29T23:30:00Z) == 7
  weekday(@1969-12-29T00:00:00Z) == 1
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_weekday(weir_worker*, int64_t* result, int64_t t) {
  *result = (days(t) % 7 + 10) % 7 + 1;
}

}  // extern "C"
