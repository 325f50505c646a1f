#pragma once

#include <string>

#include "runtime/base/logger.h"
#include "runtime/entry/flags.h"
#include "runtime/exec/options.h"
#include "runtime/exec/plan.h"

namespace weir::entry {

/// What the user sees, on standard error: the start, one progress line if that is a terminal, the end. The
/// coordinator's thread; messages of the logger come between whole lines.
class Console {
 public:
  Console(const exec::Plan& plan, const Flags& flags);

  /// Callbacks for a run; they refer to this object.
  exec::Observer observer();
  void end(const exec::RunReport& report);
  void failure(const Status& status);

 private:
  void started(const std::string& lineage, std::uint64_t generation, const protocol::Manifest* from,
               const std::string& reason);
  void progress(const exec::Progress& progress);
  void clear_line();

  const exec::Plan& plan_;
  const Flags& flags_;
  bool terminal_;
  bool line_shown_ = false;
};

/// The report as JSON text, for programs.
std::string summary_text(const exec::RunReport& report, const exec::Plan& plan, int exit_code,
                         const std::string& failure);

}  // namespace weir::entry
