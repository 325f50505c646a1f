#include <gtest/gtest.h>

#include <csignal>

#include "runtime/entry/harness.h"

// A real process is killed at every failpoint that it reaches, with and without what was not synced, and started
// again: a plain listing of the targets then shows what an undisturbed run shows.
namespace weir::entry::fake {
namespace {

void fill(Harness& harness) {
  std::mt19937 random(11);
  for (const char* name : {"a0", "a1", "a2", "b0"}) harness.input(name, random_lines(random, 40));
}

Flags flags_of_crash(std::uint32_t workers) {
  Flags flags = flags_of(25, workers);
  flags.roll_every_us = 0;
  flags.journal_epochs = 1;
  return flags;
}

void kill_at_every_point(bool lossy) {
  Harness undisturbed;
  fill(undisturbed);
  ASSERT_TRUE(undisturbed.run(flags_of_crash(2)).result);
  Output wanted = undisturbed.published();
  int killed = 0;
  std::string not_hit;
  for (const files::FailpointInfo& point : files::failpoints()) {
    for (std::uint64_t hit : {1u, 3u}) {
      Harness harness;
      fill(harness);
      Harness::Child first =
          harness.run_in_child(flags_of_crash(2), files::FailOrder{point.point, hit}, lossy);
      if (first.signal == 0 && hit == 1) not_hit += std::string(point.name) + " ";
      if (first.signal == 0) continue;
      ASSERT_EQ(first.signal, SIGKILL);
      ++killed;
      Harness::Child second = harness.run_in_child(flags_of_crash(3), std::nullopt, lossy);
      EXPECT_EQ(second.signal, 0);
      EXPECT_EQ(second.exit, 0) << point.name << "@" << hit;
      EXPECT_EQ(difference(wanted, harness.published()), "")
          << point.name << "@" << hit << " lossy " << lossy;
    }
  }
  EXPECT_GT(killed, 70) << "not hit: " << not_hit;
}

// Killed once with files open and state to restore, then again at a point of the recovery or of the stop after it.
void kill_twice(bool lossy) {
  Harness undisturbed;
  fill(undisturbed);
  ASSERT_TRUE(undisturbed.run(flags_of_crash(2)).result);
  Output wanted = undisturbed.published();
  Flags flags = flags_of(25, 2);
  for (const files::FailpointInfo& point : files::failpoints()) {
    if (point.step != "recovery" && point.step != "stop" && point.step != "start") continue;
    Harness harness;
    fill(harness);
    Harness::Child first =
        harness.run_in_child(flags, files::FailOrder{files::Failpoint::barrier_before, 4}, lossy);
    ASSERT_EQ(first.signal, SIGKILL);
    Harness::Decided stop;
    if (point.name == "stop_before")
      stop = [](const protocol::Manifest&, exec::StopRequest& request) { request.count = 1; };
    Harness::Child second = harness.run_in_child(flags, files::FailOrder{point.point, 1}, lossy, stop);
    EXPECT_TRUE(second.signal == SIGKILL || point.name == "start_claim_written" ||
                point.name == "start_claim_linked")
        << point.name;
    Harness::Child third = harness.run_in_child(flags, std::nullopt, lossy);
    EXPECT_EQ(third.signal, 0);
    EXPECT_EQ(third.exit, 0) << point.name;
    EXPECT_EQ(difference(wanted, harness.published()), "") << point.name << " lossy " << lossy;
  }
}

TEST(crash_points, kept) {
  kill_at_every_point(false);
}
TEST(crash_points, unsynced_lost) {
  kill_at_every_point(true);
}
TEST(crash_points, twice_kept) {
  kill_twice(false);
}
TEST(crash_points, twice_unsynced_lost) {
  kill_twice(true);
}

}  // namespace
}  // namespace weir::entry::fake
