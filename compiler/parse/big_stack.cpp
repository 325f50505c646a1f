#include "compiler/parse/big_stack.h"

#include <pthread.h>

namespace weir::parse {

namespace {

void* call(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

void run_on_big_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  const bool started =
      pthread_attr_setstacksize(&attributes, big_stack_bytes) == 0 &&
      pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&work)) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    pthread_join(thread, nullptr);
  } else {
    work();
  }
}

}  // namespace weir::parse
