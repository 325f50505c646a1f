#include "runtime/exec/worker.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace weir::exec {
namespace {

using files::Failpoint;

constexpr std::int64_t end_of_time = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t all_records = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t steps_between_polls = 8;  // of followed splits that had nothing, while others have
constexpr auto idle = std::chrono::milliseconds(500);
// Followed splits that had nothing are asked again after so long, and after so many times what asking them took.
constexpr auto least_poll = std::chrono::milliseconds(20);
constexpr auto most_poll = std::chrono::milliseconds(1000);
constexpr int poll_pause = 100;

std::int64_t carried(std::int64_t max_time, std::int64_t lateness) {
  if (max_time == protocol::no_time) return protocol::no_time;
  if (max_time < protocol::no_time + 1 + lateness) return protocol::no_time + 1;
  return max_time - lateness;
}

}  // namespace

Worker::Worker(const Program& program, Fabric& fabric, Board& board, files::Failpoints& failpoints,
               std::unique_ptr<Context> context, std::vector<AssignedSplit> splits, std::uint64_t last_epoch,
               LaneLimits limits)
    : program_(program),
      fabric_(fabric),
      board_(board),
      failpoints_(failpoints),
      context_(std::move(context)),
      operators_(program.plan.operators.size()),
      workers_(fabric.workers()),
      index_(context_->abi()->index),
      source_watermarks_(program.plan.sources.size(), protocol::no_time),
      watermarks_(operators_, protocol::no_time),
      sent_(operators_, protocol::no_time),
      channel_watermarks_(operators_, std::vector<std::int64_t>(workers_, protocol::no_time)),
      passed_epoch_(last_epoch),
      barrier_sent_(operators_, false),
      barriers_taken_(operators_, 0),
      limits_(std::move(limits)) {
  for (AssignedSplit& assigned : splits) {
    Reading reading;
    reading.progress.max_time = assigned.position.max_time;
    reading.ended = reading.done = assigned.position.ended || !assigned.split;
    if (assigned.split) reading.total = assigned.split->total();
    reading.assigned = std::move(assigned);
    splits_.push_back(std::move(reading));
  }
}

void Worker::run() {
  Inbox& inbox = fabric_.inbox(index_);
  update_source_watermarks();
  advance();
  for (;;) {
    inbox.begin_round();
    if (board_.stopping()) return;
    if (context_->failed() || final_) {
      inbox.park(idle);
      continue;
    }
    if (take_message()) {
      watch_lanes();
      continue;
    }
    BarrierRequest request = board_.request();
    if (!in_barrier_ && request.epoch > passed_epoch_) {
      begin_barrier(request);
      continue;
    }
    auto asked = std::chrono::steady_clock::now();
    if (!in_barrier_) {
      if (step_sources()) continue;
      if (flush_exchanges()) continue;
      check_sources_done();
    }
    bool polls =
        std::ranges::any_of(splits_, [](const Reading& reading) { return reading.waiting && !reading.done; });
    if (lane_full_ && limits_.waits) limits_.waits(passed_epoch_);
    auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - asked);
    inbox.park(polls ? std::clamp<std::chrono::microseconds>(poll_pause * took, least_poll, most_poll)
                     : idle);
  }
}

// ---- sources

Worker::Reading* Worker::next_split() {
  Reading* best = nullptr;
  for (Reading& reading : splits_) {
    if (reading.done || reading.waiting) continue;
    if (!best || reading.total / turn_size < best->total / turn_size) best = &reading;
  }
  return best;
}

bool Worker::step_sources() {
  if (!fabric_.has_room(index_)) return false;
  if (++steps_ % steps_between_polls == 0)
    for (Reading& each : splits_) each.waiting = false;
  bool waited = false;
  for (;;) {
    Reading* reading = next_split();
    if (!reading) {
      // Followed splits are asked again, once per round.
      if (waited) return false;
      waited = true;
      bool any = false;
      for (Reading& each : splits_) {
        any = any || (each.waiting && !each.done);
        each.waiting = false;
      }
      if (!any) return false;
      continue;
    }
    if (step(*reading)) {
      update_source_watermarks();
      advance();
      watch_lanes();
      return true;
    }
    if (context_->failed()) return true;
    if (!reading->waiting && !reading->done) return false;  // no quota
  }
}

