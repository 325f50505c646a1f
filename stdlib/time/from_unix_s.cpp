/*weir
The time that is so many seconds after 1970-01-01T00:00:00Z (before, when negative).

fn from_unix_s(x: int) -> timestamp pure fails 5010

examples:
  from_unix_s(1577836800) == @2020-01-01T00:00:00Z
  from_unix_s(0) == @1970-01-01T00:00:00Z
  (try from_unix_s(9223372036854775807)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_from_unix_s(weir_worker*, int64_t* result, int64_t x) {
  return __builtin_mul_overflow(x, 1000000, result) ? 5010 : weir_time_check(*result);
}

}  // extern "C"
