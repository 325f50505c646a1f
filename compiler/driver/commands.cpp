#include "compiler/driver/command.h"

#include <vector>

namespace weir::driver {

void add_commands(CLI::App& app, Outcome& outcome) {
  const std::vector<AddCommand> table = {
      add_check, add_explain, add_build, add_run, add_test, add_crash, add_state, add_help, add_completion,
  };
  for (AddCommand add : table) {
    add(app, outcome);
  }
}

}  // namespace weir::driver
