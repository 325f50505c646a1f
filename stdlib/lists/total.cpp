/*weir
The sum of the elements; 0 for an empty list. Only a total that does not fit is an overflow, whatever the order.

fn total(list: list<int>) -> int pure fails 5006

examples:
  total([1, 2, 3]) == 6
  (try total([9223372036854775807, 1])) is null
  total([9223372036854775807, 1, -1]) == 9223372036854775807
*/
#include "stdlib/native.h"

extern "C" {

int32_t weir_fn_total(weir_worker*, int64_t* result, const void* list, uint64_t count) {
  const auto* values = static_cast<const int64_t*>(list);
  weir_i128 sum = 0;
  for (uint64_t i = 0; i < count; ++i) {
    sum += values[i];
  }
  return weir_sum_to_int(sum, result) == 0 ? 0 : 5006;
}

}  // extern "C"
