// The smallest pipeline, killed and failed everywhere, with unsynced data lost. Judged by published rows alone.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "runtime/connectors/file/test_pipeline.h"
#include "runtime/files/faulty.h"
#include "runtime/files/lossy.h"

namespace weir::connectors::file {
namespace {

using files::Fault;
using files::Operation;
using files::TestFolder;
using files::TestHost;

TestPipeline::Setting setting(int variant) {
  TestPipeline::Setting result;
  result.records = 12;
  result.per_epoch = 3;
  if (variant == 0) result.sink.roll_every_us = 0;  // every epoch
  if (variant == 1) result.sink.roll_size = 5;      // some epochs
  return result;                                    // else: at the end only
}

/// Runs the pipeline in a child that dies before its nth change of the disk. False: it came to its end before.
bool run_and_die(const TestFolder& folder, int variant, unsigned nth, std::uint64_t seed) {
  pid_t child = ::fork();
  if (child == 0) {
    unsigned count = 0;
    auto plan = [&](Operation, const std::string&) {
      if (++count == nth) std::raise(SIGKILL);
      return Fault{};
    };
    TestHost host(files::make_faulty_files(files::make_lossy_files(), plan), seed);
    auto done = TestPipeline(host.host, folder, setting(variant)).run();
    if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
    ::_exit(done ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) {
    EXPECT_EQ(WEXITSTATUS(status), 0) << "variant " << variant << " operation " << nth;
  }
  return WIFSIGNALED(status);
}

/// What somebody sees at any moment: no row twice, no half file, and what is there is a beginning of each lane's rows.
void expect_beginning(const TestFolder& folder, const std::string& where) {
  auto system = files::make_system_files();
  auto rows = published(*system, folder / "out");
  std::uint64_t most[2] = {0, 0};
  std::uint64_t seen[2] = {0, 0};
  for (const auto& [row, times] : rows) {
    EXPECT_EQ(times, 1) << where << " row " << row;
    std::uint64_t number = std::strtoull(row.c_str(), nullptr, 10);
    ASSERT_GT(number, 0u) << where << " " << row;
    most[number % 2] = std::max(most[number % 2], number);
    ++seen[number % 2];
  }
  for (int lane : {0, 1}) EXPECT_EQ(seen[lane], (most[lane] + 1) / 2) << where << " lane " << lane;
}

void expect_exact(const TestFolder& folder, int variant, const std::string& where, std::uint64_t seed = 77) {
  TestHost host(files::make_lossy_files(), seed);
  auto done = TestPipeline(host.host, folder, setting(variant)).run();
  ASSERT_TRUE(done) << where << ": " << done.error().to_string();
  EXPECT_EQ(published(*files::make_system_files(), folder / "out"), numbers(1, 12)) << where;
  for (const std::string& message : host.logger.messages)
    EXPECT_EQ(message.find("damaged"), std::string::npos) << where << message;
}

TEST(Crash, AtEveryChangeOfTheDisk) {
  for (int variant : {0, 1, 2})
    for (unsigned nth = 1;; ++nth) {
      TestFolder folder;
      std::string where = "variant " + std::to_string(variant) + " operation " + std::to_string(nth);
      bool died = run_and_die(folder, variant, nth, 1);
      expect_beginning(folder, where);
      expect_exact(folder, variant, where);
      if (HasFailure()) return;
      if (died) continue;
      EXPECT_GT(nth, 80u);
      break;
    }
}

TEST(Crash, TwiceInARow) {
  for (int variant : {0, 1, 2})
    for (unsigned first = 24; first < 110; first += 17)
      for (unsigned second = 1; second < 60; second += 5) {
        TestFolder folder;
        std::string where = "variant " + std::to_string(variant) + " operations " + std::to_string(first) +
                            " and " + std::to_string(second);
        run_and_die(folder, variant, first, 1);
        run_and_die(folder, variant, second, 2);
        expect_beginning(folder, where);
        expect_exact(folder, variant, where);
        if (HasFailure()) return;
      }
}

/// Each operation fails once, or tears its write; the pipeline recovers inside the process. Then the power goes.
TEST(Faults, EveryOperationFailsOnce) {
  for (int variant : {0, 1, 2})
    for (bool torn : {false, true})
      for (unsigned nth = 1;; ++nth) {
        TestFolder folder;
        std::string where = "variant " + std::to_string(variant) + " operation " + std::to_string(nth);
        unsigned count = 0;
        auto plan = [&](Operation operation, const std::string&) {
          if (torn && operation != Operation::append) return Fault{};
          return ++count == nth ? Fault{EIO, torn} : Fault{};
        };
        auto done = Result<void>();
        {
          // What this layer holds back is lost with it.
          TestHost host(files::make_faulty_files(files::make_lossy_files(), plan));
          auto with_recovery = setting(variant);
          with_recovery.recoveries = 1;
          done = TestPipeline(host.host, folder, with_recovery).run();
        }
        expect_beginning(folder, where);
        // A failure at the start ends the program.
        if (done) {
          EXPECT_EQ(published(*files::make_system_files(), folder / "out"), numbers(1, 12)) << where;
        }
        expect_exact(folder, variant, where);
        if (HasFailure()) return;
        if (count < nth) break;
      }
}

TEST(Faults, FromEachOperationOnTheDiskIsFull) {
  for (unsigned nth = 1;; nth += 2) {
    TestFolder folder;
    std::string where = "operation " + std::to_string(nth);
    unsigned count = 0;
    {
      auto plan = [&](Operation operation, const std::string&) {
        bool needs_space = operation != Operation::unlink && operation != Operation::remove_folder;
        return ++count >= nth && needs_space ? Fault{ENOSPC} : Fault{};
      };
      TestHost host(files::make_faulty_files(files::make_lossy_files(), plan));
      auto with_recovery = setting(0);
      with_recovery.recoveries = 3;
      auto done = TestPipeline(host.host, folder, with_recovery).run();
      if (count < nth) break;
      ASSERT_FALSE(done) << where;
      EXPECT_TRUE(done.error().system_error() == ENOSPC) << done.error().to_string();
    }
    expect_beginning(folder, where);
    expect_exact(folder, 0, where);
    if (HasFailure()) return;
  }
}

/// Dies at the nth hit of a failpoint. False: it came to its end before.
bool run_to(const TestFolder& folder, const TestPipeline::Setting& how, files::Failpoint point,
            std::uint64_t nth, std::uint64_t seed) {
  pid_t child = ::fork();
  if (child == 0) {
    auto points = files::Failpoints::make({files::FailOrder{point, nth}}, "");
    TestHost host(files::make_lossy_files(), seed, *std::move(points));
    ::_exit(TestPipeline(host.host, folder, how).run() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

TEST(Crash, C004KilledTwentyTimesBetweenDecisionAndDelivery) {
  for (int variant : {0, 2}) {
    TestFolder folder;
    TestPipeline::Setting how = setting(variant);
    how.records = 63;
    for (std::uint64_t time = 1; time <= 20; ++time) {
      ASSERT_TRUE(run_to(folder, how, files::Failpoint::decide_after, 1, time));
      // What was decided before is visible, once; the newest is not yet.
      EXPECT_EQ(published(*files::make_system_files(), folder / "out"), numbers(1, 3 * (time - 1))) << time;
    }
    TestHost host(files::make_lossy_files(), 99);
    ASSERT_TRUE(TestPipeline(host.host, folder, how).run());
    EXPECT_EQ(published(*files::make_system_files(), folder / "out"), numbers(1, 63));
  }
}

TEST(Crash, C007KilledAroundThePublication) {
  using files::Failpoint;
  for (int variant : {0, 2})
    for (Failpoint point : {Failpoint::prepare_after, Failpoint::deliver_linked, Failpoint::deliver_after})
      for (std::uint64_t nth : {1, 2}) {
        TestFolder folder;
        run_to(folder, setting(variant), point, nth, 1);
        expect_beginning(folder, "killed");
        TestHost host(files::make_system_files(), 99);
        ASSERT_TRUE(TestPipeline(host.host, folder, setting(variant)).run());
        // A plain listing shows rows only, and nothing is left staged.
        auto system = files::make_system_files();
        EXPECT_EQ(published(*system, folder / "out"), numbers(1, 12));
        for (const auto& entry : *system->list(folder / "out/.weir/numbers"))
          EXPECT_TRUE(system->list(folder / ("out/.weir/numbers/" + entry.name))->empty()) << entry.name;
      }
}

/// A kill at each failpoint of the parts that this pipeline has, at its first and its second hit.
TEST(Failpoints, EachOneIsHitAndSurvived) {
  std::set<std::string_view> others = {// of sources, workers, state and signals
                                       "recovery_read",
                                       "recovery_restore_before",
                                       "recovery_restored",
                                       "recovery_done",
                                       "barrier_before",
                                       "barrier_source",
                                       "barrier_exchange",
                                       "barrier_aligned",
                                       "barrier_done",
                                       "snapshot_before",
                                       "snapshot_written",
                                       "snapshot_synced",
                                       "snapshot_checkpoint_linked",
                                       "snapshot_after",
                                       "collect_checkpoint",
                                       "stop_before",
                                       "end_before_last_barrier",
                                       "stop_delivered"};
  for (const files::FailpointInfo& row : files::failpoints()) {
    if (others.contains(row.name)) continue;
    unsigned hit = 0;
    for (int variant : {0, 2})
      for (std::uint64_t nth : {1, 2}) {
        TestFolder folder;
        std::string where =
            std::string(row.name) + "@" + std::to_string(nth) + " variant " + std::to_string(variant);
        // Something to recover from: decided files, open or not delivered.
        if (row.step == "recovery") run_to(folder, setting(variant), files::Failpoint::decide_after, 3, 1);
        hit += run_to(folder, setting(variant), row.point, nth, 5);
        expect_beginning(folder, where);
        expect_exact(folder, variant, where);
      }
    EXPECT_GT(hit, 0u) << row.name << " was never hit";
  }
}

}  // namespace
}  // namespace weir::connectors::file
