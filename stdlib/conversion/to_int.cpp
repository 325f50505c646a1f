/*weir
An int from a text of digits (with a sign), or from a float or decimal: the whole part, towards zero.

fn to_int(s: string) -> int pure fails 5009 5016 as weir_fn_to_int__string
fn to_int(x: float) -> int pure fails 5009 5014 as weir_fn_to_int__float
fn to_int(x: decimal(p, s)) -> int pure fails 5009 intrinsic
lower: decimals: weir_decimal_to_int

examples:
  to_int("-17") == -17
  to_int(2.9) == 2
  to_int(-2.9) == -2
  (try to_int("1.0")) is null
  (try to_int("9223372036854775808")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_to_int__string(weir_worker*, int64_t* result, const char* s, uint64_t size) {
  const bool negative = size != 0 && s[0] == '-';
  uint64_t at = negative ? 1 : 0;
  if (at == size) {
    return 5016;
  }
  int64_t value = 0;
  bool overflow = false;
  for (; at < size; ++at) {
    const int64_t digit = s[at] - '0';
    if (digit < 0 || digit > 9) {
      return 5016;
    }
    overflow = overflow || __builtin_mul_overflow(value, 10, &value) ||
               __builtin_add_overflow(value, negative ? -digit : digit, &value);
  }
  *result = value;
  return overflow ? 5009 : 0;
}

int32_t weir_fn_to_int__float(weir_worker*, int64_t* result, double x) {
  return weir_float_to_int(x, result);
}

}  // extern "C"
