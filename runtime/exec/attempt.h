#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/exec/board.h"
#include "runtime/exec/context.h"
#include "runtime/exec/inbox.h"
#include "runtime/exec/options.h"
#include "runtime/exec/worker.h"
#include "runtime/files/host.h"
#include "runtime/log/slot_log.h"
#include "runtime/outbox/outbox.h"
#include "runtime/state/store.h"

namespace weir::exec {

/// Asked from outside: a signal.
struct StopRequest {
  std::atomic<int> count{0};
};

/// What the program is doing, for the message when it does not stop in time. Any thread.
class Phase {
 public:
  void set(std::string text);
  std::string get() const;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

/// How an attempt ended, if it did not fail.
enum class Finish {
  ended,    // all input was read to its end, all windows are closed
  stopped,  // asked to stop, or caught up
};

struct AttemptSetup {
  const Program& program;
  const RunOptions& options;
  const Observer& observer;
  files::Host& host;
  log::SlotLog& log;
  state::Store& store;
  outbox::Outbox& outbox;
  Connectors& connectors;
  StopRequest& stop;
  Phase& phase;
  RunReport& report;
};

/// One life of the workers, from a manifest (or the beginning) to the end, a stop or a failure. Used by the
/// coordinator's thread.
class Attempt {
 public:
  Attempt(AttemptSetup setup, const protocol::Manifest* from);
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  /// Opens sources and lanes, restores state. Nothing runs yet.
  Result<void> prepare();
  /// A failure with record_failed is a record under `on error fail`; its particulars are in record_failure().
  Result<Finish> run();

  const std::optional<RecordFailure>& record_failure() const { return record_failure_; }

 private:
  enum class Due { nothing, regular, last };

  Result<void> restore_state();
  Due what_is_due(const Board::News& news);
  Result<void> look_for_newer_owner();
  Result<void> epoch(BarrierKind kind, bool ends);
  Result<protocol::Manifest> make_manifest(std::uint64_t epoch, std::vector<WorkerCut>& cuts, bool ends);
  Result<void> commit(protocol::Manifest manifest, const std::vector<WorkerCut>& cuts);
  Result<void> finish(bool ends);
  Result<void> collect();
  void count(const protocol::Manifest& manifest, const std::vector<WorkerCut>& cuts);
  void tell_that_input_waits(std::uint64_t epoch);
  void show_progress(const Board::News& news);
  std::unexpected<Status> failure();
  void stop_workers();

  AttemptSetup s_;
  const protocol::Manifest* from_;
  std::size_t workers_count_;
  Fabric fabric_;
  Board board_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;

  std::vector<protocol::SourceState> sources_;  // as of the newest cut
  std::vector<weir_source_counters> counted_before_;
  std::uint64_t epoch_;               // newest decided
  std::uint64_t records_at_cut_ = 0;  // of this attempt
  bool open_files_ = false;           // some staged file waits for its roll
  std::int64_t next_due_us_ = 0;
  std::int64_t next_look_us_ = 0;
  std::int64_t next_progress_us_ = 0;
  std::set<std::string> files_counted_;
  std::mutex waits_mutex_;  // guards the three below
  std::uint64_t waits_after_epoch_ = 0;
  std::int64_t waits_since_us_ = -1;
  bool waits_told_ = false;
  std::optional<RecordFailure> record_failure_;
  std::map<std::uint64_t, std::string> checkpoints_;  // state folder by decided epoch
};

/// Rows of operators are found by id; ids are dealt once per lineage, by name.
std::vector<std::uint32_t> deal_operator_ids(const Plan& plan, const protocol::Manifest* from);

}  // namespace weir::exec
