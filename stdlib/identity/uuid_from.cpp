/*weir
A UUID (version 8) that is a function of the text: the same text, the same UUID, in every run. The substitute for `uuid()` on
replay paths.

fn uuid_from(s: string) -> string pure

examples:
  uuid_from("a") == uuid_from("a")
  uuid_from("a") != uuid_from("b")
  length(uuid_from("a")) == 36
*/
#include "stdlib/identity/uuid_text.h"
#include "stdlib/native.h"

using namespace weir::stdlib;

extern "C" {

void weir_fn_uuid_from(weir_worker* worker, weir_str* result, const char* s, uint64_t size) {
  // Two hashes of the text with different seeds are the 122 free bits.
  const uint64_t high = weir_hash(s, size);
  const uint64_t low = weir_hash_seeded(s, size, ~WEIR_HASH_SEED);
  *result = uuid_text(worker, high, low, 8);
}

}  // extern "C"
