/*weir
The part of the text that group `group` of the regex matched first (0: the whole match); absent when it does not
match, or the group took no part. The pattern is a literal: see `matches`.

fn regex_extract(s: string, pattern: string, group: int = 0) -> string? pure special
lower: weir_fn_regex_extract(s, uint32_t index of pattern in the plan's regexes, group)

examples:
  regex_extract("id=17;", r"id=(\d+)", 1) == "17"
  regex_extract("id=17;", r"\d+") == "17"
  regex_extract("none", r"\d+") is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_regex_extract(weir_worker* worker, OptionalString* result, const char* s, uint64_t size,
                           uint32_t pattern, int64_t group) {
  *result = {};
  const uint32_t wanted = group < 0 || group > 63 ? 64u : static_cast<uint32_t>(group);
  result->present =
      static_cast<uint8_t>(weir_regex_extract(worker->texts, pattern, s, size, wanted, &result->value));
}

}  // extern "C"
