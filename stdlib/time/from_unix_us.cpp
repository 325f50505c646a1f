/*weir
The time that is so many microseconds after 1970-01-01T00:00:00Z (before, when negative).

fn from_unix_us(x: int) -> timestamp pure fails 5010

examples:
  from_unix_us(1577836800000000) == @2020-01-01T00:00:00Z
  from_unix_us(0) == @1970-01-01T00:00:00Z
  (try from_unix_us(9223372036854775807)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_from_unix_us(weir_worker*, int64_t* result, int64_t x) {
  return __builtin_mul_overflow(x, 1, result) ? 5010 : weir_time_check(*result);
}

}  // extern "C"
