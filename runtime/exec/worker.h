#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/exec/board.h"
#include "runtime/exec/context.h"
#include "runtime/exec/inbox.h"
#include "runtime/exec/source.h"
#include "runtime/files/host.h"

namespace weir::exec {

/// A split as a worker has it at the start of an attempt.
struct AssignedSplit {
  std::uint32_t source = 0;
  protocol::SplitPosition position;
  std::unique_ptr<Split> split;  // null: ended
};

/// What others may look at while the worker runs.
struct WorkerView {
  std::atomic<std::uint64_t> records{0};
  std::atomic<std::int64_t> watermark{protocol::no_time};  // of its sources
  std::atomic<std::int64_t> holder{-1};   // source << 32 | split ordinal that holds it back; -1: none
  std::atomic<std::uint64_t> windows{0};  // open ones
};

/// How much output a lane may have that no barrier has cut.
struct LaneLimits {
  std::uint64_t asks = 64 << 20;    // bytes; the worker asks for a barrier
  std::uint64_t stops = 256 << 20;  // bytes; nobody reads input until the barrier; 0: no limit
  /// Called now and then while input waits for a full lane, with the newest epoch that was passed. Any worker's thread.
  std::function<void(std::uint64_t epoch)> waits;
};

/// One thread: reads its splits, runs all stages for its key groups, passes barriers.
///
/// Until a worker has passed a barrier with all its operators it neither reads its sources nor takes anything that came
/// behind that barrier, so that what it had at the barrier is what its positions say.
class Worker {
 public:
  Worker(const Program& program, Fabric& fabric, Board& board, files::Failpoints& failpoints,
         std::unique_ptr<Context> context, std::vector<AssignedSplit> splits, std::uint64_t last_epoch,
         LaneLimits limits = {});

  /// The thread's body; returns when the board stops the workers.
  void run();

  Context& context() { return *context_; }
  const WorkerView& view() const { return view_; }

  /// Bytes of a split that are read in one turn. Which split is next depends on the positions alone, so that with one
  /// worker the order of records does not depend on where barriers fall.
  static constexpr std::uint64_t turn_size = 256 << 10;

 private:
  struct Reading {
    AssignedSplit assigned;
    weir_split_progress progress{};
    std::uint64_t total = 0;  // bytes before the position, earlier files included
    bool done = false;        // ended or caught up
    bool ended = false;
    bool waiting = false;
    bool changed = true;  // since it was last noted
  };

  bool step_sources();
  /// After something that may have added output.
  void watch_lanes();
  Reading* next_split();
  /// Reads from one split, at most to the end of its turn. False: nothing came of it.
  bool step(Reading& reading);
  enum class Outcome { nothing, progress, stopped };
  /// Runs the stage on [piece.data, end). Stopped: no quota left, or a failure.
  Outcome try_stage(Reading& reading, const Piece& piece, const char* end, std::uint64_t max_records);
  std::uint64_t call_stage(Reading& reading, const Piece& piece, const char* end, std::uint64_t max_records);
  void finish(Reading& reading, bool ended);
  void check_sources_done();

  std::int64_t source_watermark(std::uint32_t source) const;
  void update_source_watermarks();
  std::int64_t input_watermark(std::size_t operator_index) const;
  /// Carries watermarks onward as far as they go in this worker.
  void advance();
  void close_windows(std::size_t operator_index, std::int64_t watermark);

  bool take_message();
  void begin_barrier(BarrierRequest request);
  void send_barriers();
  void complete_barrier();
  bool flush_exchanges();

  const Program& program_;
  Fabric& fabric_;
  Board& board_;
  files::Failpoints& failpoints_;
  std::unique_ptr<Context> context_;
  std::vector<Reading> splits_;
  WorkerView view_;

  std::size_t operators_;
  std::size_t workers_;
  std::uint32_t index_;
  std::vector<std::int64_t> source_watermarks_;                // by source
  std::vector<std::int64_t> watermarks_;                       // by operator: what it has closed up to
  std::vector<std::int64_t> sent_;                             // by operator: sent through its exchange
  std::vector<std::vector<std::int64_t>> channel_watermarks_;  // by operator, by sender

  std::uint64_t passed_epoch_ = 0;
  BarrierRequest barrier_;
  bool in_barrier_ = false;
  std::vector<bool> barrier_sent_;           // by operator
  std::vector<std::size_t> barriers_taken_;  // by operator: channels that delivered it
  std::vector<WorkerCut::SplitCut> noted_;
  bool told_done_ = false;
  bool final_ = false;  // the last barrier is passed
  std::uint64_t asked_at_epoch_ = 0;
  LaneLimits limits_;
  bool lane_full_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace weir::exec
