#include "runtime/exec/run.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime/log/reader.h"

namespace weir::exec {
namespace {

constexpr int attempts_without_progress = 3;

bool another_attempt_may_help(const Status& status) {
  switch (status.error()) {
    case RunError::disk_full:
    case RunError::sync_failed:
    case RunError::file_io:
    case RunError::lane_failed:
    case RunError::state_store:
      return true;
    default:
      return false;
  }
}

std::string join_columns(const std::vector<std::string>& columns) {
  std::string all;
  for (const std::string& column : columns) all += (all.empty() ? "" : ", ") + column;
  return "(" + all + ")";
}

}  // namespace

Run::Run(Program& program, RunOptions options, Observer observer, MakeConnectors make_connectors,
         files::Host& host, StopRequest& stop, Phase& phase)
    : program_(program),
      options_(std::move(options)),
      observer_(std::move(observer)),
      make_connectors_(std::move(make_connectors)),
      host_(host),
      stop_(stop),
      phase_(phase) {}

Run::~Run() = default;

Result<void> Run::check_manifest(const protocol::Manifest& manifest) {
  for (const auto& [name, value] : program_.environment) {
    auto before = manifest.environment.find(name);
    if (!name.starts_with("param ") || (before != manifest.environment.end() && before->second == value))
      continue;
    return fail(RunError::program_changed,
                fmt::format("{} is \"{}\", and was \"{}\" in the run of this state folder", name, value,
                            before == manifest.environment.end() ? "(not there)" : before->second));
  }
  std::string problems;
  for (const OperatorPlan& op : program_.plan.operators) {
    auto before = std::ranges::find(manifest.operators, op.name, &protocol::OperatorState::name);
    if (before == manifest.operators.end())
      problems += fmt::format("\n  {} {} {} has no state in the folder", op.name,
                              join_columns(op.key_columns), join_columns(op.state_columns));
    else if (before->fingerprint != op.fingerprint && before->key_columns == op.key_columns &&
             before->state_columns == op.state_columns)
      problems += fmt::format("\n  {} {} {} has another window than before", op.name,
                              join_columns(op.key_columns), join_columns(op.state_columns));
    else if (before->fingerprint != op.fingerprint || before->state_size != op.state_size)
      problems += fmt::format("\n  {} was {} {} and is {} {}", op.name, join_columns(before->key_columns),
                              join_columns(before->state_columns), join_columns(op.key_columns),
                              join_columns(op.state_columns));
    else if (before->lineage != op.lineage)
      problems += fmt::format("\n  {} is fed by other sources than before", op.name);
  }
  for (const protocol::OperatorState& before : manifest.operators)
    if (std::ranges::find(program_.plan.operators, before.name, &OperatorPlan::name) ==
        program_.plan.operators.end())
      problems += fmt::format("\n  {} {} {} is in the folder, and no operator takes it", before.name,
                              join_columns(before.key_columns), join_columns(before.state_columns));
  if (!problems.empty())
    return fail(
        RunError::state_changed,
        "the state folder was written by a program with other state; start over with --fresh, or run that "
        "program:" +
            problems);

  for (const protocol::SourceState& before : manifest.sources)
    if (std::ranges::find(program_.plan.sources, before.name, &SourcePlan::name) ==
        program_.plan.sources.end())
      problems += fmt::format("\n  source {} is not in the program any more", before.name);
  for (const SourcePlan& source : program_.plan.sources) {
    auto before = std::ranges::find(manifest.sources, source.name, &protocol::SourceState::name);
    if (before == manifest.sources.end())
      problems += fmt::format("\n  source {} is new", source.name);
    else if (before->fingerprint != source.fingerprint)
      problems += fmt::format("\n  source {} is read in another way than before", source.name);
  }
  for (const protocol::SinkState& before : manifest.sinks)
    if (!before.files.empty() &&
        std::ranges::find(program_.plan.sinks, before.name, &SinkPlan::name) == program_.plan.sinks.end())
      problems += fmt::format(
          "\n  sink {} has output that is not delivered, and is not in the program any more", before.name);
  if (!problems.empty())
    return fail(RunError::program_changed, "the state folder was written by another program:" + problems);
  return {};
}

Result<void> Run::check_targets(const protocol::Manifest& manifest, Connectors& connectors) {
  for (const BoundSink& bound : connectors.sinks) {
    if (!bound.sink) continue;
    auto before = std::ranges::find(manifest.sinks, bound.sink->name(), &protocol::SinkState::name);
    if (before == manifest.sinks.end() || before->target == bound.sink->target() || before->rows == 0)
      continue;
    WEIR_TRY(bool moved, bound.sink->is_claimed());
    if (moved) continue;
    if (manifest.ended)
      return fail(
          RunError::target_moved,
          fmt::format("sink {}: the run had ended, and its {} rows are in {}; nothing is in {}. Use the "
                      "old path, or start over with --fresh",
                      before->name, before->rows, before->target, bound.sink->target()));
    host_.logger.warning(
        fmt::format("sink {}: the {} rows up to epoch {} are in {}; what comes now goes to {}", before->name,
                    before->rows, manifest.epoch, before->target, bound.sink->target()));
  }
  return {};
}

/// Everything that can be refused is refused here, before the first byte is written.
Result<void> Run::check_before_start() {
  phase_.set("checking the state folder");
  // A live owner changes what is checked here. With --take-over that is found out behind the fence.
  if (options_.take_over) return {};
  std::string lock = files::join(options_.state_folder, "LOCK");
  WEIR_TRY(bool locked_once, files::exists(host_.files, lock));
  if (locked_once) {
    WEIR_TRY(auto held, host_.files.lock(lock, fmt::format("pid {}\n", ::getpid())));
  }
  std::string folder = files::join(options_.state_folder, "log");
  WEIR_TRY(log::Contents contents, log::read_log(host_.files, folder));
  WEIR_TRY(protocol::Recovery recovery, protocol::decide_recovery(contents.slots));
  if (!recovery.pipeline.empty() && recovery.pipeline != program_.plan.pipeline)
    return fail(RunError::foreign_state,
                fmt::format("{} belongs to pipeline {}, this is {}", options_.state_folder, recovery.pipeline,
                            program_.plan.pipeline));
  Connectors connectors = make_connectors_();
  if (recovery.manifest) WEIR_CHECK(check_targets(*recovery.manifest, connectors));
  for (const BoundSink& sink : connectors.sinks)
    if (sink.sink) WEIR_CHECK(sink.sink->check());
  if (!recovery.manifest) {
    for (auto& source : connectors.sources) {
      WEIR_TRY(OpenedSource opened, source->open(nullptr));
    }
    return {};
  }
  WEIR_CHECK(check_manifest(*recovery.manifest));
  state::Store store(host_, options_.state_folder);
  WEIR_CHECK(store.verify(recovery.manifest->state));
  verified_epoch_ = recovery.manifest->epoch;
  for (std::size_t at = 0; at < connectors.sources.size(); ++at) {
    auto saved = std::ranges::find(recovery.manifest->sources, program_.plan.sources[at].name,
                                   &protocol::SourceState::name);
    if (recovery.manifest->ended && !connectors.sources[at]->replayable()) continue;
    WEIR_TRY(OpenedSource opened, connectors.sources[at]->open(&*saved));
    if (recovery.manifest->ended)
      for (const protocol::SplitPosition& split : opened.positions)
        if (!split.ended)
          return fail(RunError::new_input, fmt::format("source {} has a new file, and the run has ended",
                                                       program_.plan.sources[at].name));
  }
  return {};
}

Result<void> Run::settle(outbox::Outbox& outbox, Connectors& connectors) {
  for (const BoundSink& sink : connectors.sinks) {
    if (!sink.sink) continue;
    phase_.set("claiming " + sink.sink->target());
    WEIR_CHECK(sink.sink->check());
    WEIR_CHECK(sink.sink->claim({program_.plan.pipeline, log_->lineage(), options_.replace_output}));
  }
  phase_.set("delivering what is decided");
  WEIR_CHECK(outbox.fence(log_->generation()));
  host_.failpoints.hit(files::Failpoint::recovery_read, log_->recovery().next_epoch() - 1);
  WEIR_CHECK(outbox.settle(log_->recovery()));
  if (!outbox.settled().empty())
    WEIR_CHECK(log_->acknowledge({log_->recovery().next_epoch() - 1, outbox.settled()}));
  return outbox.clean();
}

void Run::report_resumed(const protocol::Manifest& manifest) {
  report_.resumed_epoch = report_.epoch = manifest.epoch;
  report_.sources.clear();
  for (const protocol::SourceState& source : manifest.sources)
    report_.sources.push_back({source.name, source.read, source.late, source.rejected, source.dropped});
  report_.sinks.clear();
  for (const SinkPlan& sink : program_.plan.sinks) {
    SinkReport sink_report;
    sink_report.name = sink.name;
    for (const protocol::SinkState& state : manifest.sinks)
      if (state.name == sink.name) {
        sink_report.target = state.target;
        sink_report.rows = state.rows;
      }
    report_.sinks.push_back(std::move(sink_report));
  }
}

Result<void> Run::finish_ended(outbox::Outbox& outbox, Connectors& connectors) {
  WEIR_CHECK(settle(outbox, connectors));
  if (!log_->recovery().ended) WEIR_CHECK(log_->end({log_->recovery().manifest->epoch}));
  return {};
}

Result<Finish> Run::attempt(const std::string& reason) {
  ++report_.attempts;
  const protocol::Recovery& recovery = log_->recovery();
  report_.lineage = log_->lineage();
  report_.generation = log_->generation();
  const protocol::Manifest* from = recovery.manifest ? &*recovery.manifest : nullptr;
  if (from) {
    WEIR_CHECK(check_manifest(*from));
    if (report_.attempts == 1) {
      report_resumed(*from);
      if (from->fingerprint != program_.plan.fingerprint)
        host_.logger.warning(
            fmt::format("the program has changed since epoch {}: what it counted before is kept, and what "
                        "comes now is computed anew; "
                        "--fresh starts over",
                        from->epoch));
    }
  }
  program_.operator_ids = deal_operator_ids(program_.plan, from);
  if (observer_.started) observer_.started(log_->lineage(), log_->generation(), from, reason);
  Connectors connectors = make_connectors_();
  std::vector<outbox::Sink*> sinks;
  for (const BoundSink& sink : connectors.sinks)
    if (sink.sink) sinks.push_back(sink.sink.get());
  outbox::Outbox outbox(host_, sinks);
  // Otherwise it was done before the start.
  if (from && options_.take_over && report_.attempts == 1) WEIR_CHECK(check_targets(*from, connectors));
  if (from && from->ended) {
    report_.had_ended = report_.ended = true;
    WEIR_CHECK(finish_ended(outbox, connectors));
    for (std::size_t at = 0; at < connectors.sources.size(); ++at)
      if (!connectors.sources[at]->replayable())
        return fail(
            RunError::not_resumable,
            fmt::format(
                "the run in {} had come to its end; what source {} holds now was not read. Start over with "
                "--fresh, or run with another --state",
                options_.state_folder, program_.plan.sources[at].name));
    return Finish::ended;
  }
  if (from && reason != "start")
    for (const auto& source : connectors.sources)
      if (!source->replayable()) return fail(RunError::not_resumable, "the attempt failed: " + reason);
  WEIR_CHECK(settle(outbox, connectors));
  state::Store store(host_, options_.state_folder, log_->generation(), options_.journal_epochs);
  if (from && from->epoch != verified_epoch_) WEIR_CHECK(store.verify(from->state));
  AttemptSetup setup{program_, options_,   observer_, host_,  *log_,  store,
                     outbox,   connectors, stop_,     phase_, report_};
  Attempt attempt(setup, from);
  WEIR_CHECK(attempt.prepare());
  return attempt.run();
}

Result<void> Run::run() {
  WEIR_CHECK(check_before_start());
  phase_.set("opening the log");
  log::Options options;
  options.state_folder = options_.state_folder;
  options.pipeline = program_.plan.pipeline;
  options.fingerprint = program_.plan.fingerprint;
  options.weir_version = program_.plan.weir;
  options.take_over = options_.take_over;
  options.keep = options_.keep;
  WEIR_TRY(log_, log::SlotLog::open(host_, options));
  Result<void> finished = run_attempts();
  // A newer run of this pipeline takes files away from under this one, whatever step that makes fail.
  if (!finished) WEIR_CHECK(log_->check_owner());
  return finished;
}

Result<void> Run::run_attempts() {
  std::string reason = "start";
  std::uint64_t progressed_to = 0;
  for (int without_progress = 1;; ++without_progress) {
    Result<Finish> finished = attempt(reason);
    if (finished) return {};
    const Status status = finished.error();
    WEIR_CHECK(log_->check_owner());
    if (!another_attempt_may_help(status)) return std::unexpected(status);
    if (report_.epochs_decided > progressed_to) without_progress = 1;
    progressed_to = report_.epochs_decided;
    if (without_progress >= attempts_without_progress || stop_.count.load() > 0)
      return std::unexpected(status);
    reason = status.to_string();
    host_.logger.warning("the attempt failed and is recovered from the last decision: " + reason);
    phase_.set("recovering");
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * without_progress));
    if (auto recovered = log_->recover(); !recovered) {
      if (recovered.error().is(RunError::fenced)) return std::unexpected(recovered.error());
      return std::unexpected(status);
    }
  }
}

Result<void> remove_state(files::Host& host, const std::string& state_folder) {
  files::Files& all = host.files;
  std::string log = files::join(state_folder, "log");
  std::string old = files::join(state_folder, "log.old");
  WEIR_CHECK(files::remove_tree(all, old));
  WEIR_TRY(bool any, files::exists(all, log));
  if (any) {
    WEIR_CHECK(all.rename(log, old));
    WEIR_CHECK(all.sync_folder(state_folder));
  }
  WEIR_TRY(auto entries, all.list(state_folder));
  for (const files::Entry& entry : entries)
    if (entry.name == "checkpoints" || entry.name == "log.old" || entry.name.starts_with("db-") ||
        entry.name.starts_with("delta-"))
      WEIR_CHECK(files::remove_tree(all, files::join(state_folder, entry.name)));
  return {};
}

}  // namespace weir::exec
