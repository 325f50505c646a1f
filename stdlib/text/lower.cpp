/*weir
Lowercase form of every letter, one by one: Unicode's simple case mapping, the same in every
language. Letters whose lowercase form is several letters, such as `ß`, keep their length.

fn lower(s: string) -> string pure

examples:
  lower("Abc 1") == "abc 1"
  lower("éÄ") == "éä"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_lower(weir_worker* worker, weir_str* result, const char* s, uint64_t size) {
  weir_case_map(worker, s, size, 0, result);
}

}  // extern "C"
