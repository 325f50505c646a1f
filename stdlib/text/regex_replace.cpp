/*weir
Every match of the regex by `by`, in which `$0` to `$9` are the match and its groups and `$$` is a dollar sign (in a
string literal a dollar sign is written `\$`, or the string is raw). The pattern is a literal: see `matches`.

fn regex_replace(s: string, pattern: string, by: string) -> string pure special
lower: weir_fn_regex_replace(s, uint32_t index of pattern in the plan's regexes, by)

examples:
  regex_replace("a1b22", r"\d+", "#") == "a#b#"
  regex_replace("k=v", r"(\w)=(\w)", r"$2=$1") == "v=k"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_regex_replace(weir_worker* worker, weir_str* result, const char* s, uint64_t size,
                           uint32_t pattern, const char* by, uint64_t by_size) {
  weir_regex_replace(worker, pattern, s, size, by, by_size, result);
}

}  // extern "C"
