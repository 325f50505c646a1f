/*weir
Whether the text holds `part` somewhere; or the list an element equal to `value`.

fn contains(s: string, part: string) -> bool pure as weir_fn_contains__string
fn contains(list: list<T>, value: T) -> bool pure intrinsic

examples:
  contains("abcd", "bc")
  not contains("abcd", "x")
  contains("a", "")
  contains([1, 2], 2)
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_contains__string(weir_worker*, uint8_t* result, const char* s, uint64_t size, const char* part,
                              uint64_t part_size) {
  *result = part_size == 0 || find(s, size, part, part_size, 0) != size ? 1 : 0;
}

}  // extern "C"
