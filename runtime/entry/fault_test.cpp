#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "runtime/entry/harness.h"
#include "runtime/files/faulty.h"

// The disk refuses one operation, or every one from some moment on: the run recovers by itself or stops, and in the end
// everything is published once.
namespace weir::entry::fake {
namespace {

void fill(Harness& harness) {
  std::mt19937 random(5);
  for (const char* name : {"a0", "a1", "b0"}) harness.input(name, random_lines(random, 40));
}

Output undisturbed() {
  Harness harness;
  fill(harness);
  EXPECT_TRUE(harness.run(flags_of(1000, 1)).result);
  return harness.published();
}

void fail_at(const std::string& plan_text, const Output& wanted, int* recovered) {
  Harness harness;
  fill(harness);
  auto plan = files::parse_fault_plan(plan_text);
  ASSERT_TRUE(plan);
  auto faulty = files::make_faulty_files(files::make_system_files(), *plan);
  Flags flags = flags_of(25, 2);
  flags.roll_every_us = 0;
  auto first = harness.run(flags, nullptr, faulty.get());
  if (first.result && first.report.attempts > 1) ++*recovered;
  if (!first.result) {
    auto second = harness.run(flags);
    ASSERT_TRUE(second.result) << plan_text << " " << second.result.error().to_string();
  }
  EXPECT_EQ(difference(wanted, harness.published()), "") << plan_text;
}

TEST(faults, one_operation_fails) {
  Output wanted = undisturbed();
  int recovered = 0;
  for (int at = 1; at < 900; at += 13) {
    fail_at(fmt::format("any@{}:{}", at, at % 2 ? "ENOSPC" : "EIO"), wanted, &recovered);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(recovered, 10);
}

TEST(faults, the_disk_is_full_from_now_on) {
  Output wanted = undisturbed();
  int recovered = 0;
  for (int at = 5; at < 600; at += 97) fail_at(fmt::format("append@{}+:ENOSPC", at), wanted, &recovered);
}

TEST(faults, a_target_on_a_full_disk_is_named_so) {
  Harness harness;
  fill(harness);
  auto plan = files::parse_fault_plan("append@1+:ENOSPC");
  ASSERT_TRUE(plan);
  auto faulty = files::make_faulty_files(files::make_system_files(), *plan);
  auto ended = harness.run(flags_of(25, 2), nullptr, faulty.get());
  ASSERT_FALSE(ended.result);
  EXPECT_TRUE(ended.result.error().is(RunError::disk_full)) << ended.result.error().to_string();
  EXPECT_NE(ended.result.error().message().find("sink evens, target " + harness.path("out/evens")),
            std::string::npos)
      << ended.result.error().to_string();
}

// Publishing hangs for a while: what is staged meanwhile has a limit, and then the sources wait.
TEST(faults, a_slow_target_stops_the_sources) {
  Harness harness;
  std::string lines;
  for (int at = 0; at < 600'000; ++at) lines += "a1 5 2\n";
  harness.input("a0", lines);
  harness.input("b0", "a1 5 2\n");
  auto staged = [&] {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(harness.path("out/evens")))
      if (entry.is_regular_file() && entry.path().string().find(".weir") != std::string::npos)
        bytes += entry.file_size();
    return bytes;
  };
  std::uintmax_t grown = 0;
  bool slow = true;
  auto faulty = files::make_faulty_files(
      files::make_system_files(), [&](files::Operation operation, const std::string& path) -> files::Fault {
        if (!slow || operation != files::Operation::link ||
            path.find("out/evens/evens-") == std::string::npos)
          return {};
        slow = false;
        std::uintmax_t before = staged();
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        grown = staged() - before;
        return {};
      });
  Flags flags;
  flags.checkpoint_every_us = 1000;
  flags.roll_every_us = 0;
  flags.lane_bytes = 64 << 10;
  auto ended = harness.run(flags, nullptr, faulty.get());
  ASSERT_TRUE(ended.result) << ended.result.error().to_string();
  EXPECT_FALSE(slow);
  EXPECT_LT(grown, 1u << 20);  // four times the bytes that ask for an epoch, and what is under way
  EXPECT_GT(ended.report.epochs_decided, 2u);
  EXPECT_EQ(harness.published()["evens"].size(), 1u);
}

// Two runs of one pipeline: the older one is suspended, and wakes when the newer is done.
TEST(faults, a_zombie_changes_nothing_and_says_that_it_was_fenced) {
  for (files::Failpoint point : {files::Failpoint::barrier_done, files::Failpoint::decide_temporary_a,
                                 files::Failpoint::deliver_before, files::Failpoint::prepare_after}) {
    Harness harness;
    fill(harness);
    Flags flags = flags_of(25, 2);
    flags.roll_every_us = 0;
    pid_t zombie = harness.suspended_child(flags, {point, 2, files::FailAction::stop});
    Flags newer = flags;
    EXPECT_EQ(harness.run_in_child(newer, std::nullopt).exit, 1);  // the lock is held
    newer.take_over = true;
    EXPECT_EQ(harness.run_in_child(newer, std::nullopt).exit, 0);
    EXPECT_EQ(difference(undisturbed(), harness.published()), "");
    EXPECT_EQ(Harness::wake(zombie), 4);
    EXPECT_EQ(difference(undisturbed(), harness.published()), "");
  }
}

// The newer run has decided the same epochs, and is only stopped: its state must be whole after that.
TEST(faults, a_zombie_does_not_touch_newer_state) {
  for (files::Failpoint point :
       {files::Failpoint::barrier_done, files::Failpoint::snapshot_before, files::Failpoint::snapshot_written,
        files::Failpoint::snapshot_synced, files::Failpoint::snapshot_checkpoint_linked,
        files::Failpoint::deliver_after}) {
    Harness harness;
    fill(harness);
    Flags flags = flags_of(25, 2);
    flags.journal_epochs = point == files::Failpoint::snapshot_synced ? 10 : 0;
    pid_t zombie = harness.suspended_child(flags, {point, 2, files::FailAction::stop});
    Flags newer = flags;
    newer.take_over = true;
    auto stop_soon = [](const protocol::Manifest& manifest, exec::StopRequest& stop) {
      if (manifest.epoch == 2) stop.count = 1;
    };
    EXPECT_EQ(harness.run_in_child(newer, std::nullopt, false, stop_soon).exit, 0);
    EXPECT_EQ(Harness::wake(zombie), 4);
    EXPECT_EQ(harness.run_in_child(flags, std::nullopt).exit, 0) << static_cast<int>(point);
    EXPECT_EQ(difference(undisturbed(), harness.published()), "");
  }
}

// The older one is suspended in its own start; the newer has staged output that is decided and not published, and dies.
TEST(faults, a_start_that_was_fenced_does_not_touch_newer_output) {
  for (files::Failpoint point :
       {files::Failpoint::start_fenced, files::Failpoint::start_sinks_fenced, files::Failpoint::recovery_read,
        files::Failpoint::recovery_settled, files::Failpoint::recovery_recorded,
        files::Failpoint::recovery_cleaned, files::Failpoint::recovery_restore_before,
        files::Failpoint::recovery_restored, files::Failpoint::recovery_done}) {
    Harness harness;
    fill(harness);
    Flags flags = flags_of(25, 2);
    EXPECT_EQ(harness.run_in_child(flags, files::FailOrder{files::Failpoint::barrier_before, 3}).signal,
              SIGKILL);
    pid_t zombie = harness.suspended_child(flags, {point, 1, files::FailAction::stop});
    Flags newer = flags;
    newer.take_over = true;
    EXPECT_EQ(harness.run_in_child(newer, files::FailOrder{files::Failpoint::barrier_before, 3}).signal,
              SIGKILL);
    EXPECT_EQ(Harness::wake(zombie), 4) << static_cast<int>(point);
    EXPECT_EQ(harness.run_in_child(flags, std::nullopt).exit, 0) << static_cast<int>(point);
    EXPECT_EQ(difference(undisturbed(), harness.published()), "") << static_cast<int>(point);
  }
}

}  // namespace
}  // namespace weir::entry::fake
