#include <gtest/gtest.h>

#include <random>

#include "runtime/entry/harness.h"

// The invariant: the cumulative output at a barrier is a function of the positions at that barrier. Checked at every
// decided epoch against an evaluation of the inputs up to these positions.
namespace weir::entry::fake {
namespace {

void check_at_every_epoch(unsigned seed) {
  std::mt19937 random(seed);
  Harness harness;
  std::size_t files_a = 1 + random() % 4;
  for (std::size_t file = 0; file < files_a; ++file)
    harness.input(fmt::format("a{}", file),
                  random_lines(random, random() % 4 == 0 ? 0 : static_cast<int>(random() % 60)));
  harness.input("b0", random_lines(random, static_cast<int>(random() % 40)));
  if (random() % 2) harness.input("b1", "");
  if (random() % 3 == 0) harness.plan().files = "in_order";

  std::size_t starts = 0;
  for (bool ended = false; !ended; ++starts) {
    ASSERT_LT(starts, 60u) << "seed " << seed;
    Flags flags = flags_of(1 + random() % 40, static_cast<std::uint32_t>(1 + random() % 5));
    std::uint64_t stop_after = random() % 4 == 0 ? 1000 : 1 + random() % 4;
    auto run = harness.run(flags, [&](const protocol::Manifest& manifest, exec::StopRequest& stop) {
      ASSERT_EQ(difference(expected(manifest.sources, harness.plan().lateness), harness.decided()), "")
          << "seed " << seed << " epoch " << manifest.epoch << " workers " << flags.parallelism;
      if (manifest.epoch % 1000 >= stop_after) stop.count = 1;
    });
    ASSERT_TRUE(run.result) << run.result.error().to_string() << " seed " << seed;
    ended = run.report.ended;
    if (testing::Test::HasFatalFailure()) return;
  }
  ASSERT_EQ(difference(harness.decided(), harness.published()), "") << "seed " << seed;
}

TEST(invariant, holds_at_every_barrier_of_random_schedules) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    check_at_every_epoch(seed);
    if (HasFatalFailure()) return;
  }
}

TEST(invariant, holds_with_a_barrier_after_every_record) {
  Harness harness;
  std::mt19937 random(7);
  harness.input("a0", random_lines(random, 60));
  harness.input("b0", random_lines(random, 20));
  std::uint64_t records = 0;
  for (std::uint32_t workers : {1u}) {
    auto run = harness.run(flags_of(1, workers), [&](const protocol::Manifest& manifest, exec::StopRequest&) {
      std::uint64_t read = 0;
      for (const auto& source : manifest.sources) read += source.read;
      EXPECT_LE(read, records + 1);
      records = read;
      ASSERT_EQ(difference(expected(manifest.sources, 5), harness.decided()), "") << manifest.epoch;
    });
    ASSERT_TRUE(run.result) << run.result.error().to_string();
    EXPECT_GT(run.report.epochs_decided, 70u);
  }
}

}  // namespace
}  // namespace weir::entry::fake
