/*weir
`true` or `false` from a text.

fn to_bool(s: string) -> bool pure fails 5016

examples:
  to_bool("true")
  not to_bool("false")
  (try to_bool("yes")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_to_bool(weir_worker*, uint8_t* result, const char* s, uint64_t size) {
  *result = weir_string_equal(s, size, "true", 4) != 0 ? 1 : 0;
  return *result != 0 || weir_string_equal(s, size, "false", 5) != 0 ? 0 : 5016;
}

}  // extern "C"
