#include "compiler/driver/command.h"

int main(int argc, char** argv) {
  CLI::App app{"Weir compiles streaming pipelines to native programs.", "weir"};
  app.set_version_flag("--version", "weir " WEIR_VERSION);
  app.require_subcommand(0, 1);

  weir::driver::Outcome outcome;
  weir::driver::add_commands(app, outcome);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(weir::driver::Exit::usage);
  }
  if (app.get_subcommands().empty()) {
    fputs(app.help().c_str(), stdout);
  }
  return outcome.status;
}
