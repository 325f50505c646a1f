/*weir
The remainder with the sign of `b`, where `%` has the sign of `a`: -7 modulo 3 is 2.

fn modulo(a: int, b: int) -> int pure fails 5007

examples:
  modulo(-7, 3) == 2
  modulo(7, 3) == 1
  modulo(7, -3) == -2
  (try modulo(1, 0)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_modulo(weir_worker*, int64_t* result, int64_t a, int64_t b) {
  if (b == 0) {
    return 5007;
  }
  const int64_t rest = b == -1 ? 0 : a % b;
  *result = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  return 0;
}

}  // extern "C"
