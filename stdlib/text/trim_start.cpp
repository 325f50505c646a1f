/*weir
Without white space at the start: blanks, tabs and line ends of ASCII.

fn trim_start(s: string) -> string pure

examples:
  trim_start("  a ") == "a "
  trim_start("") == ""
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_trim_start(weir_worker*, weir_str* result, const char* s, uint64_t size) {
  while (size != 0 && is_space(s[0])) {
    ++s;
    --size;
  }
  *result = {s, size};
}

}  // extern "C"
