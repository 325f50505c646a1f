/*weir
The second of the minute, 0 to 59, without its fraction.

fn second(t: timestamp) -> int pure

examples:
  second(@2026-03-29T23:30:05.5Z) == 5
*/
#include "stdlib/native.h"
#include "stdlib/time/calendar.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_second(weir_worker*, int64_t* result, int64_t t) {
  *result = in_day(t) / 1000000 % 60;
}

}  // extern "C"