void Worker::watch_lanes() {
  std::uint64_t bytes = context_->lane_bytes();
  if (bytes >= limits_.asks && asked_at_epoch_ != passed_epoch_ + 1) {
    asked_at_epoch_ = passed_epoch_ + 1;
    board_.ask_for_barrier();
  }
  if (lane_full_ || limits_.stops == 0 || bytes < limits_.stops) return;
  lane_full_ = true;
  fabric_.lane_full();
}

bool Worker::step(Reading& reading) {
  Split& split = *reading.assigned.split;
  for (bool more = false;; more = true) {
    Piece piece;
    Result<Readiness> ready = split.read(piece, more);
    if (!ready) {
      context_->fail(std::move(ready).error());
      return false;
    }
    if (*ready == Readiness::waiting) {
      reading.waiting = true;
      return false;
    }
    if (*ready == Readiness::caught_up || *ready == Readiness::ended) {
      finish(reading, *ready == Readiness::ended);
      return true;
    }
    reading.total = split.total();
    std::uint64_t turn_left = turn_size - reading.total % turn_size;
    auto available = static_cast<std::uint64_t>(piece.end - piece.data);
    if (turn_left < available && !split.too_long()) {
      Outcome outcome = try_stage(reading, piece, piece.data + turn_left, all_records);
      if (outcome != Outcome::nothing) return outcome == Outcome::progress;
      // The record that begins in this turn ends behind it: it is taken alone.
      outcome = try_stage(reading, piece, piece.end, 1);
      if (outcome != Outcome::nothing) return outcome == Outcome::progress;
    } else {
      Outcome outcome = try_stage(reading, piece, piece.end, split.too_long() ? 1 : all_records);
      if (outcome != Outcome::nothing) return outcome == Outcome::progress;
    }
  }
}

Worker::Outcome Worker::try_stage(Reading& reading, const Piece& piece, const char* end,
                                  std::uint64_t max_records) {
  std::uint64_t taken = board_.take_quota(max_records);
  if (taken == 0) return Outcome::stopped;
  const Split& split = *reading.assigned.split;
  if (split.too_long()) context_->set_too_long(split.head_of_too_long());
  std::uint64_t before = reading.total;
  std::uint64_t records = call_stage(reading, piece, end, taken);
  board_.give_back(taken, records);
  context_->set_too_long({});
  if (context_->failed()) return Outcome::stopped;
  return reading.total != before ? Outcome::progress : Outcome::nothing;
}

std::uint64_t Worker::call_stage(Reading& reading, const Piece& piece, const char* end,
                                 std::uint64_t max_records) {
  weir_input input{};
  input.data = piece.data;
  input.end = end;
  input.base = piece.base;
  input.max_records = max_records;
  input.last = piece.last && end == piece.end;
  input.source = reading.assigned.source;
  input.progress = &reading.progress;
  input.path = {piece.path.data(), piece.path.size()};
  input.split = reading.assigned.position.ordinal;
  input.decoder = piece.decoder;
  input.next = piece.data;
  program_.code->source_stages[input.source](context_->abi(), &input);
  if (context_->failed()) return input.records;
  const char* next = input.next;
  // Nothing but blanks may be left behind the last record.
  if (input.last && input.records < max_records) next = end;
  auto used = static_cast<std::uint64_t>(next - piece.data);
  if (used > 0) {
    reading.assigned.split->consume(used);
    reading.changed = true;
  }
  reading.total = reading.assigned.split->total();
  reading.assigned.position.records += input.records;
  view_.records.fetch_add(input.records, std::memory_order_relaxed);
  return input.records;
}

void Worker::finish(Reading& reading, bool ended) {
  reading.done = true;
  reading.ended = ended;
  reading.changed = true;
}

