/*weir
Whether the text begins with `part`.

fn starts_with(s: string, part: string) -> bool pure

examples:
  starts_with("abc", "ab")
  not starts_with("abc", "b")
  starts_with("abc", "")
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_starts_with(weir_worker*, uint8_t* result, const char* s, uint64_t size, const char* part,
                         uint64_t part_size) {
  *result = part_size <= size && weir_string_equal(s, part_size, part, part_size) != 0 ? 1 : 0;
}

}  // extern "C"
