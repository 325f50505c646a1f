/*weir
The wall clock. It is another value at each replay: use the event time, or `capture now()`.

fn now() -> timestamp clock

examples:
*/
#include "stdlib/native.h"

#include <ctime>

using namespace weir::stdlib;

extern "C" {

void weir_fn_now(weir_worker*, int64_t* result) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  *result = time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

}  // extern "C"
