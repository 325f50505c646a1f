/*weir
The texts one after the other. Inside a string, `${x}` does the same.

fn concat(a: string, b: string) -> string pure fails 5019

examples:
  concat("ab", "c") == "abc"
  concat("", "") == ""
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_concat(weir_worker* worker, weir_str* result, const char* a, uint64_t a_size, const char* b,
                       uint64_t b_size) {
  if (a_size + b_size > kLargestText) {
    return 5019;
  }
  const weir_str parts[2] = {{a, a_size}, {b, b_size}};
  weir_string_concat(worker, result, parts, 2);
  return 0;
}

}  // extern "C"
