/*weir
The bytes of a text in UTF-8.

fn to_bytes(s: string) -> bytes pure

examples:
  from_bytes(to_bytes("né")) == "né"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_to_bytes(weir_worker*, weir_str* result, const char* s, uint64_t size) {
  *result = {s, size};
}

}  // extern "C"
