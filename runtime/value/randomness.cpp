#include <sys/random.h>

#include "runtime/value/text.h"

extern "C" {

void weir_random(void* out, uint64_t size) {
  auto* p = static_cast<char*>(out);
  while (size != 0) {
    const ssize_t got = getrandom(p, size, 0);
    if (got < 0) {
      continue;  // interrupted
    }
    p += got;
    size -= static_cast<uint64_t>(got);
  }
}

}  // extern "C"
