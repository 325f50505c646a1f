/*weir
`count` code points from the code point `start` on (the first is 0); less when the text ends before. A negative
`start` or `count` is refused.

fn substring(s: string, start: int, count: int) -> string pure fails 5013

examples:
  substring("abcdef", 2, 3) == "cde"
  substring("né!", 1, 9) == "é!"
  substring("abc", 5, 1) == ""
  (try substring("abc", -1, 1)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_substring(weir_worker*, weir_str* result, const char* s, uint64_t size, int64_t start,
                          int64_t count) {
  if (start < 0 || count < 0) {
    return 5013;
  }
  const uint64_t from = point_offset(s, size, start);
  *result = {s + from, point_offset(s + from, size - from, count)};
  return 0;
}

}  // extern "C"
