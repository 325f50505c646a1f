// `weir state pending STATE` and `weir state reconcile STATE`: what a state folder owes, and giving it up by hand.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "compiler/driver/command.h"
#include "runtime/ops/pending.h"

namespace weir::driver {
namespace {

struct StateOptions {
  std::string folder;
  std::vector<std::string> accepted;
  std::string reason;
};

int refuse(const Status& status) {
  std::fprintf(stderr, "weir: error: %s\n", status.to_string().c_str());
  return static_cast<int>(Exit::refused);
}

// What the process has from outside, for one command.
struct Machine {
  std::unique_ptr<files::Files> files = files::make_system_files();
  files::Failpoints failpoints;
  base::SystemClock clock;
  base::SystemRandom random;
  base::StderrLogger logger;
  files::Host host{*files, failpoints, clock, random, logger};
};

int run_pending(const StateOptions& options) {
  Machine machine;
  auto report = ops::read_pending(machine.host, options.folder);
  if (!report) return refuse(report.error());
  std::fputs(ops::to_text(*report).c_str(), stdout);
  return static_cast<int>(Exit::success);
}

int run_reconcile(const StateOptions& options) {
  Machine machine;
  auto accepted = ops::accept(machine.host, options.folder, options.accepted, options.reason);
  if (!accepted) return refuse(accepted.error());
  std::printf("recorded: %zu deliveries count as acknowledged; the next start goes on without them\n",
              options.accepted.size());
  return static_cast<int>(Exit::success);
}

}  // namespace

void add_state(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<StateOptions>();
  CLI::App* state = app.add_subcommand("state", "Look at a state folder, and settle what it owes");
  state->require_subcommand(1);
  CLI::App* pending = state->add_subcommand("pending", "List what is decided and not acknowledged");
  CLI::App* reconcile =
      state->add_subcommand("reconcile", "Give up deliveries that are lost, by the names of their files");
  for (CLI::App* command : {pending, reconcile})
    command->add_option("STATE", options->folder, "The state folder")->required();
  reconcile->add_option("--accept", options->accepted, "Counts as acknowledged from now on; may be repeated")
      ->required();
  reconcile->add_option("--reason", options->reason, "Why; is recorded in the log")->required();
  pending->callback([options, &outcome] { outcome.status = run_pending(*options); });
  reconcile->callback([options, &outcome] { outcome.status = run_reconcile(*options); });
}

}  // namespace weir::driver
