/*weir
The text with `fill` at the start until it has `width` code points. `fill` is one code point.

fn pad_start(s: string, width: int, fill: string = " ") -> string pure fails 5019

examples:
  pad_start("7", 3, "0") == "007"
  pad_start("1234", 3, "0") == "1234"
  pad_start("a", 2) == " a"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_pad_start(weir_worker* worker, weir_str* result, const char* s, uint64_t size, int64_t width,
                          const char* fill, uint64_t fill_size) {
  if (count_points(fill, fill_size) != 1 || width > static_cast<int64_t>(kLargestText / 4)) {
    return 5019;
  }
  const int64_t points = count_points(s, size);
  const int64_t missing = width > points ? width - points : 0;
  const uint64_t total = size + static_cast<uint64_t>(missing) * fill_size;
  auto* out = static_cast<char*>(weir_scratch_take(worker, total));
  char* p = out;
  for (int64_t i = 0; i < missing; ++i) {
    p = weir_put_bytes(p, fill, fill_size);
  }
  p = weir_put_bytes(p, s, size);
  *result = {out, static_cast<uint64_t>(p - out)};
  return 0;
}

}  // extern "C"