void Worker::check_sources_done() {
  if (told_done_) return;
  if (!std::ranges::all_of(splits_, &Reading::done)) return;
  told_done_ = true;
  board_.sources_done(std::ranges::all_of(splits_, &Reading::ended));
}

// ---- watermarks

std::int64_t Worker::source_watermark(std::uint32_t source) const {
  const SourcePlan& plan = program_.plan.sources[source];
  std::int64_t least = end_of_time;
  for (const Reading& reading : splits_)
    if (reading.assigned.source == source && !reading.ended)
      least =
          std::min(least, plan.timed ? carried(reading.progress.max_time, plan.lateness) : protocol::no_time);
  return least;
}

void Worker::update_source_watermarks() {
  std::int64_t least = end_of_time;
  for (std::uint32_t source = 0; source < source_watermarks_.size(); ++source) {
    source_watermarks_[source] = source_watermark(source);
    least = std::min(least, source_watermarks_[source]);
  }
  view_.watermark.store(least, std::memory_order_relaxed);
  std::int64_t holder = -1;
  for (const Reading& reading : splits_) {
    if (reading.ended || holder >= 0) continue;
    const SourcePlan& plan = program_.plan.sources[reading.assigned.source];
    if (carried(reading.progress.max_time, plan.lateness) == least)
      holder = static_cast<std::int64_t>(reading.assigned.source) << 32 |
               static_cast<std::int64_t>(reading.assigned.position.ordinal);
  }
  view_.holder.store(holder, std::memory_order_relaxed);
}

std::int64_t Worker::input_watermark(std::size_t operator_index) const {
  std::int64_t least = end_of_time;
  for (const PlanInput& input : program_.plan.operators[operator_index].inputs)
    least = std::min(least, input.is_operator ? watermarks_[input.index] : source_watermarks_[input.index]);
  return least;
}

void Worker::close_windows(std::size_t operator_index, std::int64_t watermark) {
  weir_close_stage close = program_.code->close_stages[operator_index];
  weir_worker* abi = context_->abi();
  context_->table(operator_index)
      .close_until(watermark, [&](std::int64_t start, std::span<const weir_state_row> rows) {
        close(abi, start, rows.data(), rows.size());
        return abi->stop == 0;
      });
}

void Worker::advance() {
  std::uint64_t windows = 0;
  for (std::size_t op = 0; op < operators_ && !context_->failed(); ++op) {
    std::int64_t watermark = input_watermark(op);
    if (workers_ == 1) {
      if (watermark > watermarks_[op]) {
        close_windows(op, watermark);
        watermarks_[op] = watermark;
      }
    } else if (watermark > sent_[op]) {
      context_->send_rows(op);
      for (std::size_t to = 0; to < workers_; ++to) {
        Message message;
        message.kind = Message::Kind::watermark;
        message.watermark = watermark;
        fabric_.send(index_, to, op, std::move(message));
      }
      sent_[op] = watermark;
    }
    windows += context_->table(op).windows();
  }
  view_.windows.store(windows, std::memory_order_relaxed);
  for (std::size_t sink = 0; sink < program_.plan.sinks.size(); ++sink)
    if (!context_->lane(sink)) context_->drain_sink(sink);
}

// ---- exchanges and barriers

bool Worker::flush_exchanges() {
  if (workers_ == 1) return false;
  bool any = false;
  for (std::size_t op = 0; op < operators_; ++op) {
    if (!context_->has_rows(op)) continue;
    context_->send_rows(op);
    any = true;
  }
  return any;
}

bool Worker::take_message() {
  std::optional<Inbox::Taken> taken = fabric_.inbox(index_).take();
  if (!taken) return false;
  std::size_t op = taken->operator_index;
  Message& message = taken->message;
  switch (message.kind) {
    case Message::Kind::batch:
      program_.code->batch_stages[op](context_->abi(), message.rows.get(), message.size, message.count);
      fabric_.applied(taken->from, message.size);
      break;
    case Message::Kind::watermark: {
      channel_watermarks_[op][taken->from] = message.watermark;
      std::int64_t least = std::ranges::min(channel_watermarks_[op]);
      if (least > watermarks_[op]) {
        close_windows(op, least);
        watermarks_[op] = least;
        advance();
      }
      break;
    }
    case Message::Kind::barrier:
      fabric_.inbox(index_).block(op, taken->from);
      if (++barriers_taken_[op] == workers_) {
        failpoints_.hit(Failpoint::barrier_aligned, message.epoch);
        if (in_barrier_) send_barriers();
      }
      break;
  }
  return true;
}

