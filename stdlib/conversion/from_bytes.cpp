/*weir
The text whose UTF-8 the bytes are.

fn from_bytes(b: bytes) -> string pure fails 5002

examples:
  from_bytes(to_bytes("a")) == "a"
  (try from_bytes(from_base64("/w=="))) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_from_bytes(weir_worker*, weir_str* result, const char* b, uint64_t size) {
  *result = {b, size};
  return weir_utf8_valid(b, size) != 0 ? 0 : 5002;
}

}  // extern "C"
