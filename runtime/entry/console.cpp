#include "runtime/entry/console.h"

#include <fmt/core.h>
#include <unistd.h>

#include <limits>

#include <nlohmann/json.hpp>

#include "runtime/value/helpers.h"

namespace weir::entry {
namespace {

void say(const std::string& line) {
  std::string whole = "weir: " + line + "\n";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, whole.data(), whole.size());
}

std::string time_text(std::int64_t micros) {
  if (micros < WEIR_TIME_MIN || micros > WEIR_TIME_MAX) return "none yet";
  char text[WEIR_MAX_TIMESTAMP];
  return std::string(text, weir_put_timestamp(text, micros));
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

Console::Console(const exec::Plan& plan, const Flags& flags)
    : plan_(plan), flags_(flags), terminal_(::isatty(STDERR_FILENO) == 1) {}

exec::Observer Console::observer() {
  exec::Observer observer;
  observer.started = [this](const std::string& lineage, std::uint64_t generation,
                            const protocol::Manifest* from,
                            const std::string& reason) { started(lineage, generation, from, reason); };
  if (terminal_) observer.progress = [this](const exec::Progress& now) { progress(now); };
  return observer;
}

void Console::started(const std::string& lineage, std::uint64_t generation, const protocol::Manifest* from,
                      const std::string& reason) {
  clear_line();
  if (from && from->ended && reason == "start") return;  // said at the end
  std::string how = !from               ? "new run"
                    : reason == "start" ? fmt::format("resumed from epoch {}", from->epoch)
                                        : fmt::format("recovered from epoch {}", from->epoch);
  say(fmt::format("pipeline {}, lineage {}, state in {}: {} (generation {}, {})", plan_.pipeline,
                  lineage.substr(0, 8), flags_.state_folder, how, generation,
                  counted(flags_.parallelism, "worker")));
}

void Console::progress(const exec::Progress& now) {
  std::string line = fmt::format("{} records, epoch {}", now.records, now.epoch);
  if (now.watermark != std::numeric_limits<std::int64_t>::max()) {
    line += ", watermark " + time_text(now.watermark);
    if (!now.holder.empty()) line += fmt::format(" (held by {})", now.holder);
  }
  line += fmt::format(", {} open", counted(now.windows, "window"));
  std::string shown = "\r\x1b[2K" + line;
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, shown.data(), shown.size());
  line_shown_ = true;
}

void Console::clear_line() {
  if (!line_shown_) return;
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, "\r\x1b[2K", 5);
  line_shown_ = false;
}

void Console::end(const exec::RunReport& report) {
  clear_line();
  if (report.had_ended)
    say(
        fmt::format("pipeline {}, lineage {}, state in {}: resumed from checkpoint {}, 0 new records; "
                    "--fresh starts over",
                    plan_.pipeline, report.lineage.substr(0, 8), flags_.state_folder, report.resumed_epoch));
  for (const exec::SourceReport& source : report.sources)
    say(fmt::format("source {}: {} read, {} late, {} rejected, {} dropped", source.name, source.read,
                    source.late, source.rejected, source.dropped));
  for (const exec::SinkReport& sink : report.sinks) {
    if (sink.target.empty())
      say(fmt::format("sink {}: {} to standard output, without guarantee", sink.name,
                      counted(sink.rows, "row")));
    else
      say(fmt::format("sink {}: {}, {} published, in {}", sink.name, counted(sink.rows, "row"),
                      counted(sink.files, "file"), sink.target));
  }
  for (std::size_t worker = 0; report.workers.size() > 1 && worker < report.workers.size(); ++worker) {
    std::uint64_t applied = 0;
    for (std::uint64_t rows : report.workers[worker].operator_rows) applied += rows;
    say(fmt::format("worker {}: {} read, {} applied to state", worker,
                    counted(report.workers[worker].records, "record"), counted(applied, "row")));
  }
  if (!report.had_ended)
    say(fmt::format("{} at epoch {}, {} of this start", report.ended ? "ended" : "stopped", report.epoch,
                    counted(report.new_records, "record")));
}

void Console::failure(const Status& status) {
  clear_line();
  say("error: " + status.to_string());
  if (!status.is(RunError::bad_parameter))
    say(fmt::format("`weir explain E{:04}` says what that means and what is safe to do", status.code()));
}

std::string summary_text(const exec::RunReport& report, const exec::Plan& plan, int exit_code,
                         const std::string& failure) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["pipeline"] = plan.pipeline;
  json["exit"] = exit_code;
  if (!failure.empty()) json["failure"] = failure;
  json["lineage"] = report.lineage;
  json["generation"] = report.generation;
  json["resumed_epoch"] = report.resumed_epoch;
  json["epoch"] = report.epoch;
  json["epochs_decided"] = report.epochs_decided;
  json["attempts"] = report.attempts;
  json["new_records"] = report.new_records;
  json["ended"] = report.ended;
  json["sources"] = Json::array();
  for (const exec::SourceReport& source : report.sources)
    json["sources"].push_back({{"name", source.name},
                               {"read", source.read},
                               {"late", source.late},
                               {"rejected", source.rejected},
                               {"dropped", source.dropped}});
  json["sinks"] = Json::array();
  for (const exec::SinkReport& sink : report.sinks)
    json["sinks"].push_back(
        {{"name", sink.name}, {"target", sink.target}, {"rows", sink.rows}, {"files", sink.files}});
  json["workers"] = Json::array();
  for (const exec::WorkerReport& worker : report.workers)
    json["workers"].push_back({{"records", worker.records}, {"operator_rows", worker.operator_rows}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir::entry
