#include <gtest/gtest.h>

#include "runtime/entry/harness.h"

namespace weir::entry::fake {
namespace {

namespace fs = std::filesystem;

void fill(Harness& harness, unsigned seed = 3) {
  std::mt19937 random(seed);
  for (const char* name : {"a0", "a1", "b0"}) harness.input(name, random_lines(random, 50));
}

Harness::Decided stop_at(std::uint64_t epoch) {
  return [epoch](const protocol::Manifest& manifest, exec::StopRequest& stop) {
    if (manifest.epoch >= epoch) stop.count = 1;
  };
}

Output undisturbed(unsigned seed = 3) {
  Harness harness;
  fill(harness, seed);
  EXPECT_TRUE(harness.run(flags_of(1000, 1)).result);
  return harness.published();
}

fs::path newest(const fs::path& folder) {
  fs::path best;
  std::uint64_t number = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    if (std::uint64_t each = std::stoull(entry.path().filename()); each >= number) {
      number = each;
      best = entry.path();
    }
  return best;
}

void flip_a_byte(const fs::path& path) {
  std::string contents = Harness::read(path);
  contents[contents.size() / 2] ^= 1;
  fs::remove(path);  // other links keep the old contents
  std::ofstream(path, std::ios::binary) << contents;
}

// C067: state goes to its owner at any parallelism.
TEST(recovery, C067_restarts_at_another_parallelism) {
  for (std::uint32_t workers : {4u, 2u, 3u, 8u}) {
    Harness harness;
    std::string lines;
    for (int round = 0; round < 2; ++round)
      for (int key = 0; key < 1000; ++key) lines += fmt::format("k{} {} {}\n", key, round, key);
    harness.input("a0", lines);
    harness.input("b0", "");
    auto first = harness.run(flags_of(500, 4), stop_at(2));
    ASSERT_TRUE(first.result) << first.result.error().to_string();
    EXPECT_FALSE(first.report.ended);
    EXPECT_TRUE(harness.published()["sums"].empty());
    auto second = harness.run(flags_of(100, workers));
    ASSERT_TRUE(second.result) << second.result.error().to_string();
    EXPECT_EQ(second.report.workers.size(), workers);
    Output output = harness.published();
    ASSERT_EQ(output["sums"].size(), 1000u);
    for (int key = 0; key < 1000; ++key)
      EXPECT_EQ(output["sums"][fmt::format("k{} 0 2 {} {}\n", key, 2 * key, key)], 1);
  }
}

TEST(recovery, says_that_an_ended_run_has_ended) {
  Harness harness;
  fill(harness);
  ASSERT_TRUE(harness.run(flags_of(1000, 2)).result);
  auto before = harness.published();
  auto again = harness.run(flags_of(1000, 2));
  ASSERT_TRUE(again.result);
  EXPECT_TRUE(again.report.had_ended);
  EXPECT_EQ(again.report.new_records, 0u);
  EXPECT_EQ(difference(before, harness.published()), "");
  harness.append("a1", "a 1000 1\n");
  auto grown = harness.run(flags_of(1000, 2));
  ASSERT_FALSE(grown.result);
  EXPECT_TRUE(grown.result.error().is(RunError::new_input)) << grown.result.error().to_string();
}

// C013: every kind of damage is detected and named, and nothing is written.
TEST(recovery, C013_refuses_damaged_state) {
  for (std::string kind : {"flipped", "missing", "empty"}) {
    Harness harness;
    fill(harness);
    ASSERT_TRUE(harness.run(flags_of(40, 2), stop_at(2)).result);
    fs::path checkpoint = newest(harness.path("state/checkpoints"));
    int damaged = 0;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(checkpoint)) files.push_back(entry.path());
    for (const fs::path& file : files) {
      std::string whole = Harness::read(file);
      if (whole.empty()) continue;
      if (kind == "flipped") flip_a_byte(file);
      if (kind != "flipped") fs::remove(file);
      if (kind == "empty") std::ofstream(file).flush();
      auto before = harness.everything();
      auto run = harness.run(flags_of(40, 2));
      ASSERT_FALSE(run.result) << kind << " " << file;
      EXPECT_TRUE(
          run.result.error().is(kind == "missing" ? RunError::state_missing : RunError::state_damaged))
          << run.result.error().to_string();
      EXPECT_NE(run.result.error().message().find(file.string()), std::string::npos);
      EXPECT_EQ(before, harness.everything()) << kind << " " << file;
      fs::remove(file);
      std::ofstream(file, std::ios::binary) << whole;
      ++damaged;
    }
    EXPECT_GE(damaged, 3);
    ASSERT_TRUE(harness.run(flags_of(40, 2)).result);
    EXPECT_EQ(difference(undisturbed(), harness.published()), "");
  }
}

TEST(recovery, C013_mends_one_copy_of_a_slot_and_refuses_two) {
  Harness harness;
  fill(harness);
  ASSERT_TRUE(harness.run(flags_of(40, 2), stop_at(2)).result);
  fs::path a = newest(harness.path("state/log/a"));
  std::string whole = Harness::read(a);
  flip_a_byte(a);
  auto mended = harness.run(flags_of(40, 2), stop_at(3));
  ASSERT_TRUE(mended.result) << mended.result.error().to_string();
  EXPECT_EQ(Harness::read(a), whole);
  ASSERT_FALSE(mended.messages.empty());
  a = newest(harness.path("state/log/a"));
  flip_a_byte(a);
  flip_a_byte(newest(harness.path("state/log/b")));
  auto before = harness.everything();
  auto refused = harness.run(flags_of(40, 2));
  ASSERT_FALSE(refused.result);
  EXPECT_TRUE(refused.result.error().is(RunError::slot_damaged)) << refused.result.error().to_string();
  EXPECT_EQ(before, harness.everything());
}

// C069: open windows stay in state at a stop, and are closed once by a drain.
TEST(recovery, C069_stop_and_drain) {
  Harness harness;
  harness.input("a0", "a 1 1\na 2 1\na 3 1\na 4 1\na 5 1\na 6 1\na 7 1\nb 8 1\n");
  harness.input("b0", "");
  ASSERT_TRUE(harness.run(flags_of(2, 2), stop_at(1)).result);
  EXPECT_TRUE(harness.published()["sums"].empty());
  EXPECT_EQ(harness.published()["evens"].size(), 0u);
  Flags drain = flags_of(1, 2);
  drain.drain = true;
  auto drained =
      harness.run(drain, [](const protocol::Manifest&, exec::StopRequest& stop) { stop.count = 1; });
  ASSERT_TRUE(drained.result) << drained.result.error().to_string();
  EXPECT_EQ(harness.published()["sums"].size(), 1u);
  auto before = harness.published();
  auto again = harness.run(flags_of(1, 2));
  EXPECT_EQ(difference(before, harness.published()), "");
}

// C072: an output file that stays open for longer than epochs are kept.
TEST(recovery, C072_a_file_open_for_many_epochs) {
  for (bool delete_staged : {false, true}) {
    Harness harness;
    fill(harness);
    Harness::Child killed =
        harness.run_in_child(flags_of(2, 2), files::FailOrder{files::Failpoint::barrier_before, 62});
    ASSERT_EQ(killed.signal, SIGKILL);
    std::string staged;
    for (const auto& [path, contents] : harness.everything())
      if (path.find("/.weir/evens/") != std::string::npos && !contents.empty()) staged = path;
    ASSERT_NE(staged, "");
    if (delete_staged) fs::remove(staged);
    auto run = harness.run(flags_of(40, 2));
    if (!delete_staged) {
      ASSERT_TRUE(run.result) << run.result.error().to_string();
      EXPECT_EQ(difference(undisturbed(), harness.published()), "");
      continue;
    }
    ASSERT_FALSE(run.result);
    EXPECT_TRUE(run.result.error().is(RunError::delivery_unknown)) << run.result.error().to_string();
    EXPECT_NE(run.result.error().message().find(fs::path(staged).filename()), std::string::npos)
        << run.result.error().to_string();
  }
}

TEST(recovery, a_failing_record_ends_the_run_and_decides_nothing_of_its_epoch) {
  Harness harness;
  harness.plan().on_error = "fail";
  std::string file = harness.input("a0", "a 1 2\na 2 4\nbroken\na 3 6\n");
  harness.input("b0", "");
  auto run = harness.run(flags_of(2, 1));
  ASSERT_FALSE(run.result);
  EXPECT_TRUE(run.result.error().is(RunError::record_failed));
  const std::string& message = run.result.error().message();
  EXPECT_NE(message.find("E5001"), std::string::npos) << message;
  EXPECT_NE(message.find(file + ":3 (byte 12)"), std::string::npos) << message;
  EXPECT_EQ(run.report.epoch, 1u);
  auto again = harness.run(flags_of(2, 1));
  EXPECT_FALSE(again.result);
}

TEST(recovery, names_what_happened_to_an_input_file) {
  struct Case {
    std::string what;
    RunError error;
  };
  for (const Case& each :
       {Case{"rewritten", RunError::split_changed}, Case{"truncated", RunError::split_truncated},
        Case{"missing", RunError::split_missing}, Case{"new", RunError::new_input}}) {
    Harness harness;
    fill(harness);
    ASSERT_TRUE(harness.run(flags_of(60, 2), stop_at(1)).result);
    std::string file = harness.path("in/a0");
    if (each.what == "rewritten") {
      std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(3);
      out << "x";
    }
    if (each.what == "truncated") fs::resize_file(file, 5);
    if (each.what == "missing") fs::remove(file);
    if (each.what == "new") harness.input("a9", "a 1 1\n");
    auto before = harness.everything();
    auto run = harness.run(flags_of(60, 2));
    ASSERT_FALSE(run.result) << each.what;
    EXPECT_TRUE(run.result.error().is(each.error)) << run.result.error().to_string();
    EXPECT_NE(run.result.error().message().find(each.what == "new" ? "a9" : "a0"), std::string::npos);
    EXPECT_EQ(before, harness.everything());
  }
  Harness renamed;
  fill(renamed);
  ASSERT_TRUE(renamed.run(flags_of(60, 2), stop_at(1)).result);
  fs::rename(renamed.path("in/a0"), renamed.path("in/a7"));
  ASSERT_TRUE(renamed.run(flags_of(60, 2)).result);
  EXPECT_EQ(difference(undisturbed(), renamed.published()), "");
}

TEST(recovery, verifies_everything_that_was_read_if_asked_to) {
  for (bool verify : {false, true}) {
    Harness harness;
    std::string lines;
    for (int line = 0; line < 30000; ++line) lines += fmt::format("key {} {}\n", line / 100, line % 10);
    std::string file = harness.input("a0", lines);
    harness.input("b0", "");
    Flags flags = flags_of(10000, 1);
    flags.verify_input = verify;
    ASSERT_TRUE(harness.run(flags, stop_at(1)).result);
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(20000) << "x";
    auto run = harness.run(flags_of(10000, 1));
    EXPECT_EQ(run.result.has_value(), !verify);
    if (!run.result)
      EXPECT_TRUE(run.result.error().is(RunError::split_changed)) << run.result.error().to_string();
  }
  Harness whole;
  fill(whole);
  Flags flags = flags_of(50, 2);
  flags.verify_input = true;
  ASSERT_TRUE(whole.run(flags, stop_at(2)).result);
  ASSERT_TRUE(whole.run(flags).result);
  EXPECT_EQ(difference(undisturbed(), whole.published()), "");
}

TEST(recovery, follows_growing_files_until_their_end) {
  Harness harness;
  harness.plan().follow = true;
  harness.input("a0", "a 1 1\na 25 1\na 3");
  harness.input("b0", "b 30 1\n");
  Flags flags = flags_of(100, 2);
  flags.until_end = true;
  auto first = harness.run(flags);
  ASSERT_TRUE(first.result) << first.result.error().to_string();
  EXPECT_FALSE(first.report.ended);
  EXPECT_EQ(first.report.new_records, 3u);
  EXPECT_EQ(harness.published()["sums"].size(), 1u);
  harness.append("a0", "9 1\n");
  harness.append("b0", "b 50 1\n");
  auto second = harness.run(flags);
  ASSERT_TRUE(second.result) << second.result.error().to_string();
  EXPECT_EQ(second.report.new_records, 2u);
  Output output = harness.published();
  EXPECT_EQ(output["sums"].size(), 2u);
  EXPECT_EQ(output["sums"]["a 20 1 1 1\n"], 1);
}

TEST(recovery, reads_rotated_logs_in_order) {
  Harness harness;
  harness.plan().follow = true;
  harness.plan().files = "in_order";
  harness.input("a.log", "a 1 2\na 2 4\n");
  harness.input("b0", "");
  Flags flags = flags_of(100, 1);
  flags.until_end = true;
  ASSERT_TRUE(harness.run(flags).result);
  harness.append("a.log", "a 3 6\n");
  fs::rename(harness.path("in/a.log"), harness.path("in/a.log.1"));
  harness.input("a.log", "a 4 8\n");
  auto second = harness.run(flags);
  ASSERT_TRUE(second.result) << second.result.error().to_string();
  EXPECT_EQ(second.report.new_records, 2u);
  fs::rename(harness.path("in/a.log.1"), harness.path("in/a.log.2"));
  fs::rename(harness.path("in/a.log"), harness.path("in/a.log.1"));
  harness.input("a.log", "a 5 10\n");
  fs::remove(harness.path("in/a.log.2"));
  auto third = harness.run(flags);
  ASSERT_TRUE(third.result) << third.result.error().to_string();
  EXPECT_EQ(third.report.new_records, 1u);
  EXPECT_EQ(harness.published()["evens"].size(), 5u);
}

TEST(recovery, a_record_that_is_too_long_leaves_its_neighbours) {
  Harness harness;
  std::string longest = "a 1 " + std::string(exec::longest_record, '0') + "2\n";
  harness.input("a0", "a 1 2\n" + longest + "a 2 4\n");
  harness.input("b0", "b 1 1\n" + longest);
  auto run = harness.run(flags_of(1, 2));
  ASSERT_TRUE(run.result) << run.result.error().to_string();
  Output output = harness.published();
  EXPECT_EQ(output["evens"].size(), 2u);
  int rejected = 0;
  for (const auto& [row, count] : output["rejected"]) {
    EXPECT_EQ(row.substr(0, 5), "E5018");
    rejected += count;
  }
  EXPECT_EQ(rejected, 2);
}

TEST(recovery, many_files_of_which_most_are_empty) {
  Harness harness;
  for (int file = 0; file < 300; ++file)
    harness.input(fmt::format("a{:03}", file), file % 50 == 7 ? fmt::format("k{} {} 2\n", file, file) : "");
  harness.input("b0", "");
  auto run = harness.run(flags_of(1, 7));
  ASSERT_TRUE(run.result) << run.result.error().to_string();
  EXPECT_EQ(harness.published()["sums"].size(), 6u);
}

}  // namespace
}  // namespace weir::entry::fake
