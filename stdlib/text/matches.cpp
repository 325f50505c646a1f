/*weir
Whether the regex matches somewhere in the text; `^` and `$` tie it to the ends. The pattern is a literal, compiled
once: RE2's syntax, which has neither look-around nor back references, and never takes more than linear time.

fn matches(s: string, pattern: string) -> bool pure special
lower: weir_fn_matches(s, uint32_t index of pattern in the plan's regexes)

examples:
  matches("order-17", r"\d+")
  not matches("order", r"^\d+$")
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

// The pattern is its index in the plan's regexes.
void weir_fn_matches(weir_worker* worker, uint8_t* result, const char* s, uint64_t size, uint32_t pattern) {
  *result = weir_regex_matches(worker->texts, pattern, s, size) != 0 ? 1 : 0;
}

}  // extern "C"
