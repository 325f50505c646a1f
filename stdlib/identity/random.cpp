/*weir
A random number, at least 0 and below 1. It is another value at each replay: use `hash` of a field, or `capture random()`.

fn random() -> float random

examples:
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_random(weir_worker*, double* result) {
  uint64_t bits = 0;
  weir_random(&bits, sizeof bits);
  *result = static_cast<double>(bits >> 11) / 9007199254740992.0;
}

}  // extern "C"
