/*weir
Whether the text is empty or white space only.

fn is_blank(s: string) -> bool pure

examples:
  is_blank(" \t")
  is_blank("")
  not is_blank(" a ")
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_is_blank(weir_worker*, uint8_t* result, const char* s, uint64_t size) {
  uint64_t at = 0;
  while (at < size && is_space(s[at])) {
    ++at;
  }
  *result = at == size ? 1 : 0;
}

}  // extern "C"
