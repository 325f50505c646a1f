/*weir
Without white space at both ends: blanks, tabs and line ends of ASCII.

fn trim(s: string) -> string pure

examples:
  trim("  a b\n") == "a b"
  trim("") == ""
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_trim(weir_worker*, weir_str* result, const char* s, uint64_t size) {
  while (size != 0 && is_space(s[0])) {
    ++s;
    --size;
  }
  while (size != 0 && is_space(s[size - 1])) {
    --size;
  }
  *result = {s, size};
}

}  // extern "C"
