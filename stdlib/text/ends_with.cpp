/*weir
Whether the text ends with `part`.

fn ends_with(s: string, part: string) -> bool pure

examples:
  ends_with("abc", "bc")
  not ends_with("abc", "b")
  ends_with("abc", "")
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_ends_with(weir_worker*, uint8_t* result, const char* s, uint64_t size, const char* part,
                       uint64_t part_size) {
  *result =
      part_size <= size && weir_string_equal(s + (size - part_size), part_size, part, part_size) != 0 ? 1 : 0;
}

}  // extern "C"
