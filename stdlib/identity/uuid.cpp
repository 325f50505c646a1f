/*weir
A random UUID (version 4). It is another value at each replay: use `uuid_from`, or `capture uuid()`.

fn uuid() -> string random

examples:
*/
#include "stdlib/identity/uuid_text.h"
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_uuid(weir_worker* worker, weir_str* result) {
  uint64_t bits[2] = {};
  weir_random(bits, sizeof bits);
  *result = uuid_text(worker, bits[0], bits[1], 4);
}

}  // extern "C"
