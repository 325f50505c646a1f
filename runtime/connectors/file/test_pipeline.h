#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/connectors/file/file_sink.h"
#include "runtime/connectors/file/output_names.h"
#include "runtime/files/test_folder.h"
#include "runtime/files/test_host.h"
#include "runtime/log/slot_log.h"
#include "runtime/outbox/outbox.h"

namespace weir::connectors::file {

/// The smallest program over log, outbox and file sink: it copies the numbers 1 to `records` to two lanes, `per_epoch` of
/// them in an epoch. What it published is then every number once, however often it was stopped.
class TestPipeline {
 public:
  struct Setting {
    std::uint64_t records = 20;
    std::uint64_t per_epoch = 3;
    std::uint64_t stop_after = UINT64_MAX;  // numbers; then it stops without end
    std::uint32_t keep = 2;
    bool take_over = false;
    bool replace_output = false;
    int recoveries = 0;  // inside the process
    std::string pipeline = "p";
    FileSinkOptions sink;
    std::function<void(std::uint64_t epoch)> after_epoch = [](std::uint64_t) {};
  };

  TestPipeline(files::Host& host, const files::TestFolder& folder, Setting setting)
      : host_(host), folder_(folder), setting_(std::move(setting)) {
    setting_.sink.name = "numbers";
    setting_.sink.target = folder / "out";
  }

  static Setting each_epoch() {
    Setting setting;
    setting.sink.roll_every_us = 0;
    return setting;
  }

  Result<void> run() {
    WEIR_CHECK(start());
    for (int left = setting_.recoveries;; --left) {
      auto done = attempt();
      if (done || left == 0 || done.error().is(RunError::fenced)) return done;
      WEIR_CHECK(log_->recover());
    }
  }

  Result<void> start() {
    sink_ = make_file_sink(host_, setting_.sink);
    WEIR_CHECK(sink_->check());
    log::Options options;
    options.state_folder = folder_ / "state";
    options.pipeline = setting_.pipeline;
    options.keep = setting_.keep;
    options.take_over = setting_.take_over;
    WEIR_TRY(log_, log::SlotLog::open(host_, options));
    return sink_->claim({setting_.pipeline, log_->lineage(), setting_.replace_output});
  }

  Result<void> attempt() {
    WEIR_CHECK(recover());
    while (position_ < setting_.records && position_ < setting_.stop_after) WEIR_CHECK(epoch());
    if (position_ < setting_.records) return {};
    return finish();
  }

  Result<void> recover() {
    const protocol::Recovery& recovery = log_->recovery();
    outbox_ = std::make_unique<outbox::Outbox>(host_, std::vector<outbox::Sink*>{sink_.get()});
    WEIR_CHECK(outbox_->fence(log_->generation()));
    WEIR_CHECK(outbox_->settle(recovery));
    epoch_ = recovery.next_epoch();
    position_ = recovery.manifest ? recovery.manifest->sources[0].splits[0].offset : 0;
    if (!outbox_->settled().empty()) WEIR_CHECK(log_->acknowledge({epoch_ - 1, outbox_->settled()}));
    WEIR_CHECK(outbox_->clean());
    lanes_.clear();
    for (std::uint32_t lane : {0, 1}) {
      WEIR_TRY(lanes_.emplace_back(), sink_->open_lane(lane));
    }
    return {};
  }

  Result<void> epoch() {
    WEIR_TRY(protocol::Manifest manifest, prepare());
    WEIR_CHECK(log_->decide(std::move(manifest)));
    WEIR_CHECK(deliver());
    return log_->collect();
  }

  Result<protocol::Manifest> prepare() {
    std::uint64_t until = std::min(position_ + setting_.per_epoch, setting_.records);
    for (; position_ < until; ++position_)
      WEIR_CHECK(lanes_[position_ % 2]->append(std::to_string(position_ + 1) + "\n", 1));
    bool last = position_ == setting_.records;
    std::vector<outbox::LaneCut> cuts;
    for (auto& lane : lanes_) {
      WEIR_TRY(cuts.emplace_back(), lane->cut(epoch_, last ? outbox::Roll::now : outbox::Roll::as_due));
    }
    protocol::Manifest manifest;
    manifest.epoch = epoch_;
    manifest.ended = last;
    protocol::SourceState source;
    source.splits.resize(1);
    source.splits[0].offset = position_;
    source.splits[0].ended = last;
    manifest.sources.push_back(source);
    WEIR_TRY(manifest.sinks, outbox_->prepare(epoch_, {cuts}));
    return manifest;
  }

  Result<void> deliver() {
    WEIR_CHECK(outbox_->decided());
    WEIR_CHECK(outbox_->deliver());
    setting_.after_epoch(epoch_);
    ++epoch_;
    return {};
  }

  Result<void> finish() {
    if (!outbox_->unrecorded().empty()) {
      WEIR_CHECK(log_->acknowledge({epoch_ - 1, outbox_->unrecorded()}));
      WEIR_CHECK(outbox_->recorded());
    }
    return log_->end({epoch_ - 1});
  }

  log::SlotLog& log() { return *log_; }
  outbox::Sink& sink() { return *sink_; }
  outbox::Outbox& outbox() { return *outbox_; }

 private:
  files::Host& host_;
  const files::TestFolder& folder_;
  Setting setting_;
  std::unique_ptr<outbox::Sink> sink_;
  std::unique_ptr<log::SlotLog> log_;
  std::unique_ptr<outbox::Outbox> outbox_;
  std::vector<std::unique_ptr<outbox::Lane>> lanes_;
  std::uint64_t epoch_ = 1;
  std::uint64_t position_ = 0;
};

/// Row -> how often it stands in published files, as somebody sees it who lists the target.
inline std::map<std::string, int> published(files::Files& files, const std::string& target,
                                            std::string_view header = "") {
  std::map<std::string, int> rows;
  auto entries = files.list(target);
  if (!entries) return rows;
  for (const files::Entry& entry : *entries) {
    if (entry.name.starts_with('.')) continue;
    auto text = files::read_whole(files, files::join(target, entry.name));
    if (!text || text->empty() || !text->starts_with(header)) {
      ++rows["bad file " + entry.name];
      continue;
    }
    for (std::size_t at = header.size(), end; at < text->size(); at = end + 1) {
      end = std::min(text->find('\n', at), text->size());
      ++rows[text->substr(at, end - at)];
    }
  }
  return rows;
}

inline std::map<std::string, int> numbers(std::uint64_t from, std::uint64_t to) {
  std::map<std::string, int> rows;
  for (std::uint64_t number = from; number <= to; ++number) rows[std::to_string(number)] = 1;
  return rows;
}

}  // namespace weir::connectors::file
