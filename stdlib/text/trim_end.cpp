/*weir
Without white space at the end: blanks, tabs and line ends of ASCII.

fn trim_end(s: string) -> string pure

examples:
  trim_end(" a  ") == " a"
  trim_end("") == ""
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_trim_end(weir_worker*, weir_str* result, const char* s, uint64_t size) {
  while (size != 0 && is_space(s[size - 1])) {
    --size;
  }
  *result = {s, size};
}

}  // extern "C"
