#include "runtime/abi/abi.h"
#include "runtime/entry/start.h"

int main(int count, char** arguments) {
  return weir::entry::start(weir_program, count, arguments);
}
