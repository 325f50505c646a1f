#include "runtime/protocol/recovery.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weir::protocol {
namespace {

StagedFile staged(std::uint64_t generation, std::uint64_t counter, bool rolled) {
  StagedFile file;
  file.generation = generation;
  file.counter = counter;
  file.name = "s-" + std::to_string(generation) + "-" + std::to_string(counter);
  file.rolled = rolled;
  file.length = 10 * counter;
  return file;
}

Manifest manifest(std::uint64_t epoch, std::uint64_t generation, std::vector<StagedFile> files) {
  Manifest result;
  result.epoch = epoch;
  result.generation = generation;
  result.pipeline = "p";
  result.lineage = "l";
  SinkState sink;
  sink.name = "s";
  sink.files = std::move(files);
  result.sinks.push_back(sink);
  return result;
}

Fence fence() {
  Fence result;
  result.pipeline = "p";
  result.lineage = "l";
  return result;
}

std::vector<Slot> numbered(std::vector<std::pair<std::uint64_t, Body>> bodies, std::uint64_t first = 1) {
  std::vector<Slot> slots;
  for (auto& [generation, body] : bodies) slots.push_back({first + slots.size(), generation, first, body});
  return slots;
}

TEST(Recovery, AnEmptyLogIsABeginning) {
  auto recovery = decide_recovery({});
  ASSERT_TRUE(recovery);
  EXPECT_FALSE(recovery->manifest);
  EXPECT_EQ(recovery->next_epoch(), 1u);
  EXPECT_TRUE(recovery->pipeline.empty());
}

TEST(Recovery, ThePendingAreTheNewestManifestsWithoutWhatCameAfter) {
  auto slots = numbered({{1, fence()},
                         {1, manifest(1, 1, {staged(1, 1, true), staged(1, 2, false)})},
                         {1, Ack{1, {{"s", "s-1-1"}}}},
                         {1, manifest(2, 1, {staged(1, 2, true), staged(1, 3, false)})},
                         {1, Ack{2, {{"s", "s-1-2"}, {"other", "s-1-3"}}}}});
  auto recovery = decide_recovery(slots);
  ASSERT_TRUE(recovery);
  EXPECT_EQ(recovery->manifest->epoch, 2u);
  ASSERT_EQ(recovery->pending.size(), 1u);
  EXPECT_EQ(recovery->pending[0].file, staged(1, 3, false));
  EXPECT_EQ(recovery->epochs, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(recovery->last_slot, 5u);
}

TEST(Recovery, AnAcknowledgementCountsForItsOwnDecisionOnly) {
  // A file that a later decision lists again is pending again.
  auto slots = numbered({{1, fence()},
                         {1, manifest(1, 1, {staged(1, 1, true)})},
                         {1, Ack{1, {{"s", "s-1-1"}}}},
                         {1, manifest(2, 1, {staged(1, 1, true)})}});
  EXPECT_EQ(decide_recovery(slots)->pending.size(), 1u);
}

TEST(Recovery, AmendSettles) {
  auto slots = numbered({{1, fence()},
                         {1, manifest(1, 1, {staged(1, 1, true)})},
                         {3, fence()},
                         {3, Amend{1, "lost on purpose", {{"s", "s-1-1"}}}}});
  EXPECT_TRUE(decide_recovery(slots)->pending.empty());
}

TEST(Recovery, Ended) {
  Manifest last = manifest(1, 1, {});
  last.ended = true;
  auto slots = numbered({{1, fence()}, {1, last}, {1, Ended{1}}, {4, fence()}});
  EXPECT_TRUE(decide_recovery(slots)->ended);
  slots.push_back({5, 4, 1, manifest(2, 4, {})});
  EXPECT_FALSE(decide_recovery(slots)->ended);
}

TEST(Recovery, RefusesWhatTheProtocolCannotWrite) {
  auto refused = [](std::vector<Slot> slots) {
    auto recovery = decide_recovery(slots);
    return !recovery && recovery.error().is(RunError::payload_invalid);
  };
  auto decided = manifest(1, 1, {});
  EXPECT_TRUE(refused({{1, 1, 1, fence()}, {3, 1, 1, decided}})) << "a gap";
  EXPECT_TRUE(refused(numbered({{2, fence()}}))) << "a fence of another number";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {2, fence()}, {1, decided}})))
      << "a decision by a fenced generation";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {1, manifest(1, 7, {})}})))
      << "a manifest of another generation";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {1, decided}, {1, decided}}))) << "an epoch twice";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {1, decided}, {1, manifest(3, 1, {})}})))
      << "an epoch left out";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {1, decided}, {1, Ack{2, {}}}}))) << "an ack of a later epoch";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {1, decided}, {1, Ended{1}}}))) << "ended before the end";
  Fence other = fence();
  other.lineage = "m";
  EXPECT_TRUE(refused(numbered({{1, fence()}, {2, other}}))) << "another lineage";
}

TEST(Recovery, HowFarBackSlotsAreNeeded) {
  std::vector<Slot> none;
  EXPECT_EQ(oldest_needed(none, 3, false), 1u);
  auto slots = numbered({{1, fence()}, {1, manifest(1, 1, {})}, {1, Ack{1, {}}}, {1, manifest(2, 1, {})}});
  EXPECT_EQ(oldest_needed(slots, 3, false), 1u);
  EXPECT_EQ(oldest_needed(slots, 2, false), 2u);
  EXPECT_EQ(oldest_needed(slots, 1, false), 4u);
  EXPECT_EQ(oldest_needed(slots, 3, true), 2u);
  EXPECT_EQ(oldest_needed(slots, 2, true), 4u);
  EXPECT_EQ(oldest_needed(slots, 1, true), 5u);
  EXPECT_EQ(oldest_needed(slots, 0, true), 5u);
}

