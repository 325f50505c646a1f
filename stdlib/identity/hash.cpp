/*weir
A number from a text, the same in every run and on every machine (xxh3, 64 bits, as an int). For spreading and sampling,
not against attackers.

fn hash(s: string) -> int pure

examples:
  hash("a") == hash("a")
  hash("a") != hash("b")
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_hash(weir_worker*, int64_t* result, const char* s, uint64_t size) {
  *result = static_cast<int64_t>(weir_hash(s, size));
}

}  // extern "C"
