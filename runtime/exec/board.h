#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/base/status.h"
#include "runtime/outbox/sink.h"
#include "runtime/protocol/manifest.h"
#include "runtime/state/delta.h"

namespace weir::exec {

/// What a barrier asks of the sources and the lanes besides passing it.
enum class BarrierKind {
  regular,
  stop,   // the last one of this run: lanes roll
  drain,  // the same, and every split is given up where it is, so that all windows close
};

struct BarrierRequest {
  std::uint64_t epoch = 0;
  BarrierKind kind = BarrierKind::regular;
};

/// What one worker had when it had passed a barrier.
struct WorkerCut {
  struct SplitCut {
    std::uint32_t source = 0;
    protocol::SplitPosition position;
    std::vector<protocol::FileIdentity> found_files;
  };
  std::uint32_t worker = 0;
  std::vector<SplitCut> splits;
  std::vector<weir_source_counters> counters;  // by source, since the attempt began
  std::vector<std::uint64_t> operator_rows;    // by operator, since the attempt began
  std::vector<std::int64_t> operator_watermarks;
  std::vector<outbox::LaneCut> lanes;    // by sink; nothing in it for a view
  std::vector<std::uint64_t> view_rows;  // by sink, since the attempt began
  state::Delta delta;
};

/// A record error under `on error fail`.
struct RecordFailure {
  std::uint32_t code = 0;
  std::uint32_t source = 0;
  std::string stage;
  std::string message;
  std::string path;            // empty: a derived row
  std::int64_t position = -1;  // byte of the record in its file
  std::string raw;
};

/// Where workers and coordinator tell each other things. Any thread; one mutex.
class Board {
 public:
  /// `wake_workers` is called without the mutex, whenever workers should look at the board again.
  Board(std::size_t workers, std::function<void()> wake_workers);

  // By the coordinator.
  void request_barrier(BarrierRequest request);
  void stop_workers();
  /// Records that workers may take until the next call; negative: no limit.
  void set_quota(std::int64_t records);

  // By workers.
  BarrierRequest request() const;
  bool stopping() const;
  /// Takes up to `wanted` records of the quota, none if it is used up. What was not used is given back.
  std::uint64_t take_quota(std::uint64_t wanted);
  void give_back(std::uint64_t taken, std::uint64_t used);
  void post(WorkerCut cut);
  void fail(Status status);
  void fail(RecordFailure failure);
  /// Every split of the worker is ended or caught up.
  void sources_done(bool ended);
  /// A lane has much output that no barrier has cut.
  void ask_for_barrier();
  void poke();  // something for the coordinator to look at

  /// What the coordinator waits for.
  struct News {
    bool failed = false;
    bool cuts_complete = false;  // of the barrier that was requested
    bool sources_done = false;   // of all workers
    bool sources_ended = false;  // all of them by their end
    bool barrier_wanted = false;
    bool quota_used_up = false;
    std::uint64_t records = 0;  // read by all workers since the attempt began
  };
  /// Returns when `wanted` says so, or after `at_most`.
  News wait(std::chrono::microseconds at_most, const std::function<bool(const News&)>& wanted);
  std::vector<WorkerCut> take_cuts();
  std::optional<Status> failure() const;
  std::optional<RecordFailure> record_failure() const;
  /// Workers whose cut of the requested barrier is missing.
  std::vector<std::uint32_t> missing_cuts() const;

 private:
  News news() const;

  const std::size_t workers_;
  const std::function<void()> wake_workers_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  BarrierRequest request_;
  bool stopping_ = false;
  bool limited_ = false;
  std::int64_t quota_ = 0;
  std::uint64_t outstanding_ = 0;  // taken and neither used nor given back
  std::uint64_t records_ = 0;
  std::vector<WorkerCut> cuts_;
  std::size_t done_ = 0;
  std::size_t ended_ = 0;
  bool barrier_wanted_ = false;
  std::optional<Status> failure_;
  std::optional<RecordFailure> record_failure_;
};

}  // namespace weir::exec
