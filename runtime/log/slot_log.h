#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/files/host.h"
#include "runtime/protocol/recovery.h"
#include "runtime/protocol/slot.h"

namespace weir::log {

struct Options {
  std::string state_folder;  // the log is in STATE/log/a and STATE/log/b, the lock in STATE/LOCK
  std::string pipeline;
  std::string fingerprint;  // of the program
  std::string weir_version;
  bool take_over = false;  // go past a held lock
  std::uint32_t keep = 3;  // decided epochs that stay restorable, at least 1
};

/// The numbered slots of one state folder, owned by this process's generation. One thread (the coordinator).
///
/// A slot is linked if absent under its number, first in copy A, which decides who owns the number, then in copy B. An
/// append that returns success is durable in both. Failures of append:
///   fenced      another generation owns the number, or a later one exists: write nothing more, end with exit code 4
///   others      whether the slot will count is unknown until the log is read again: the attempt ends; recover()
class SlotLog {
 public:
  /// Takes the lock, reads and checks every slot, wins the next number with a fence, mends single damaged or missing
  /// copies (a warning each). Nothing is written if a slot is refused. A fresh folder gets a new lineage.
  /// Failures: already_running, slot_damaged, slot_missing, slot_version, copies_disagree, payload_invalid,
  /// foreign_state, and those of files.
  static Result<std::unique_ptr<SlotLog>> open(files::Host& host, Options options);

  /// What the slots before this generation's fence say.
  const protocol::Recovery& recovery() const { return recovery_; }
  std::uint64_t generation() const { return generation_; }
  const std::string& lineage() const { return recovery_.lineage; }

  /// The manifest's generation, pipeline and lineage are set by this call.
  Result<void> decide(protocol::Manifest manifest);
  Result<void> acknowledge(protocol::Ack ack);
  Result<void> end(protocol::Ended ended);
  Result<void> amend(protocol::Amend amend);

  /// Recovery inside the process: a new generation of the same lineage, at the next number that this process knows;
  /// fenced if another process took it. Then the log is read again, into recovery().
  Result<void> recover();

  /// Failure: fenced, if the log has a slot of a later generation. For a step that failed in another place, of which a
  /// newer owner may be the reason.
  Result<void> check_owner();

  /// Removes slots that nothing retained needs, as the newest slot says.
  Result<void> collect();

  /// Decided epochs whose state must stay restorable, ascending.
  std::vector<std::uint64_t> retained_epochs() const;

 private:
  enum class Placed { done, taken };
  enum class Attempt { once, until_won };

  SlotLog(files::Host& host, Options options);
  Result<void> take_lock();
  Result<void> start();
  /// Reads and checks the log, into slots_ and recovery_.
  Result<void> read();
  /// Makes bad copies again and removes the temporary files `stale`.
  Result<void> repair(const std::vector<std::string>& stale);
  Result<std::vector<std::string>> temporaries();
  Result<void> win_fence(const std::string& reason, Attempt attempt);
  Result<void> append(protocol::Body body, std::uint64_t epoch);
  Result<Placed> place(const protocol::Slot& slot, std::uint64_t epoch);
  Result<Placed> place_copy(const std::string& folder, const std::string& name, const std::string& text,
                            std::optional<files::Failpoint> written, std::optional<files::Failpoint> linked,
                            std::uint64_t epoch);
  Result<std::string> write_temporary(const std::string& folder, const std::string& text);
  Result<bool> superseded(std::uint64_t number);
  /// Is the newest slot that this process knows not in the folder any more, or another one?
  Result<bool> replaced();
  /// For ever: this process does nothing to the log any more.
  std::unexpected<Status> fenced(std::uint64_t number);
  std::string copy_folder(char copy) const { return options_.state_folder + "/log/" + copy; }

  files::Host& host_;
  Options options_;
  std::unique_ptr<files::Lock> lock_;
  std::vector<protocol::Slot> slots_;  // from the oldest needed one on
  protocol::Recovery recovery_;
  std::uint64_t generation_ = 0;
  std::uint64_t lowest_ = 1;  // slots below are gone
  std::uint64_t temporaries_ = 0;
  std::string fenced_;  // not empty: by what
};

}  // namespace weir::log
