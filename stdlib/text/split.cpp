/*weir
The parts between occurrences of `separator`; a text without one is one part. An empty `separator` is refused.

fn split(s: string, separator: string) -> list<string> pure fails 5019

examples:
  join(split("a,b,", ","), "|") == "a|b|"
  length(split("", ",")) == 1
  (try split("ab", "")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_split(weir_worker* worker, weir_list* result, const char* s, uint64_t size,
                      const char* separator, uint64_t separator_size) {
  if (separator_size == 0) {
    return 5019;
  }
  uint64_t count = 1;
  for (uint64_t at = find(s, size, separator, separator_size, 0); at != size;
       at = find(s, size, separator, separator_size, at + separator_size)) {
    ++count;
  }
  auto* parts = static_cast<weir_str*>(weir_scratch_take(worker, count * sizeof(weir_str)));
  uint64_t from = 0;
  for (uint64_t i = 0; i + 1 < count; ++i) {
    const uint64_t at = find(s, size, separator, separator_size, from);
    parts[i] = {s + from, at - from};
    from = at + separator_size;
  }
  parts[count - 1] = {s + from, size - from};
  *result = {parts, count};
  return 0;
}

}  // extern "C"
