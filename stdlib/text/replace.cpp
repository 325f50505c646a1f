/*weir
Every occurrence of `part`, from left to right, by `by`. An empty `part` occurs nowhere.

fn replace(s: string, part: string, by: string) -> string pure fails 5019

examples:
  replace("a-b-c", "-", "+") == "a+b+c"
  replace("aaa", "aa", "b") == "ba"
  replace("abc", "", "x") == "abc"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_replace(weir_worker* worker, weir_str* result, const char* s, uint64_t size, const char* part,
                        uint64_t part_size, const char* by, uint64_t by_size) {
  uint64_t count = 0;
  if (part_size != 0) {
    for (uint64_t at = find(s, size, part, part_size, 0); at != size;
         at = find(s, size, part, part_size, at + part_size)) {
      ++count;
    }
  }
  if (count == 0) {
    *result = {s, size};
    return 0;
  }
  if (by_size > kLargestText || count * by_size > kLargestText) {
    return 5019;
  }
  const uint64_t total = size - count * part_size + count * by_size;
  auto* out = static_cast<char*>(weir_scratch_take(worker, total));
  char* p = out;
  uint64_t from = 0;
  for (; count != 0; --count) {
    const uint64_t at = find(s, size, part, part_size, from);
    p = weir_put_bytes(p, s + from, at - from);
    p = weir_put_bytes(p, by, by_size);
    from = at + part_size;
  }
  weir_put_bytes(p, s + from, size - from);
  *result = {out, total};
  return 0;
}

}  // extern "C"
