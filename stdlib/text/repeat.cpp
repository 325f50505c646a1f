/*weir
The text `count` times. A negative `count`, and a result above 256 MiB, are refused.

fn repeat(s: string, count: int) -> string pure fails 5019

examples:
  repeat("ab", 3) == "ababab"
  repeat("ab", 0) == ""
  (try repeat("ab", -1)) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_repeat(weir_worker* worker, weir_str* result, const char* s, uint64_t size, int64_t count) {
  if (count < 0 || (size != 0 && static_cast<uint64_t>(count) > kLargestText / size)) {
    return 5019;
  }
  const uint64_t total = size * static_cast<uint64_t>(count);
  auto* out = static_cast<char*>(weir_scratch_take(worker, total));
  for (uint64_t at = 0; at < total; at += size) {
    weir_put_bytes(out + at, s, size);
  }
  *result = {out, total};
  return 0;
}

}  // extern "C"
