#include <cerrno>
#include <cstring>
#include <iostream>
#include <system_error>

#include "compiler/driver/command.h"

namespace {

using weir::driver::Exit;
using weir::driver::Outcome;

int run(int argc, char** argv) {
  CLI::App app{"Weir compiles streaming pipelines to native programs.", "weir"};
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(0, 1);

  Outcome outcome;
  weir::driver::add_commands(app, outcome);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(Exit::usage);
  }
  if (app.get_subcommands().empty()) {
    fputs(app.help().c_str(), stdout);
  }
  return outcome.status;
}

}  // namespace

// Whoever saves what is printed has to know when it is not all there.
int main(int argc, char** argv) {
  int status = 0;
  bool printed = true;
  try {
    status = run(argc, argv);
  } catch (const std::system_error&) {  // of fmt, when a stream takes no more
    printed = false;
  }
  printed = fflush(stdout) == 0 && ferror(stdout) == 0 && std::cout.flush() && printed;
  if (printed) return status;
  fprintf(stderr, "weir: standard output cannot be written: %s\n", strerror(errno));
  return status == 0 ? static_cast<int>(Exit::refused) : status;
}
