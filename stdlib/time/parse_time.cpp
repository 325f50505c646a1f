/*weir
The time that a text says by a pattern of strftime's letters. A pattern without `%z` needs the zone. Pattern and zone are
literals. A local time that a clock change skips fails; of one that occurs twice, it is the first. A second 60 fails.

fn parse_time(s: string, pattern: string, zone: string = "") -> timestamp pure fails 5010 5016 special
lower: weir_fn_parse_time(s, uint32_t index of {pattern, zone} in the plan's time_patterns)

examples:
  parse_time("2026/03/29 01:30", "%Y/%m/%d %H:%M", "UTC") == @2026-03-29T01:30:00Z
  parse_time("29/Mar/2026:03:30:00 +0200", "%d/%b/%Y:%H:%M:%S %z") == @2026-03-29T01:30:00Z
  (try parse_time("2026/03/29 02:30", "%Y/%m/%d %H:%M", "Europe/Berlin")) is null
  (try parse_time("x", "%Y-%m-%d", "UTC")) is null
*/
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

int32_t weir_fn_parse_time(weir_worker* worker, int64_t* result, const char* s, uint64_t size,
                           uint32_t pattern) {
  return weir_time_parse(worker->texts, pattern, s, size, result);
}

}  // extern "C"
