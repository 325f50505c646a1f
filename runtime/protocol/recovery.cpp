#include "runtime/protocol/recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

namespace weir::protocol {
namespace {

using Key = std::pair<std::string, std::string>;

/// Follows the slots in order and refuses what the protocol cannot have written.
class Reader {
 public:
  Result<void> take(const Slot& slot) {
    if (recovery_.last_slot != 0 && slot.number != recovery_.last_slot + 1)
      return wrong(slot, fmt::format("follows slot {}", recovery_.last_slot));
    if (slot.oldest > slot.number) return wrong(slot, "needs a slot after itself");
    if (kind_of(slot.body) != SlotKind::fence) WEIR_CHECK(check_owner(slot));
    WEIR_CHECK(std::visit([&](const auto& body) { return take_body(slot, body); }, slot.body));
    recovery_.last_slot = slot.number;
    return {};
  }

  Recovery finish() {
    if (!recovery_.manifest) return std::move(recovery_);
    for (const SinkState& sink : recovery_.manifest->sinks)
      for (const StagedFile& file : sink.files)
        if (!acknowledged_.contains({sink.name, file.name}))
          recovery_.pending.push_back({sink.name, sink.target, file});
    return std::move(recovery_);
  }

 private:
  static std::unexpected<Status> wrong(const Slot& slot, const std::string& what) {
    return fail(RunError::payload_invalid,
                fmt::format("slot {} ({}) {}", slot.number, to_string(kind_of(slot.body)), what));
  }

  Result<void> take_owner(const Slot& slot, const std::string& pipeline, const std::string& lineage) {
    if (recovery_.pipeline.empty()) {
      recovery_.pipeline = pipeline;
      recovery_.lineage = lineage;
    }
    if (recovery_.pipeline != pipeline || recovery_.lineage != lineage)
      return wrong(slot, fmt::format("is of pipeline {} lineage {}", pipeline, lineage));
    return {};
  }

  Result<void> check_owner(const Slot& slot) {
    // The fence of the first slots may be gone.
    if (generation_ == 0) generation_ = slot.generation;
    if (slot.generation == generation_) return {};
    return wrong(slot,
                 fmt::format("is of generation {} while {} is the owner", slot.generation, generation_));
  }

  Result<void> take_body(const Slot& slot, const Fence& fence) {
    if (slot.generation != slot.number)
      return wrong(slot, fmt::format("begins generation {}", slot.generation));
    generation_ = slot.generation;
    return take_owner(slot, fence.pipeline, fence.lineage);
  }

  Result<void> take_body(const Slot& slot, const Manifest& manifest) {
    if (manifest.generation != slot.generation)
      return wrong(slot, fmt::format("has a manifest of generation {}", manifest.generation));
    if (recovery_.manifest && manifest.epoch != recovery_.manifest->epoch + 1)
      return wrong(slot, fmt::format("decides epoch {} after {}", manifest.epoch, recovery_.manifest->epoch));
    WEIR_CHECK(take_owner(slot, manifest.pipeline, manifest.lineage));
    recovery_.manifest = manifest;
    recovery_.ended = false;
    recovery_.epochs.push_back(manifest.epoch);
    // It lists everything that was not acknowledged when it was written.
    acknowledged_.clear();
    return {};
  }

  Result<void> take_body(const Slot& slot, const Ack& ack) {
    return take_acknowledged(slot, ack.epoch, ack.files);
  }
  Result<void> take_body(const Slot& slot, const Amend& amend) {
    return take_acknowledged(slot, amend.epoch, amend.accepted);
  }

  Result<void> take_acknowledged(const Slot& slot, std::uint64_t epoch,
                                 const std::vector<Acknowledged>& files) {
    WEIR_CHECK(check_epoch(slot, epoch));
    for (const Acknowledged& file : files) acknowledged_.insert({file.sink, file.name});
    return {};
  }

  Result<void> take_body(const Slot& slot, const Ended& ended) {
    WEIR_CHECK(check_epoch(slot, ended.epoch));
    if (recovery_.manifest && !recovery_.manifest->ended)
      return wrong(slot, "follows a decision that is not the end");
    recovery_.ended = true;
    return {};
  }

  Result<void> check_epoch(const Slot& slot, std::uint64_t epoch) {
    std::uint64_t newest = recovery_.manifest ? recovery_.manifest->epoch : 0;
    if (epoch != newest)
      return wrong(slot, fmt::format("speaks of epoch {} while {} is the newest", epoch, newest));
    return {};
  }

  Recovery recovery_;
  std::uint64_t generation_ = 0;
  std::set<Key> acknowledged_;
};

}  // namespace

Result<Recovery> decide_recovery(std::span<const Slot> slots) {
  Reader reader;
  for (const Slot& slot : slots) WEIR_CHECK(reader.take(slot));
  return reader.finish();
}

std::uint64_t oldest_needed(std::span<const Slot> slots, std::uint32_t keep, bool deciding) {
  if (slots.empty()) return 1;
  std::uint64_t next = slots.back().number + 1;
  std::uint32_t left = std::max(keep, 1u);
  if (deciding && --left == 0) return next;
  for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot)
    if (kind_of(slot->body) == SlotKind::decide && --left == 0) return slot->number;
  return slots.front().number;
}

}  // namespace weir::protocol
