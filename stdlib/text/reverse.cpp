/*weir
The code points in reverse order.

fn reverse(s: string) -> string pure

examples:
  reverse("abc") == "cba"
  reverse("né") == "én"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_reverse(weir_worker* worker, weir_str* result, const char* s, uint64_t size) {
  auto* out = static_cast<char*>(weir_scratch_take(worker, size));
  char* p = out + size;
  for (uint64_t at = 0; at < size;) {
    uint64_t next = at + 1;
    while (next < size && is_continuation(s[next])) {
      ++next;
    }
    p -= next - at;
    weir_put_bytes(p, s + at, next - at);
    at = next;
  }
  *result = {out, size};
}

}  // extern "C"
