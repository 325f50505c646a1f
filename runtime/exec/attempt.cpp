#include "runtime/exec/attempt.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "runtime/value/helpers.h"

namespace weir::exec {
namespace {

using files::Failpoint;

constexpr std::int64_t end_of_time = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t tick_us = 50'000;
constexpr std::int64_t progress_us = 200'000;
constexpr std::int64_t look_us = 1'000'000;
constexpr std::int64_t tell_waits_us = 5'000'000;
constexpr std::uint64_t lane_stops = 4;  // times the output that asks for an epoch

std::int64_t carried(std::int64_t max_time, std::int64_t lateness) {
  if (max_time == protocol::no_time) return protocol::no_time;
  if (max_time < protocol::no_time + 1 + lateness) return protocol::no_time + 1;
  return max_time - lateness;
}

std::int64_t watermark_of(const protocol::SourceState& source, const SourcePlan& plan) {
  std::int64_t least = end_of_time;
  for (const protocol::SplitPosition& split : source.splits)
    if (!split.ended) least = std::min(least, carried(split.max_time, plan.lateness));
  return least;
}

/// A file that was found while running; its size may have changed since it was noted.
void note_file(std::vector<protocol::FileIdentity>& files, const protocol::FileIdentity& found) {
  for (protocol::FileIdentity& known : files) {
    if (known.device != found.device || known.inode != found.inode || known.born_us != found.born_us)
      continue;
    known = found;
    return;
  }
  files.push_back(found);
}

}  // namespace

void Phase::set(std::string text) {
  std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

std::string Phase::get() const {
  std::lock_guard lock(mutex_);
  return text_;
}

std::vector<std::uint32_t> deal_operator_ids(const Plan& plan, const protocol::Manifest* from) {
  std::uint32_t next = 0;
  if (from)
    for (const protocol::OperatorState& known : from->operators) next = std::max(next, known.id + 1);
  std::vector<std::uint32_t> ids;
  for (const OperatorPlan& op : plan.operators) {
    const protocol::OperatorState* known = nullptr;
    if (from)
      for (const protocol::OperatorState& each : from->operators)
        if (each.name == op.name) known = &each;
    ids.push_back(known ? known->id : next++);
  }
  return ids;
}

Attempt::Attempt(AttemptSetup setup, const protocol::Manifest* from)
    : s_(setup),
      from_(from),
      workers_count_(std::max<std::uint32_t>(setup.options.parallelism, 1)),
      fabric_(setup.program.plan.operators.size(), workers_count_),
      board_(workers_count_, [this] { fabric_.wake_all(); }),
      epoch_(from ? from->epoch : 0) {}

Attempt::~Attempt() {
  stop_workers();
}

void Attempt::stop_workers() {
  board_.stop_workers();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

Result<void> Attempt::prepare() {
  const Plan& plan = s_.program.plan;
  s_.phase.set("opening the sources");
  std::vector<std::vector<AssignedSplit>> assigned(workers_count_);
  for (std::uint32_t at = 0; at < plan.sources.size(); ++at) {
    const SourcePlan& source = plan.sources[at];
    const protocol::SourceState* saved = nullptr;
    if (from_)
      for (const protocol::SourceState& each : from_->sources)
        if (each.name == source.name) saved = &each;
    WEIR_TRY(OpenedSource opened, s_.connectors.sources[at]->open(saved));
    protocol::SourceState state;
    if (saved) state = *saved;
    state.name = source.name;
    state.fingerprint = source.fingerprint;
    // A split that is new to the run begins at the progress that all the others had made.
    if (saved && source.timed && saved->watermark != protocol::no_time && saved->watermark != end_of_time)
      for (std::size_t split = saved->splits.size(); split < opened.positions.size(); ++split)
        opened.positions[split].max_time = saved->watermark + source.lateness;
    state.files = std::move(opened.files);
    state.splits = opened.positions;
    counted_before_.push_back({state.read, state.rejected, state.dropped, state.late});
    for (std::size_t split = 0; split < opened.splits.size(); ++split)
      assigned[split % workers_count_].push_back(
          {at, opened.positions[split], std::move(opened.splits[split])});
    sources_.push_back(std::move(state));
  }

  LaneLimits limits;
  limits.asks = s_.options.lane_bytes;
  // Without epochs, output is not cut before the end.
  bool cuts = s_.options.checkpoint != CheckpointMode::never;
  limits.stops = cuts ? lane_stops * limits.asks : 0;
  limits.waits = [this](std::uint64_t epoch) { tell_that_input_waits(epoch); };
  for (std::uint32_t worker = 0; worker < workers_count_; ++worker) {
    std::vector<std::unique_ptr<outbox::Lane>> lanes(plan.sinks.size());
    std::vector<View*> views(plan.sinks.size());
    for (std::size_t sink = 0; sink < plan.sinks.size(); ++sink) {
      BoundSink& bound = s_.connectors.sinks[sink];
      views[sink] = bound.view.get();
      if (!bound.sink) continue;
      WEIR_TRY(lanes[sink], bound.sink->open_lane(worker));
    }
    auto context = std::make_unique<Context>(s_.program, worker, static_cast<std::uint32_t>(workers_count_),
                                             fabric_, board_, std::move(lanes), std::move(views));
    workers_.push_back(std::make_unique<Worker>(s_.program, fabric_, board_, s_.host.failpoints,
                                                std::move(context), std::move(assigned[worker]), epoch_,
                                                limits));
  }
  WEIR_CHECK(restore_state());
  if (from_) {
    s_.host.failpoints.hit(Failpoint::recovery_done, epoch_);
    checkpoints_[from_->epoch] = from_->state.folder;
    for (const protocol::SinkState& sink : from_->sinks)
      for (const protocol::StagedFile& file : sink.files) files_counted_.insert(sink.name + "/" + file.name);
  }
  return {};
}

Result<void> Attempt::restore_state() {
  s_.phase.set("restoring state");
  const Plan& plan = s_.program.plan;
  if (from_ && !plan.operators.empty()) s_.host.failpoints.hit(Failpoint::recovery_restore_before, epoch_);
  std::map<std::uint32_t, std::size_t> by_id;
  for (std::size_t op = 0; op < plan.operators.size(); ++op) by_id[s_.program.operator_ids[op]] = op;
  auto row = [&](const state::RowKey& key, std::string_view value) {
    auto found = by_id.find(key.operator_id);
    if (found == by_id.end() || key.group >= WEIR_KEY_GROUPS) return false;
    std::uint64_t hash = weir_hash(key.key.data(), key.key.size());
    if (WEIR_KEY_GROUP(hash) != key.group) return false;
    std::uint32_t owner = WEIR_OWNER(key.group, workers_count_);
    return workers_[owner]->context().table(found->second).restore(key.window_end, hash, key.key, value);
  };
  if (!plan.operators.empty())
    WEIR_CHECK(s_.store.restore(from_ ? from_->state : protocol::StateCheckpoint{}, row));
  if (from_) s_.host.failpoints.hit(Failpoint::recovery_restored, epoch_);
  return {};
}

std::unexpected<Status> Attempt::failure() {
  stop_workers();
  record_failure_ = board_.record_failure();
  if (record_failure_) {
    const RecordFailure& at = *record_failure_;
    std::string place;
    if (!at.path.empty()) {
      std::uint64_t line = at.position >= 0 ? s_.connectors.sources[at.source]->line_of(
                                                  at.path, static_cast<std::uint64_t>(at.position))
                                            : 0;
      place = line ? fmt::format(" {}:{} (byte {})", at.path, line, at.position)
                   : fmt::format(" {} (byte {})", at.path, at.position);
    }
    return fail(RunError::record_failed,
                fmt::format("E{:04} in {}:{} {}", at.code, at.stage, place, at.message));
  }
  if (auto status = board_.failure()) return std::unexpected(*status);
  return fail(RunError::lane_failed, "a worker stopped");
}

Attempt::Due Attempt::what_is_due(const Board::News& news) {
  if (news.sources_done || s_.stop.count.load() > 0) return Due::last;
  switch (s_.options.checkpoint) {
    case CheckpointMode::never:
      return Due::nothing;
    case CheckpointMode::records:
      return news.quota_used_up || news.barrier_wanted ? Due::regular : Due::nothing;
    case CheckpointMode::time:
      break;
  }
  if (news.barrier_wanted) return Due::regular;
  if (s_.host.clock.steady_us() < next_due_us_) return Due::nothing;
  next_due_us_ = s_.host.clock.steady_us() + s_.options.checkpoint_every_us;
  // An epoch without anything in it is not decided, but files that are open have to get their turn to roll.
  return news.records != records_at_cut_ || open_files_ ? Due::regular : Due::nothing;
}

/// A run without input decides nothing, and would not notice at its next slot.
Result<void> Attempt::look_for_newer_owner() {
  if (s_.host.clock.steady_us() < next_look_us_) return {};
  next_look_us_ = s_.host.clock.steady_us() + look_us;
  return s_.log.check_owner();
}

Result<Finish> Attempt::run() {
  bool by_records = s_.options.checkpoint == CheckpointMode::records;
  board_.set_quota(by_records ? static_cast<std::int64_t>(s_.options.checkpoint_records) : -1);
  next_due_us_ = s_.host.clock.steady_us() + s_.options.checkpoint_every_us;
  for (auto& worker : workers_) threads_.emplace_back([&worker] { worker->run(); });
  for (;;) {
    s_.phase.set("reading");
    std::int64_t wait_us = tick_us;
    if (s_.options.checkpoint == CheckpointMode::time)
      wait_us = std::clamp<std::int64_t>(next_due_us_ - s_.host.clock.steady_us(), 0, tick_us);
    Board::News news = board_.wait(std::chrono::microseconds(wait_us), [&](const Board::News& now) {
      bool wanted = now.barrier_wanted && s_.options.checkpoint != CheckpointMode::never;
      return now.failed || now.sources_done || now.quota_used_up || wanted || s_.stop.count.load() > 0;
    });
    if (news.failed) return failure();
    WEIR_CHECK(look_for_newer_owner());
    show_progress(news);
    switch (what_is_due(news)) {
      case Due::nothing:
        continue;
      case Due::regular:
        WEIR_CHECK(epoch(BarrierKind::regular, false));
        continue;
      case Due::last:
        break;
    }
    bool ends = news.sources_ended || s_.options.drain;
    s_.host.failpoints.hit(news.sources_done ? Failpoint::end_before_last_barrier : Failpoint::stop_before,
                           epoch_);
    BarrierKind kind = s_.options.drain ? BarrierKind::drain : BarrierKind::stop;
    WEIR_CHECK(epoch(kind, ends));
    WEIR_CHECK(finish(ends));
    return ends ? Finish::ended : Finish::stopped;
  }
}

Result<void> Attempt::epoch(BarrierKind kind, bool ends) {
  std::uint64_t number = epoch_ + 1;
  s_.host.failpoints.hit(Failpoint::barrier_before, number);
  board_.request_barrier({number, kind});
  for (;;) {
    Board::News news = board_.wait(std::chrono::microseconds(tick_us),
                                   [](const Board::News& now) { return now.failed || now.cuts_complete; });
    if (news.failed) return failure();
    if (news.cuts_complete) break;
    s_.phase.set(
        fmt::format("waiting for barrier {} in worker {}", number, fmt::join(board_.missing_cuts(), ", ")));
  }
  std::vector<WorkerCut> cuts = board_.take_cuts();
  s_.host.failpoints.hit(Failpoint::barrier_done, number);
  if (kind == BarrierKind::regular && s_.options.checkpoint == CheckpointMode::records)
    board_.set_quota(static_cast<std::int64_t>(s_.options.checkpoint_records));
  WEIR_TRY(protocol::Manifest manifest, make_manifest(number, cuts, ends));
  return commit(std::move(manifest), cuts);
}

Result<protocol::Manifest> Attempt::make_manifest(std::uint64_t epoch, std::vector<WorkerCut>& cuts,
                                                  bool ends) {
  const Plan& plan = s_.program.plan;
  protocol::Manifest manifest;
  manifest.epoch = epoch;
  manifest.fingerprint = plan.fingerprint;
  manifest.parallelism = static_cast<std::uint32_t>(workers_count_);
  manifest.ended = ends;
  manifest.decided_us = s_.host.clock.wall_us();
  manifest.environment = s_.program.environment;

  std::uint64_t records = 0;
  for (std::size_t at = 0; at < sources_.size(); ++at) {
    protocol::SourceState& source = sources_[at];
    source.rejected = counted_before_[at].rejected;
    source.dropped = counted_before_[at].dropped;
    source.late = counted_before_[at].late;
    for (const WorkerCut& cut : cuts) {
      source.rejected += cut.counters[at].rejected;
      source.dropped += cut.counters[at].dropped;
      source.late += cut.counters[at].late;
      for (const WorkerCut::SplitCut& split : cut.splits) {
        if (split.source != at) continue;
        source.splits[split.position.ordinal] = split.position;
        for (const protocol::FileIdentity& file : split.found_files) note_file(source.files, file);
      }
    }
    source.read = 0;
    for (const protocol::SplitPosition& split : source.splits) source.read += split.records;
    source.watermark = watermark_of(source, plan.sources[at]);
    records += source.read - counted_before_[at].read;
  }
  records_at_cut_ = records;
  manifest.sources = sources_;

  for (std::size_t op = 0; op < plan.operators.size(); ++op) {
    const OperatorPlan& described = plan.operators[op];
    std::int64_t watermark = end_of_time;
    for (const WorkerCut& cut : cuts) watermark = std::min(watermark, cut.operator_watermarks[op]);
    manifest.operators.push_back({described.name, s_.program.operator_ids[op], described.fingerprint,
                                  described.key_columns, described.state_columns, described.lineage,
                                  described.state_size, watermark});
  }

  s_.phase.set("writing the state snapshot");
  std::vector<state::Delta> deltas;
  for (WorkerCut& cut : cuts) deltas.push_back(std::move(cut.delta));
  if (!plan.operators.empty()) {
    WEIR_TRY(manifest.state, s_.store.write(epoch, deltas));
  }

  s_.phase.set("syncing the sinks' segments");
  std::vector<std::vector<outbox::LaneCut>> lanes;
  for (std::size_t sink = 0; sink < plan.sinks.size(); ++sink) {
    if (!s_.connectors.sinks[sink].sink) continue;
    lanes.emplace_back();
    for (const WorkerCut& cut : cuts) lanes.back().push_back(cut.lanes[sink]);
  }
  WEIR_TRY(manifest.sinks, s_.outbox.prepare(epoch, lanes));
  return manifest;
}

Result<void> Attempt::commit(protocol::Manifest manifest, const std::vector<WorkerCut>& cuts) {
  s_.phase.set(fmt::format("deciding epoch {}", manifest.epoch));
  WEIR_CHECK(s_.log.decide(manifest));
  epoch_ = manifest.epoch;
  checkpoints_[epoch_] = manifest.state.folder;
  WEIR_CHECK(s_.outbox.decided());
  count(manifest, cuts);
  if (s_.observer.decided) s_.observer.decided(manifest);
  for (const protocol::SinkState& sink : manifest.sinks)
    if (!sink.files.empty())
      s_.phase.set(fmt::format("delivering epoch {} to {}", manifest.epoch, sink.target));
  WEIR_CHECK(s_.outbox.deliver());
  return collect();
}

Result<void> Attempt::collect() {
  s_.phase.set("removing what is no longer needed");
  WEIR_CHECK(s_.log.collect());
  std::vector<std::uint64_t> retained = s_.log.retained_epochs();
  std::vector<std::string> folders;
  for (auto at = checkpoints_.begin(); at != checkpoints_.end();) {
    if (std::ranges::find(retained, at->first) == retained.end() && at->first != epoch_) {
      at = checkpoints_.erase(at);
      continue;
    }
    folders.push_back(at->second);
    ++at;
  }
  // Of epochs that were decided before this process, the folders are not known here unless they are retained.
  for (std::uint64_t epoch : retained)
    if (!checkpoints_.contains(epoch)) return {};
  return s_.store.collect(epoch_, folders);
}

void Attempt::count(const protocol::Manifest& manifest, const std::vector<WorkerCut>& cuts) {
  RunReport& report = s_.report;
  report.epoch = manifest.epoch;
  ++report.epochs_decided;
  report.ended = manifest.ended;
  report.sources.clear();
  for (const protocol::SourceState& source : manifest.sources)
    report.sources.push_back({source.name, source.read, source.late, source.rejected, source.dropped});
  open_files_ = false;
  report.sinks.resize(s_.program.plan.sinks.size());
  std::size_t state_at = 0;
  for (std::size_t at = 0; at < report.sinks.size(); ++at) {
    SinkReport& sink = report.sinks[at];
    sink.name = s_.program.plan.sinks[at].name;
    if (!s_.connectors.sinks[at].sink) {
      sink.rows = 0;
      for (const WorkerCut& cut : cuts) sink.rows += cut.view_rows[at];
      continue;
    }
    const protocol::SinkState& state = manifest.sinks[state_at++];
    sink.target = state.target;
    sink.rows = state.rows;
    for (const protocol::StagedFile& file : state.files) {
      open_files_ = open_files_ || !file.rolled;
      if (file.rolled && files_counted_.insert(state.name + "/" + file.name).second) ++sink.files;
    }
  }
  report.workers.resize(workers_count_);
  for (const WorkerCut& cut : cuts) {
    report.workers[cut.worker].records = workers_[cut.worker]->view().records.load();
    report.workers[cut.worker].operator_rows = cut.operator_rows;
  }
  report.new_records = records_at_cut_;
}

Result<void> Attempt::finish(bool ends) {
  s_.phase.set("recording the last deliveries");
  if (!s_.outbox.unrecorded().empty()) {
    s_.host.failpoints.hit(Failpoint::stop_delivered, epoch_);
    WEIR_CHECK(s_.log.acknowledge({epoch_, s_.outbox.unrecorded()}));
    WEIR_CHECK(s_.outbox.recorded());
  }
  if (ends) WEIR_CHECK(s_.log.end({epoch_}));
  return collect();
}

/// The coordinator itself may hang in a call on the target.
void Attempt::tell_that_input_waits(std::uint64_t epoch) {
  std::lock_guard lock(waits_mutex_);
  std::int64_t now = s_.host.clock.steady_us();
  if (waits_since_us_ < 0 || waits_after_epoch_ != epoch) {
    waits_after_epoch_ = epoch;
    waits_since_us_ = now;
    waits_told_ = false;
  }
  if (waits_told_ || now - waits_since_us_ < tell_waits_us) return;
  waits_told_ = true;
  s_.host.logger.warning(fmt::format(
      "no input is read: there are {} MiB of output for the epoch after {}, and the program is {} s in: {}",
      (lane_stops * s_.options.lane_bytes) >> 20, epoch, (now - waits_since_us_) / 1'000'000,
      s_.phase.get()));
}

void Attempt::show_progress(const Board::News& news) {
  if (!s_.observer.progress || s_.host.clock.steady_us() < next_progress_us_) return;
  next_progress_us_ = s_.host.clock.steady_us() + progress_us;
  Progress progress;
  progress.epoch = epoch_;
  progress.records = news.records;
  progress.watermark = end_of_time;
  std::int64_t holder = -1;
  for (const auto& worker : workers_) {
    // Workers have parts of the same windows.
    progress.windows = std::max(progress.windows, worker->view().windows.load());
    std::int64_t watermark = worker->view().watermark.load();
    if (watermark >= progress.watermark) continue;
    progress.watermark = watermark;
    holder = worker->view().holder.load();
  }
  if (holder >= 0)
    progress.holder = fmt::format(
        "{} p{}", s_.program.plan.sources[static_cast<std::size_t>(holder >> 32)].name, holder & 0xffffffff);
  s_.observer.progress(progress);
}

}  // namespace weir::exec
