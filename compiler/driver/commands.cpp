#include "compiler/driver/command.h"

#include <vector>

namespace weir::driver {

void add_commands(CLI::App& app, Outcome& outcome) {
  const std::vector<AddCommand> table = {
      // One line per subcommand: add_check, add_build, …
  };
  for (AddCommand add : table) {
    add(app, outcome);
  }
}

}  // namespace weir::driver