void Worker::begin_barrier(BarrierRequest request) {
  barrier_ = request;
  in_barrier_ = true;
  if (request.kind == BarrierKind::drain) {
    for (Reading& reading : splits_) {
      if (reading.ended) continue;
      if (reading.assigned.split) reading.assigned.split->end();
      finish(reading, true);
    }
  }
  noted_.clear();
  for (Reading& reading : splits_) {
    AssignedSplit& assigned = reading.assigned;
    assigned.position.max_time = reading.progress.max_time;
    WorkerCut::SplitCut cut{assigned.source, assigned.position, {}};
    if (reading.changed && assigned.split) {
      assigned.split->note(assigned.position);
      assigned.position.ended = reading.ended;
      reading.changed = false;
    }
    cut.position = assigned.position;
    if (assigned.split) cut.found_files = assigned.split->found_files();
    noted_.push_back(std::move(cut));
  }
  failpoints_.hit(Failpoint::barrier_source, request.epoch);
  update_source_watermarks();
  advance();
  barrier_sent_.assign(operators_, false);
  send_barriers();
}

void Worker::send_barriers() {
  if (workers_ > 1) {
    for (std::size_t op = 0; op < operators_; ++op) {
      if (barrier_sent_[op]) continue;
      bool passed = true;
      for (const PlanInput& input : program_.plan.operators[op].inputs)
        if (input.is_operator && barriers_taken_[input.index] != workers_) passed = false;
      if (!passed) continue;
      context_->send_rows(op);
      for (std::size_t to = 0; to < workers_; ++to) {
        Message message;
        message.kind = Message::Kind::barrier;
        message.epoch = barrier_.epoch;
        fabric_.send(index_, to, op, std::move(message));
      }
      barrier_sent_[op] = true;
      failpoints_.hit(Failpoint::barrier_exchange, barrier_.epoch);
    }
    for (std::size_t op = 0; op < operators_; ++op)
      if (!barrier_sent_[op] || barriers_taken_[op] != workers_) return;
  }
  complete_barrier();
}

void Worker::complete_barrier() {
  if (context_->failed()) return;
  WorkerCut cut;
  cut.worker = index_;
  cut.splits = std::move(noted_);
  noted_.clear();
  context_->drain_sinks();
  outbox::Roll roll = barrier_.kind == BarrierKind::regular ? outbox::Roll::as_due : outbox::Roll::now;
  for (std::size_t sink = 0; sink < program_.plan.sinks.size(); ++sink) {
    cut.lanes.emplace_back();
    outbox::Lane* lane = context_->lane(sink);
    if (!lane) continue;
    Result<outbox::LaneCut> lane_cut = lane->cut(barrier_.epoch, roll);
    if (!lane_cut) {
      context_->fail(std::move(lane_cut).error());
      return;
    }
    cut.lanes.back() = std::move(*lane_cut);
  }
  if (context_->failed()) return;
  context_->reset_lane_bytes();
  if (lane_full_) fabric_.lane_empty();
  lane_full_ = false;
  for (std::size_t op = 0; op < operators_; ++op) context_->table(op).take_delta(cut.delta);
  cut.counters = context_->counters();
  cut.operator_rows = context_->operator_rows();
  cut.operator_watermarks = watermarks_;
  cut.view_rows = context_->view_rows();
  passed_epoch_ = barrier_.epoch;
  in_barrier_ = false;
  final_ = barrier_.kind != BarrierKind::regular;
  std::ranges::fill(barriers_taken_, 0);
  fabric_.inbox(index_).unblock_all();
  board_.post(std::move(cut));
}

}  // namespace weir::exec
