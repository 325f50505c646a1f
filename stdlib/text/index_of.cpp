/*weir
The place of the first occurrence of `part`, in code points from 0; absent when there is none.

fn index_of(s: string, part: string) -> int? pure

examples:
  index_of("né-x", "-") == 2
  index_of("abc", "x") is null
  index_of("abc", "") == 0
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_index_of(weir_worker*, OptionalInt* result, const char* s, uint64_t size, const char* part,
                      uint64_t part_size) {
  *result = {};
  const uint64_t at = find(s, size, part, part_size, 0);
  if (at != size || part_size == 0) {
    *result = {count_points(s, at), 1};
  }
}

}  // extern "C"
