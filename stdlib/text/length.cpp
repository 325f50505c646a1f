/*weir
How many code points the text has; or how many elements the list, or entries the map.

fn length(s: string) -> int pure as weir_fn_length__string
fn length(list: list<T>) -> int pure intrinsic
fn length(map: map<string, T>) -> int pure intrinsic

examples:
  length("né") == 2
  length("") == 0
  length([1, 2, 3]) == 3
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_length__string(weir_worker*, int64_t* result, const char* s, uint64_t size) {
  *result = count_points(s, size);
}

}  // extern "C"
