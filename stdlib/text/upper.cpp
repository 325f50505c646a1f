/*weir
Uppercase form of every letter, one by one: Unicode's simple case mapping, the same in every
language. Letters whose uppercase form is several letters, such as `ß`, keep their length.

fn upper(s: string) -> string pure

examples:
  upper("Abc 1") == "ABC 1"
  upper("éÄ") == "ÉÄ"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_upper(weir_worker* worker, weir_str* result, const char* s, uint64_t size) {
  weir_case_map(worker, s, size, 1, result);
}

}  // extern "C"
