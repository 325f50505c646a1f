/*weir
The day of the year in UTC, 1 to 366.

fn day_of_year(t: timestamp) -> int pure

examples:
  day_of_year(@2026-01-01T00:00:00Z) == 1
  day_of_year(@2024-12-31T00:00:00Z) == 366
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_day_of_year(weir_worker*, int64_t* result, int64_t t) {
  *result = days(t) - weir_days_from_civil(civil(t).year, 1, 1) + 1;
}

}  // extern "C"
