/*weir
The bytes in base64: the standard alphabet, padded.

fn to_base64(b: bytes) -> string pure fails 5019

examples:
  to_base64(to_bytes("hello")) == "aGVsbG8="
  to_base64(to_bytes("")) == ""
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_to_base64(weir_worker* worker, weir_str* result, const char* b, uint64_t size) {
  if (size > kLargestText) {
    return 5019;
  }
  auto* out = static_cast<char*>(weir_scratch_take(worker, WEIR_MAX_BASE64(size)));
  *result = {out, static_cast<uint64_t>(weir_put_base64(out, b, size) - out)};
  return 0;
}

}  // extern "C"
