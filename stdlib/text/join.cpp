/*weir
The texts one after the other, with `separator` between them.

fn join(parts: list<string>, separator: string) -> string pure fails 5019

examples:
  join(["a", "b", ""], "-") == "a-b-"
  join(["a"], "-") == "a"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_join(weir_worker* worker, weir_str* result, const void* parts, uint64_t count,
                     const char* separator, uint64_t separator_size) {
  const auto* texts = static_cast<const weir_str*>(parts);
  uint64_t total = 0;
  for (uint64_t i = 0; i < count; ++i) {
    total += texts[i].size + (i == 0 ? 0 : separator_size);
    if (total > kLargestText) {
      return 5019;
    }
  }
  auto* out = static_cast<char*>(weir_scratch_take(worker, total));
  char* p = out;
  for (uint64_t i = 0; i < count; ++i) {
    if (i != 0) {
      p = weir_put_bytes(p, separator, separator_size);
    }
    p = weir_put_bytes(p, texts[i].data, texts[i].size);
  }
  *result = {out, total};
  return 0;
}

}  // extern "C"
