// The subcommands of `weir`. Each stands in one file command_<name>.cpp that adds itself to the application; the
// table in commands.cpp is the only list of them.
#pragma once

#include <CLI/CLI.hpp>

namespace weir::driver {

// Exit statuses, the same for every subcommand.
enum class Exit : int {
  success = 0,
  refused = 1,  // the script was rejected, a comparison found a difference, or the machine failed
  usage = 2,    // the command line is wrong
  below = 3,    // what the script guarantees is below what --require demands
};

// Where a subcommand leaves its status. Lives as long as the application.
struct Outcome {
  int status = static_cast<int>(Exit::success);
};

// Adds one subcommand with its options and a callback that sets the outcome.
using AddCommand = void (*)(CLI::App& app, Outcome& outcome);

void add_check(CLI::App& app, Outcome& outcome);
void add_explain(CLI::App& app, Outcome& outcome);
void add_build(CLI::App& app, Outcome& outcome);
void add_run(CLI::App& app, Outcome& outcome);
void add_test(CLI::App& app, Outcome& outcome);
void add_crash(CLI::App& app, Outcome& outcome);
void add_state(CLI::App& app, Outcome& outcome);
void add_help(CLI::App& app, Outcome& outcome);
void add_completion(CLI::App& app, Outcome& outcome);

// Adds every subcommand in the order in which help prints them.
void add_commands(CLI::App& app, Outcome& outcome);

}  // namespace weir::driver
