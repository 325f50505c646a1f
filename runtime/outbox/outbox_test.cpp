#include "runtime/outbox/outbox.h"

#include <gtest/gtest.h>

#include "runtime/files/test_host.h"

namespace weir::outbox {
namespace {

using protocol::StagedFile;

/// Writes down what it is asked.
class TestSink final : public Sink {
 public:
  const std::string& name() const override { return name_; }
  std::string connector() const override { return "test"; }
  std::string target() const override { return "there"; }
  Result<void> check() override { return {}; }
  Result<bool> is_claimed() override { return true; }
  Result<void> claim(const Claim&) override { return {}; }
  Result<void> fence(std::uint64_t generation) override { return say("fence " + std::to_string(generation)); }
  Result<Peek> peek(const StagedFile&) override { return Peek::unknown; }
  Result<void> inspect(const protocol::SinkState&, std::uint64_t generation) override {
    WEIR_CHECK(say("inspect " + std::to_string(generation)));
    return damaged ? fail(RunError::staged_damaged, "f9") : Result<void>();
  }
  Result<void> settle(const protocol::SinkState& state) override {
    for (const StagedFile& file : state.files) WEIR_CHECK(say("settle " + file.name));
    return say("settled");
  }
  Result<void> clean() override { return say("clean"); }
  Result<std::unique_ptr<Lane>> open_lane(std::uint32_t) override { return nullptr; }
  Result<void> prepare(std::uint64_t epoch, std::span<const LaneCut>) override {
    return say("prepare " + std::to_string(epoch));
  }
  Result<void> deliver(std::uint64_t, const StagedFile& file) override { return say("deliver " + file.name); }
  Result<void> forget(std::uint64_t, const StagedFile& file) override { return say("forget " + file.name); }

  std::string take() { return std::exchange(said_, ""); }
  bool damaged = false;

 private:
  Result<void> say(const std::string& what) {
    said_ += what + "; ";
    return {};
  }
  std::string name_ = "s";
  std::string said_;
};

StagedFile staged(const std::string& name, std::uint64_t length, bool rolled) {
  StagedFile file;
  file.name = name;
  file.length = length;
  file.rolled = rolled;
  return file;
}

LaneCut cut(std::vector<StagedFile> files, std::uint64_t counter = 1) {
  LaneCut result;
  result.counter = counter;
  result.files = std::move(files);
  result.rows = 2;
  result.bytes = 10;
  return result;
}

class OutboxTest : public testing::Test {
 protected:
  std::string prepare(std::uint64_t epoch, LaneCut lane) {
    auto states = outbox_.prepare(epoch, {{std::move(lane)}});
    EXPECT_TRUE(states);
    state_ = (*states)[0];
    std::string listed;
    for (const StagedFile& file : state_.files)
      listed += file.name + (file.rolled ? "! " : " ") + std::to_string(file.length) + "; ";
    return listed;
  }

  files::TestHost host_{files::make_system_files()};
  TestSink sink_;
  Outbox outbox_{host_.host, {&sink_}};
  protocol::SinkState state_;
};

TEST_F(OutboxTest, AFileIsListedUntilItIsDeliveredAndThatIsDecided) {
  EXPECT_EQ(prepare(1, cut({staged("f1", 10, false)})), "f1 10; ");
  ASSERT_TRUE(outbox_.decided());
  ASSERT_TRUE(outbox_.deliver());
  EXPECT_EQ(sink_.take(), "prepare 1; ");
  EXPECT_EQ(prepare(2, cut({staged("f1", 20, true)})), "f1! 20; ");
  // Not before its decision.
  ASSERT_TRUE(outbox_.deliver());
  EXPECT_EQ(sink_.take(), "prepare 2; ");
  ASSERT_TRUE(outbox_.decided());
  EXPECT_EQ(outbox_.pending_bytes(), 20u);
  ASSERT_TRUE(outbox_.deliver());
  ASSERT_TRUE(outbox_.deliver());
  EXPECT_EQ(sink_.take(), "deliver f1; ");
  EXPECT_EQ(outbox_.pending_bytes(), 0u);
  EXPECT_EQ(outbox_.unrecorded(), (std::vector<protocol::Acknowledged>{{"s", "f1"}}));
  EXPECT_EQ(prepare(3, cut({staged("f2", 5, false)}, 2)), "f2 5; ");
  EXPECT_EQ(sink_.take(), "prepare 3; ");
  ASSERT_TRUE(outbox_.decided());
  EXPECT_EQ(sink_.take(), "forget f1; ");
  EXPECT_TRUE(outbox_.unrecorded().empty());
  EXPECT_EQ(state_.rows, 6u);
  EXPECT_EQ(state_.markers, (std::vector<protocol::LaneMarker>{{0, 2}}));
}

TEST_F(OutboxTest, WhatIsNotDeliveredYetStaysListedInItsOrder) {
  prepare(1, cut({staged("f1", 10, true)}));
  ASSERT_TRUE(outbox_.decided());
  EXPECT_EQ(prepare(2, cut({staged("f2", 20, true)}, 2)), "f1! 10; f2! 20; ");
  ASSERT_TRUE(outbox_.decided());
  EXPECT_EQ(prepare(3, cut({}, 2)), "f1! 10; f2! 20; ");
  ASSERT_TRUE(outbox_.decided());
  sink_.take();
  ASSERT_TRUE(outbox_.deliver());
  EXPECT_EQ(sink_.take(), "deliver f1; deliver f2; ");
  ASSERT_TRUE(outbox_.recorded());
  EXPECT_EQ(sink_.take(), "forget f1; forget f2; ");
}

protocol::Recovery recovery(const std::string& sink, const std::string& target) {
  protocol::Recovery result;
  result.manifest.emplace();
  result.manifest->epoch = 4;
  result.manifest->generation = 9;
  protocol::SinkState state;
  state.name = "s";
  state.target = "there";
  state.rows = 100;
  result.manifest->sinks.push_back(state);
  result.pending.push_back({sink, target, staged("f1", 10, true)});
  return result;
}

TEST_F(OutboxTest, SettlesWhatTheLogOwesAndCountsOn) {
  ASSERT_TRUE(outbox_.fence(11));
  ASSERT_TRUE(outbox_.settle(recovery("s", "there")));
  ASSERT_TRUE(outbox_.clean());
  EXPECT_EQ(sink_.take(), "fence 11; inspect 9; settle f1; settled; clean; ");
  EXPECT_EQ(outbox_.settled().size(), 1u);
  prepare(5, cut({}));
  EXPECT_EQ(state_.rows, 102u);
}

TEST_F(OutboxTest, NothingIsPublishedIfAnySinkIsDamaged) {
  TestSink other;
  other.damaged = true;
  Outbox both(host_.host, {&sink_, &other});
  EXPECT_TRUE(both.settle(recovery("s", "there")).error().is(RunError::staged_damaged));
  EXPECT_EQ(sink_.take(), "inspect 9; ");
}

TEST_F(OutboxTest, WhatIsOwedToAnotherSinkOrTargetIsRefused) {
  EXPECT_TRUE(outbox_.settle(recovery("t", "there")).error().is(RunError::delivery_unknown));
  EXPECT_TRUE(outbox_.settle(recovery("s", "elsewhere")).error().is(RunError::delivery_unknown));
  EXPECT_EQ(sink_.take(), "");
}

}  // namespace
}  // namespace weir::outbox
