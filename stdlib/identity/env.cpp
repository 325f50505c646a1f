/*weir
A variable of the environment; absent when it is not set. It belongs to the host: use a `param`.

fn env(name: string) -> string? host

examples:
*/
#include "stdlib/native.h"

#include <cstdlib>

using namespace weir::stdlib;

extern "C" {

void weir_fn_env(weir_worker* worker, OptionalString* result, const char* name, uint64_t size) {
  *result = {};
  auto* copy = static_cast<char*>(weir_scratch_take(worker, size + 1));
  *weir_put_bytes(copy, name, size) = '\0';
  const char* value = getenv(copy);
  if (value != nullptr && weir_utf8_valid(value, std::strlen(value)) != 0) {
    *result = {{value, std::strlen(value)}, 1};
  }
}

}  // extern "C"
