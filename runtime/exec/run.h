#pragma once

#include <memory>
#include <string>

#include "runtime/exec/attempt.h"
#include "runtime/exec/context.h"
#include "runtime/exec/options.h"
#include "runtime/files/host.h"

namespace weir::exec {

/// A run of a program on its state folder: recovers, runs attempts until the input ends, a stop, or a failure that another
/// attempt cannot mend. One thread; `stop` and `phase` from any.
class Run {
 public:
  /// `program.operator_ids` are set by the run. Everything outlives it.
  Run(Program& program, RunOptions options, Observer observer, MakeConnectors make_connectors,
      files::Host& host, StopRequest& stop, Phase& phase);
  ~Run();

  /// Success: the program may exit with 0. Failure: the last attempt's, its message ready for the user.
  Result<void> run();
  const RunReport& report() const { return report_; }

 private:
  Result<void> check_before_start();
  Result<void> run_attempts();
  Result<void> check_manifest(const protocol::Manifest& manifest);
  /// Sinks go where they went before, or to a folder that was moved.
  Result<void> check_targets(const protocol::Manifest& manifest, Connectors& connectors);
  /// After the fence: sinks are fenced, what is decided is delivered and acknowledged.
  Result<void> settle(outbox::Outbox& outbox, Connectors& connectors);
  Result<Finish> attempt(const std::string& reason);
  Result<void> finish_ended(outbox::Outbox& outbox, Connectors& connectors);
  void report_resumed(const protocol::Manifest& manifest);

  Program& program_;
  RunOptions options_;
  Observer observer_;
  MakeConnectors make_connectors_;
  files::Host& host_;
  StopRequest& stop_;
  Phase& phase_;
  std::unique_ptr<log::SlotLog> log_;
  RunReport report_;
  std::uint64_t verified_epoch_ = 0;  // whose state files are whole; 0: none
};

/// STATE is forgotten, so that the next start begins a new lineage; the old log is out of the way before anything else
/// is removed. The caller made sure that nobody runs on it.
Result<void> remove_state(files::Host& host, const std::string& state_folder);

}  // namespace weir::exec
