/*weir
The nearest float to an int, a decimal, or a number in a text.

fn to_float(x: int) -> float pure as weir_fn_to_float__int
fn to_float(s: string) -> float pure fails 5009 5016 as weir_fn_to_float__string
fn to_float(x: decimal(p, s)) -> float pure intrinsic
lower: decimals: weir_decimal_to_float

examples:
  to_text(to_float("1e3")) == "1000.0"
  to_text(to_float(3)) == "3.0"
  (try to_float("x")) is null
  (try to_float("1e999")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_float__int(weir_worker*, double* result, int64_t x) {
  *result = static_cast<double>(x);
}

int32_t weir_fn_to_float__string(weir_worker*, double* result, const char* s, uint64_t size) {
  return weir_parse_float(s, size, result);
}

}  // extern "C"
