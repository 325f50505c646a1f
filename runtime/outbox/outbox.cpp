#include "runtime/outbox/outbox.h"

#include <fmt/core.h>

#include <algorithm>

namespace weir::outbox {

using files::Failpoint;
using protocol::Acknowledged;
using protocol::SinkState;
using protocol::StagedFile;

Outbox::Outbox(files::Host& host, std::vector<Sink*> sinks) : host_(host) {
  for (Sink* sink : sinks) {
    Target& target = targets_.emplace_back();
    target.sink = sink;
    target.state.name = sink->name();
    target.state.connector = sink->connector();
    target.state.target = sink->target();
  }
}

Result<void> Outbox::fence(std::uint64_t generation) {
  for (Target& target : targets_) WEIR_CHECK(target.sink->fence(generation));
  if (!targets_.empty()) host_.failpoints.hit(Failpoint::start_sinks_fenced, epoch_);
  return {};
}

Result<void> Outbox::settle(const protocol::Recovery& recovery) {
  epoch_ = recovery.next_epoch() - 1;
  std::vector<SinkState> states;
  for (Target& target : targets_) {
    states.push_back(target.state);
    if (!recovery.manifest) continue;
    for (const SinkState& known : recovery.manifest->sinks)
      if (known.name == target.state.name) states.back() = known;
    states.back().files.clear();
  }
  for (const protocol::PendingFile& pending : recovery.pending) {
    auto state = std::ranges::find(states, pending.sink, &SinkState::name);
    bool here = state != states.end() &&
                targets_[static_cast<std::size_t>(state - states.begin())].state.target == pending.target;
    if (!here)
      return fail(
          RunError::delivery_unknown,
          fmt::format(
              "sink {}: {} was decided for {} and is not published; this program has no such sink and "
              "target. Start the program once as it was",
              pending.sink, pending.file.name, pending.target));
    state->files.push_back(pending.file);
    settled_.push_back({pending.sink, pending.file.name});
  }
  std::uint64_t generation = recovery.manifest ? recovery.manifest->generation : 0;
  for (std::size_t index = 0; index < targets_.size(); ++index)
    WEIR_CHECK(targets_[index].sink->inspect(states[index], generation));
  for (std::size_t index = 0; index < targets_.size(); ++index) {
    Target& target = targets_[index];
    WEIR_CHECK(target.sink->settle(states[index]));
    target.state.rows = states[index].rows;
    target.state.bytes = states[index].bytes;
  }
  if (recovery.manifest && !targets_.empty()) host_.failpoints.hit(Failpoint::recovery_settled, epoch_);
  return {};
}

Result<void> Outbox::clean() {
  if (!settled_.empty()) host_.failpoints.hit(Failpoint::recovery_recorded, epoch_);
  for (Target& target : targets_) WEIR_CHECK(target.sink->clean());
  if (epoch_ > 0 && !targets_.empty()) host_.failpoints.hit(Failpoint::recovery_cleaned, epoch_);
  return {};
}

Result<std::vector<SinkState>> Outbox::prepare(std::uint64_t epoch,
                                               const std::vector<std::vector<LaneCut>>& cuts) {
  epoch_ = epoch;
  std::vector<SinkState> states;
  if (!targets_.empty()) host_.failpoints.hit(Failpoint::prepare_before, epoch);
  for (std::size_t index = 0; index < targets_.size(); ++index) {
    Target& target = targets_[index];
    WEIR_CHECK(target.sink->prepare(epoch, cuts[index]));
    for (const LaneCut& cut : cuts[index]) take_cut(target, cut);
    SinkState& state = states.emplace_back(target.state);
    for (Item& item : target.items) {
      item.left_out = item.delivered;
      if (!item.left_out) state.files.push_back(item.file);
    }
  }
  host_.failpoints.hit(Failpoint::prepare_after, epoch);
  return states;
}

void Outbox::take_cut(Target& target, const LaneCut& cut) {
  target.state.rows += cut.rows;
  target.state.bytes += cut.bytes;
  if (cut.counter > 0) {
    auto marker = std::ranges::find(target.state.markers, cut.lane, &protocol::LaneMarker::lane);
    if (marker == target.state.markers.end()) marker = target.state.markers.insert(marker, {cut.lane, 0});
    marker->counter = cut.counter;
  }
  for (const StagedFile& file : cut.files) {
    auto same = [&](const Item& item) { return item.file.name == file.name; };
    auto item = std::ranges::find_if(target.items, same);
    if (item == target.items.end()) item = target.items.insert(item, Item{});
    item->file = file;
    item->decided = false;
  }
}

Result<void> Outbox::decided() {
  for (Target& target : targets_)
    for (Item& item : target.items) item.decided = true;
  return forget([](const Item& item) { return item.left_out; });
}

Result<void> Outbox::deliver() {
  for (Target& target : targets_)
    for (Item& item : target.items) {
      if (!item.decided || !item.file.rolled || item.delivered) continue;
      WEIR_CHECK(target.sink->deliver(epoch_, item.file));
      item.delivered = true;
    }
  if (!targets_.empty()) host_.failpoints.hit(Failpoint::deliver_after, epoch_);
  return {};
}

std::vector<Acknowledged> Outbox::unrecorded() const {
  std::vector<Acknowledged> files;
  for (const Target& target : targets_)
    for (const Item& item : target.items)
      if (item.delivered) files.push_back({target.state.name, item.file.name});
  return files;
}

Result<void> Outbox::recorded() {
  return forget([](const Item& item) { return item.delivered; });
}

Result<void> Outbox::forget(bool (*which)(const Item&)) {
  for (Target& target : targets_) {
    for (const Item& item : target.items) {
      if (!which(item)) continue;
      WEIR_CHECK(target.sink->forget(epoch_, item.file));
      host_.failpoints.hit(Failpoint::record_staged_removed, epoch_);
    }
    std::erase_if(target.items, which);
  }
  return {};
}

std::uint64_t Outbox::pending_bytes() const {
  std::uint64_t bytes = 0;
  for (const Target& target : targets_)
    for (const Item& item : target.items)
      if (!item.delivered) bytes += item.file.length;
  return bytes;
}

}  // namespace weir::outbox
