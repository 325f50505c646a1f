/*weir
The bytes that a text in base64 says.

fn from_base64(s: string) -> bytes pure fails 5016

examples:
  from_bytes(from_base64("aGVsbG8=")) == "hello"
  (try from_base64("a")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_from_base64(weir_worker* worker, weir_str* result, const char* s, uint64_t size) {
  return weir_base64_decode(worker, s, size, result);
}

}  // extern "C"