/// A writer that does one protocol step after the other and, at every prefix of its slots, says what is owed. Steps are
/// chosen by every path of a small tree, so that all short histories are seen.
class Histories {
 public:
  explicit Histories(unsigned length) : length_(length) {}
  unsigned checked = 0;

  void all() {
    World world;
    step(world);
  }

 private:
  struct World {
    std::vector<Slot> slots;
    std::uint64_t generation = 0, epoch = 0, counter = 0;
    std::vector<StagedFile> owed;       // decided and not acknowledged
    std::vector<StagedFile> delivered;  // of those, what the target has
  };

  void step(World world) {
    check(world);
    if (world.slots.size() == length_) return;
    if (world.generation == 0) return restart(world);
    restart(world);
    for (bool roll : {false, true}) decide(world, roll);
    acknowledge(world);
  }

  std::uint64_t next(const World& world) { return world.slots.size() + 1; }

  void restart(World world) {
    world.generation = next(world);
    world.slots.push_back({world.generation, world.generation, 1, fence()});
    world.counter = 0;
    step(world);
  }

  void decide(World world, bool roll) {
    // What was delivered is left out: that acknowledges it. An open file of this generation grows or rolls.
    std::erase_if(world.owed, [&](const StagedFile& file) {
      return std::ranges::find(world.delivered, file) != world.delivered.end();
    });
    world.delivered.clear();
    std::erase_if(world.owed, [&](const StagedFile& file) {
      return !file.rolled && file.generation == world.generation;
    });
    world.owed.push_back(staged(world.generation, world.counter + 1, roll));
    if (roll) ++world.counter;
    world.slots.push_back(
        {next(world), world.generation, 1, manifest(++world.epoch, world.generation, world.owed)});
    for (const StagedFile& file : world.owed)
      if (file.rolled) world.delivered.push_back(file);
    step(world);
  }

  void acknowledge(World world) {
    Ack ack{world.epoch, {}};
    for (const StagedFile& file : world.delivered) ack.files.push_back({"s", file.name});
    world.slots.push_back({next(world), world.generation, 1, ack});
    std::erase_if(world.owed, [&](const StagedFile& file) {
      return std::ranges::find(world.delivered, file) != world.delivered.end();
    });
    world.delivered.clear();
    step(world);
  }

  void check(const World& world) {
    auto recovery = decide_recovery(world.slots);
    ASSERT_TRUE(recovery) << recovery.error().to_string();
    EXPECT_EQ(recovery->next_epoch(), world.epoch + 1);
    EXPECT_EQ(recovery->last_slot, world.slots.size());
    std::vector<StagedFile> pending;
    for (const PendingFile& item : recovery->pending) pending.push_back(item.file);
    EXPECT_EQ(pending, world.owed);
    ++checked;
  }

  unsigned length_;
};

TEST(Recovery, EveryPrefixOfEveryShortHistory) {
  Histories histories(7);
  histories.all();
  EXPECT_GT(histories.checked, 5000u);
}

TEST(Slots, TextAndBack) {
  Manifest whole = manifest(3, 1, {staged(1, 2, true)});
  whole.sources.push_back({"src",
                           "ff",
                           {{"a.ndjson", 1, 2, 3, 4, 5, ~0ull}},
                           {{0, 0, 77, true, -5, 9, 8, 7}},
                           no_time,
                           1,
                           2,
                           3,
                           4});
  whole.operators.push_back({"p.aggregate", 1, "fp", {"k: string"}, {"n: count"}, {"src"}, 16, 123});
  whole.state = {"checkpoints/3", 1024, {{"000012.sst", 99, 0xffffffffu}}};
  whole.environment["weir"] = "0.1.0";
  whole.sinks[0].markers.push_back({2, 9});
  EXPECT_EQ(*parse_manifest(to_text(whole)), whole);
  for (const Body& body : {Body(fence()), Body(whole), Body(Ack{1, {{"s", "n"}}}), Body(Ended{4}),
                           Body(Amend{1, "why", {{"s", "n"}}})}) {
    Slot slot{9, 4, 2, body};
    auto back = parse_payload(9, kind_of(body), payload_text(slot));
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(*back, slot);
  }
}

TEST(Slots, RefusesIncompleteText) {
  EXPECT_FALSE(parse_manifest("{}"));
  EXPECT_FALSE(parse_manifest("{"));
  EXPECT_FALSE(parse_manifest(""));
  std::string text = to_text(manifest(1, 1, {}));
  EXPECT_FALSE(parse_manifest(text.replace(text.find("\"epoch\""), 7, "\"epoch_\"")));
  EXPECT_FALSE(parse_payload(1, SlotKind::plan, R"({"generation":1,"oldest":1,"body":{}})"));
  EXPECT_FALSE(parse_payload(1, SlotKind::ended, R"({"generation":1,"oldest":1,"body":{"epoch":"x"}})"));
}

}  // namespace
}  // namespace weir::protocol
