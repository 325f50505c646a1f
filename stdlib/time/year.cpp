/*weir
The year of the date in UTC, 1 to 9999.

fn year(t: timestamp) -> int pure

examples:
  year(@2026-03-29T23:30:00Z) == 2026
  year(@1969-12-31T23:59:59Z) == 1969
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_year(weir_worker*, int64_t* result, int64_t t) {
  *result = civil(t).year;
}

}  // extern "C"
