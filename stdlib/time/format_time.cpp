/*weir
The time as text by a pattern of strftime's letters (`%Y-%m-%d %H:%M:%S`), in a time zone. Pattern and zone are
literals.

fn format_time(t: timestamp, pattern: string, zone: string = "UTC") -> string pure special
lower: weir_fn_format_time(t, uint32_t index of {pattern, zone} in the plan's time_patterns)

examples:
  format_time(@2026-03-29T01:30:00Z, "%Y/%m/%d %H:%M") == "2026/03/29 01:30"
  format_time(@2026-03-29T01:30:00Z, "%H:%M %z", "Europe/Berlin") == "03:30 +0200"
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

// Pattern and zone are their index in the plan's time_patterns.
void weir_fn_format_time(weir_worker* worker, weir_str* result, int64_t t, uint32_t pattern) {
  weir_time_format(worker, pattern, t, result);
}

}  // extern "C"
