#include "runtime/ops/pending.h"

#include <fmt/core.h>

#include <algorithm>

#include "runtime/connectors/file/file_sink.h"
#include "runtime/log/reader.h"
#include "runtime/log/slot_log.h"

namespace weir::ops {
namespace {

Result<std::optional<outbox::Peek>> peek(files::Host& host, const protocol::Manifest& manifest,
                                         const protocol::PendingFile& pending) {
  auto state = std::ranges::find(manifest.sinks, pending.sink, &protocol::SinkState::name);
  if (state == manifest.sinks.end() || state->connector != "file") return std::nullopt;
  connectors::file::FileSinkOptions options;
  options.name = pending.sink;
  options.target = pending.target;
  return connectors::file::make_file_sink(host, std::move(options))->peek(pending.file);
}

std::string_view words_of(std::optional<outbox::Peek> shows) {
  if (!shows) return "cannot be asked from here";
  switch (*shows) {
    case outbox::Peek::committed:
      return "published; the next start acknowledges it";
    case outbox::Peek::not_committed:
      return "staged; the next start publishes it";
    case outbox::Peek::unknown:
      break;
  }
  return "UNKNOWN: neither staged nor published as decided";
}

}  // namespace

Result<PendingReport> read_pending(files::Host& host, const std::string& state_folder) {
  PendingReport report;
  WEIR_TRY(log::Contents contents, log::read_log(host.files, files::join(state_folder, "log")));
  if (contents.slots.empty())
    return fail(RunError::file_not_found, fmt::format("{} has no log", state_folder));
  WEIR_TRY(report.recovery, protocol::decide_recovery(contents.slots));
  for (const protocol::PendingFile& pending : report.recovery.pending) {
    WEIR_TRY(auto shows, peek(host, *report.recovery.manifest, pending));
    report.deliveries.push_back({pending, shows});
  }
  return report;
}

std::string to_text(const PendingReport& report) {
  const protocol::Recovery& recovery = report.recovery;
  std::string text =
      fmt::format("pipeline {}, lineage {}, epoch {} decided, {} deliveries pending\n", recovery.pipeline,
                  recovery.lineage, recovery.next_epoch() - 1, report.deliveries.size());
  for (const auto& [pending, shows] : report.deliveries) {
    const protocol::StagedFile& file = pending.file;
    text += fmt::format("  {} {}: {} rows of epochs {}-{}, {} bytes, {}: {}\n", pending.sink, file.name,
                        file.rows, file.first_epoch, file.last_epoch, file.length,
                        file.rolled ? "rolled" : "open", words_of(shows));
  }
  return text;
}

Result<void> accept(files::Host& host, const std::string& state_folder, const std::vector<std::string>& names,
                    const std::string& reason) {
  WEIR_TRY(PendingReport report, read_pending(host, state_folder));
  protocol::Amend amend;
  amend.epoch = report.recovery.next_epoch() - 1;
  amend.reason = reason;
  for (const std::string& name : names) {
    auto found = std::ranges::find_if(
        report.deliveries, [&](const PendingDelivery& each) { return each.pending.file.name == name; });
    if (found == report.deliveries.end())
      return fail(RunError::delivery_settled, fmt::format("{} is not pending in {}", name, state_folder));
    if (found->shows && *found->shows != outbox::Peek::unknown)
      return fail(RunError::delivery_settled, fmt::format("{} is {}", name, words_of(found->shows)));
    amend.accepted.push_back({found->pending.sink, name});
  }
  log::Options options;
  options.state_folder = state_folder;
  options.pipeline = report.recovery.pipeline;
  WEIR_TRY(auto log, log::SlotLog::open(host, options));
  if (log->recovery().pending != report.recovery.pending)
    return fail(RunError::delivery_settled, "the program ran meanwhile; look again");
  return log->amend(std::move(amend));
}

}  // namespace weir::ops
