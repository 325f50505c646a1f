#include "runtime/log/slot_log.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "runtime/files/faulty.h"
#include "runtime/files/lossy.h"
#include "runtime/files/test_folder.h"
#include "runtime/files/test_host.h"
#include "runtime/log/frame.h"
#include "runtime/log/reader.h"

namespace weir::log {
namespace {

using files::TestFolder;
using files::TestHost;

Options options(const TestFolder& folder, bool take_over = false) {
  Options result;
  result.state_folder = folder / "state";
  result.pipeline = "p";
  result.take_over = take_over;
  result.keep = 2;
  return result;
}

protocol::Manifest manifest(std::uint64_t epoch) {
  protocol::Manifest result;
  result.epoch = epoch;
  return result;
}

/// Lossy files: without a kill they behave as the system's, and they spare the disk.
std::unique_ptr<TestHost> lossy_host(std::uint64_t seed = 1) {
  return std::make_unique<TestHost>(files::make_lossy_files(), seed);
}

class LogTest : public testing::Test {
 protected:
  std::unique_ptr<SlotLog> open(bool take_over = false) {
    auto log = SlotLog::open(host_->host, options(folder_, take_over));
    EXPECT_TRUE(log) << log.error().to_string();
    return log ? *std::move(log) : nullptr;
  }
  RunError refused() {
    auto log = SlotLog::open(host_->host, options(folder_));
    EXPECT_FALSE(log);
    if (log) return RunError::file_io;
    message_ = log.error().message();
    return log.error().error();
  }
  std::string path(char copy, std::uint64_t number) {
    return folder_ / (std::string("state/log/") + copy + "/" + slot_name(number));
  }
  std::string slots(char copy) {
    std::string text;
    auto entries = host_->files->list(folder_ / (std::string("state/log/") + copy));
    if (!entries) return "none";
    for (const auto& entry : *entries) text += std::to_string(slot_number(entry.name)) + " ";
    return text;
  }
  void damage(const std::string& file, const std::function<void(std::string&)>& change) {
    std::string text = *files::read_whole(*host_->files, file);
    change(text);
    auto opened = host_->files->open(file, files::OpenMode::create_or_empty);
    ASSERT_TRUE((*opened)->append(text));
  }
  static void cut(std::string& text) { text.clear(); }
  static void flip(std::string& text) { text[text.size() - 3] ^= 4; }

  TestFolder folder_;
  std::unique_ptr<TestHost> host_ = lossy_host();
  std::string message_;
};

TEST_F(LogTest, AFreshLogHasAFenceAndALineage) {
  auto log = open();
  EXPECT_EQ(log->generation(), 1u);
  EXPECT_EQ(log->lineage().size(), 36u);
  EXPECT_FALSE(log->recovery().manifest);
  EXPECT_EQ(slots('a') + "/ " + slots('b'), "1 / 1 ");
}

TEST_F(LogTest, TheNextStartSeesWhatWasDecided) {
  std::string lineage;
  {
    auto log = open();
    lineage = log->lineage();
    ASSERT_TRUE(log->decide(manifest(1)));
    ASSERT_TRUE(log->decide(manifest(2)));
    ASSERT_TRUE(log->acknowledge({2, {{"s", "f"}}}));
  }
  auto log = open();
  EXPECT_EQ(log->generation(), 5u);
  EXPECT_EQ(log->lineage(), lineage);
  ASSERT_TRUE(log->recovery().manifest);
  EXPECT_EQ(log->recovery().manifest->epoch, 2u);
  EXPECT_EQ(log->recovery().manifest->generation, 1u);
  EXPECT_EQ(log->recovery().manifest->lineage, lineage);
  EXPECT_TRUE(host_->logger.messages.empty());
}

TEST_F(LogTest, OldSlotsAreCollected) {
  auto log = open();
  for (std::uint64_t epoch = 1; epoch <= 5; ++epoch) {
    ASSERT_TRUE(log->decide(manifest(epoch)));
    ASSERT_TRUE(log->collect());
  }
  EXPECT_EQ(slots('a') + "/ " + slots('b'), "5 6 / 5 6 ");
  EXPECT_EQ(log->retained_epochs(), (std::vector<std::uint64_t>{4, 5}));
  log.reset();
  log = open();
  EXPECT_EQ(log->recovery().manifest->epoch, 5u);
  EXPECT_EQ(log->recovery().epochs, (std::vector<std::uint64_t>{4, 5}));
}

TEST_F(LogTest, ASecondStartIsRefusedByNameOfTheHolder) {
  auto log = open();
  EXPECT_EQ(refused(), RunError::already_running);
  EXPECT_NE(message_.find("pid " + std::to_string(::getpid())), std::string::npos) << message_;
  EXPECT_TRUE(log->decide(manifest(1)));
}

TEST_F(LogTest, TakeOverFencesTheOther) {
  auto old = open();
  ASSERT_TRUE(old->decide(manifest(1)));
  EXPECT_TRUE(old->check_owner());
  auto now = open(true);
  EXPECT_EQ(now->generation(), 3u);
  EXPECT_TRUE(now->check_owner());
  auto late = old->decide(manifest(2));
  ASSERT_FALSE(late);
  EXPECT_TRUE(late.error().is(RunError::fenced));
  EXPECT_TRUE(old->recover().error().is(RunError::fenced));
  EXPECT_TRUE(old->acknowledge({1, {}}).error().is(RunError::fenced));
  ASSERT_TRUE(now->decide(manifest(2)));
  EXPECT_EQ(slots('a') + "/ " + slots('b'), "1 2 3 4 / 1 2 3 4 ");
}

TEST_F(LogTest, TheOtherLearnsOfItWithoutWriting) {
  auto old = open();
  ASSERT_TRUE(old->decide(manifest(1)));
  EXPECT_TRUE(old->check_owner());
  auto now = open(true);
  EXPECT_TRUE(old->check_owner().error().is(RunError::fenced));
  EXPECT_TRUE(now->check_owner());
}

TEST_F(LogTest, AZombieCannotUseANumberThatWasCollected) {
  auto old = open();
  ASSERT_TRUE(old->decide(manifest(1)));
  auto now = open(true);
  for (std::uint64_t epoch = 2; epoch <= 6; ++epoch) {
    ASSERT_TRUE(now->decide(manifest(epoch)));
    ASSERT_TRUE(now->collect());
  }
  EXPECT_EQ(slots('a'), "7 8 ");
  // Number 3 is free again.
  EXPECT_TRUE(old->decide(manifest(2)).error().is(RunError::fenced));
  EXPECT_TRUE(old->recover().error().is(RunError::fenced));
  now.reset();
  old.reset();
  auto next = open();
  EXPECT_EQ(next->recovery().manifest->epoch, 6u);
  ASSERT_TRUE(next->decide(manifest(7)));
  ASSERT_TRUE(next->collect());
  EXPECT_EQ(slots('a'), "8 9 10 ");
}

TEST_F(LogTest, AZombieCannotWriteIntoALogThatWasBegunAnew) {
  auto old = open();
  for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) ASSERT_TRUE(old->decide(manifest(epoch)));
  ASSERT_TRUE(host_->files->rename(folder_ / "state/log", folder_ / "state/log.old"));
  EXPECT_TRUE(old->check_owner().error().is(RunError::fenced));
  auto now = open(true);
  ASSERT_TRUE(now->decide(manifest(1)));
  EXPECT_TRUE(old->decide(manifest(4)).error().is(RunError::fenced));
  EXPECT_EQ(slots('a') + "/ " + slots('b'), "1 2 / 1 2 ");
  EXPECT_TRUE(now->decide(manifest(2)));
}

TEST_F(LogTest, RecoveryInsideTheProcessIsANewGeneration) {
  auto log = open();
  ASSERT_TRUE(log->decide(manifest(1)));
  ASSERT_TRUE(log->recover());
  EXPECT_EQ(log->generation(), 3u);
  EXPECT_EQ(log->recovery().manifest->epoch, 1u);
  ASSERT_TRUE(log->decide(manifest(2)));
  log.reset();
  EXPECT_EQ(open()->recovery().manifest->epoch, 2u);
}

TEST_F(LogTest, AnotherPipelineIsRefused) {
  open().reset();
  Options other = options(folder_);
  other.pipeline = "q";
  EXPECT_TRUE(SlotLog::open(host_->host, other).error().is(RunError::foreign_state));
  EXPECT_EQ(slots('a'), "1 ");
}

// ---- damage (C013)

class Damaged : public LogTest {
 protected:
  void SetUp() override {
    auto log = open();
    for (std::uint64_t epoch = 1; epoch <= 3; ++epoch) ASSERT_TRUE(log->decide(manifest(epoch)));
    before_ = slots('a') + "/ " + slots('b');
  }
  void expect_untouched() { EXPECT_EQ(slots('a') + "/ " + slots('b'), before_); }
  std::string before_;
};

TEST_F(Damaged, C013OneBadCopyIsMendedWithAWarning) {
  for (char copy : {'a', 'b'}) {
    for (void (*change)(std::string&) : {&cut, &flip}) {
      host_->logger.messages.clear();
      auto newest = (*read_log(*host_->files, folder_ / "state/log")).slots.back().number;
      for (std::uint64_t number : {newest - 1, newest}) damage(path(copy, number), change);
      auto log = open();
      ASSERT_TRUE(log);
      EXPECT_EQ(log->recovery().manifest->epoch, 3u);
      ASSERT_EQ(host_->logger.messages.size(), 2u);
      EXPECT_NE(host_->logger.messages[1].find(path(copy, newest)), std::string::npos);
      for (std::uint64_t number : {newest - 1, newest})
        EXPECT_EQ(*files::read_whole(*host_->files, path('a', number)),
                  *files::read_whole(*host_->files, path('b', number)));
    }
  }
}

TEST_F(Damaged, OneMissingCopyIsMadeAgain) {
  ASSERT_TRUE(host_->files->unlink(path('a', 4)));
  ASSERT_TRUE(host_->files->unlink(path('b', 3)));
  auto log = open();
  ASSERT_TRUE(log);
  EXPECT_EQ(host_->logger.messages.size(), 2u);
  EXPECT_EQ(slots('a'), slots('b'));
}

TEST_F(Damaged, C013BothBadCopiesAreRefusedByName) {
  for (std::uint64_t number : {3, 4}) {
    damage(path('a', number), cut);
    damage(path('b', number), flip);
    EXPECT_EQ(refused(), RunError::slot_damaged);
    EXPECT_NE(message_.find(path('a', number)), std::string::npos) << message_;
    EXPECT_NE(message_.find(path('b', number)), std::string::npos) << message_;
    expect_untouched();
  }
}

TEST_F(Damaged, OneBadAndOneMissingCopyAreRefused) {
  damage(path('a', 4), flip);
  ASSERT_TRUE(host_->files->unlink(path('b', 4)));
  before_ = slots('a') + "/ " + slots('b');
  EXPECT_EQ(refused(), RunError::slot_damaged);
  expect_untouched();
}

TEST_F(Damaged, AGapIsRefusedByName) {
  for (char copy : {'a', 'b'}) ASSERT_TRUE(host_->files->unlink(path(copy, 3)));
  before_ = slots('a') + "/ " + slots('b');
  EXPECT_EQ(refused(), RunError::slot_missing);
  EXPECT_NE(message_.find(path('a', 3)), std::string::npos) << message_;
  expect_untouched();
}

TEST_F(Damaged, ANewerFormatIsRefused) {
  damage(path('b', 4), [](std::string& text) {
    std::string payload = text.substr(40);
    text = encode_frame(4, protocol::SlotKind::decide, payload);
    text[8] = 2;
  });
  // A flipped version alone is damage, which the other copy mends.
  ASSERT_TRUE(open());
  EXPECT_EQ(host_->logger.messages.size(), 1u);
}

TEST_F(Damaged, CopiesThatDisagreeAreRefused) {
  auto contents = read_log(*host_->files, folder_ / "state/log");
  protocol::Slot other = contents->slots.back();
  std::get<protocol::Manifest>(other.body).decided_us = 5;
  damage(path('b', 4), [&](std::string& text) {
    text = encode_frame(4, protocol::SlotKind::decide, protocol::payload_text(other));
  });
  EXPECT_EQ(refused(), RunError::copies_disagree);
  expect_untouched();
}

TEST_F(Damaged, NoByteOfASlotCanChangeUnseen) {
  std::string whole = *files::read_whole(*host_->files, path('a', 4));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string text = whole;
    text[at] ^= 1;
    EXPECT_EQ(decode_frame(4, text).state, FrameState::damaged) << at;
  }
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(decode_frame(4, whole.substr(0, length)).state, FrameState::damaged) << length;
  EXPECT_EQ(decode_frame(4, whole + "x").state, FrameState::damaged);
  EXPECT_EQ(decode_frame(5, whole).state, FrameState::damaged);
  EXPECT_EQ(decode_frame(4, whole).state, FrameState::whole);
}

// ---- crashes: the process dies before its nth change of the disk, unsynced data is lost

/// What the writer saw to be durable, told through a descriptor that survives it.
struct Told {
  std::uint64_t fence = 0, epoch = 0;
};

/// Runs one writer in a child: a start, three epochs, collection. Dies before operation `last`. Done: false.
bool run_and_die(const TestFolder& folder, unsigned last, std::uint64_t seed, Told& told,
                 bool fault_only = false) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  pid_t child = ::fork();
  if (child == 0) {
    unsigned count = 0;
    auto plan = [&](files::Operation, const std::string&) {
      if (++count != last) return files::Fault{};
      if (fault_only) return files::Fault{EIO};
      std::raise(SIGKILL);
      return files::Fault{};
    };
    TestHost host(files::make_faulty_files(files::make_lossy_files(), plan), seed);
    auto tell = [&](const Told& now) { (void)!::write(ends[1], &now, sizeof now); };
    auto log = SlotLog::open(host.host, options(folder));
    if (!log && fault_only) log = SlotLog::open(host.host, options(folder));
    if (!log) ::_exit(3);
    Told now;
    now.fence = (*log)->generation();
    now.epoch = (*log)->recovery().next_epoch() - 1;
    tell(now);
    for (int step = 0; step < 3; ++step) {
      auto decided = (*log)->decide(manifest(now.epoch + 1));
      if (!decided) {
        if (!fault_only || !(*log)->recover()) ::_exit(4);
        // It may have been decided all the same.
        now.fence = (*log)->generation();
        now.epoch = (*log)->recovery().next_epoch() - 1;
        tell(now);
        continue;
      }
      ++now.epoch;
      tell(now);
      if (!(*log)->collect() && !fault_only) ::_exit(5);
    }
    if (count < last) ::_exit(0);
    std::raise(SIGKILL);
  }
  ::close(ends[1]);
  told = {};
  for (Told now; ::read(ends[0], &now, sizeof now) == sizeof now;) told = now;
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) {
    EXPECT_EQ(WEXITSTATUS(status), 0) << "at operation " << last;
  }
  return WIFSIGNALED(status);
}

void expect_consistent(const TestFolder& folder, const Told& told, const std::string& where) {
  auto host = lossy_host(99);
  auto log = SlotLog::open(host->host, options(folder));
  ASSERT_TRUE(log) << where << ": " << log.error().to_string();
  std::uint64_t epoch = (*log)->recovery().next_epoch() - 1;
  EXPECT_GE(epoch, told.epoch) << where;
  EXPECT_LE(epoch, told.epoch + 1) << where;
  EXPECT_GT((*log)->generation(), told.fence) << where;
  for (const std::string& message : host->logger.messages)
    EXPECT_EQ(message.find("damaged"), std::string::npos) << message;
  ASSERT_TRUE((*log)->decide(manifest(epoch + 1))) << where;
}

TEST(LogCrash, AtEveryOperation) {
  unsigned operations = 0;
  for (unsigned last = 1;; ++last) {
    TestFolder folder;
    Told told;
    if (!run_and_die(folder, last, 1, told)) break;
    operations = last;
    expect_consistent(folder, told, "operation " + std::to_string(last));
  }
  EXPECT_GT(operations, 40u);
}

TEST(LogCrash, TwiceInARow) {
  for (unsigned first = 1; first < 60; first += 5)
    for (unsigned second = 1; second < 40; second += 3) {
      TestFolder folder;
      Told told, again;
      run_and_die(folder, first, 1, told);
      run_and_die(folder, second, 2, again);
      again.epoch = std::max(again.epoch, told.epoch);
      again.fence = std::max(again.fence, told.fence);
      // The first run may have decided one that it did not tell of, the second another.
      auto host = lossy_host(99);
      auto log = SlotLog::open(host->host, options(folder));
      ASSERT_TRUE(log) << first << " " << second << " " << log.error().to_string();
      std::uint64_t epoch = (*log)->recovery().next_epoch() - 1;
      EXPECT_GE(epoch, again.epoch) << first << " " << second;
      EXPECT_LE(epoch, again.epoch + 1) << first << " " << second;
    }
}

TEST(LogFault, EveryOperationFailsOnceThenThePowerGoes) {
  unsigned operations = 0;
  for (unsigned last = 1;; ++last) {
    TestFolder folder;
    Told told;
    if (!run_and_die(folder, last, 1, told, true)) break;
    operations = last;
    expect_consistent(folder, told, "operation " + std::to_string(last));
  }
  EXPECT_GT(operations, 40u);
}

// ---- golden files: what an earlier version wrote stays readable

std::vector<protocol::Slot> golden_slots() {
  protocol::Fence fence{
      "revenue", "0b5cf6a4-9d5e-4c55-8a87-1f1ec6a6d2aa", "f00d", "0.1.0", "start", 4711, "host", 1};
  protocol::Manifest decided = manifest(1);
  decided.generation = 1;
  decided.pipeline = fence.pipeline;
  decided.lineage = fence.lineage;
  decided.fingerprint = "f00d";
  decided.sources.push_back({"orders",
                             "aa",
                             {{"in/a.ndjson", 1, 2, 3, 400, 400, 5}},
                             {{0, 0, 400, true, 99, 7, 400, 6}},
                             89,
                             7,
                             1,
                             0,
                             2});
  decided.operators.push_back(
      {"revenue.aggregate", 1, "bb", {"customer: string"}, {"n: count"}, {"orders"}, 16, 89});
  decided.state = {"checkpoints/1", 1024, {{"000009.sst", 1234, 0xdeadbeef}}};
  protocol::SinkState sink{"revenue", "file", "out/revenue", {{0, 1}}, {}, 3, 120};
  protocol::StagedFile staged;
  staged.generation = 1;
  staged.counter = 1;
  staged.staged = ".weir/revenue/1/revenue-0b5cf6a4-1-0-000001.ndjson";
  staged.name = "revenue-0b5cf6a4-1-0-000001.ndjson";
  staged.length = 120;
  staged.crc32c = 0xe3069283;
  staged.rolled = true;
  staged.rows = 3;
  staged.first_epoch = staged.last_epoch = 1;
  sink.files.push_back(staged);
  decided.sinks.push_back(sink);
  decided.environment = {{"weir", "0.1.0"}};
  return {{1, 1, 1, fence},
          {2, 1, 1, decided},
          {3, 1, 2, protocol::Ack{1, {{"revenue", staged.name}}}},
          {4, 1, 2, protocol::Amend{1, "by hand", {{"revenue", staged.name}}}},
          {5, 1, 2, protocol::Ended{1}}};
}

/// The tests run somewhere below the repository's root.
std::string golden_folder() {
  for (auto folder = std::filesystem::canonical("/proc/self/exe").parent_path(); folder != folder.root_path();
       folder = folder.parent_path())
    if (auto found = folder / "runtime/log/golden/v1"; std::filesystem::exists(found)) return found;
  return "runtime/log/golden/v1";
}

TEST(LogGolden, Version1) {
  auto files = files::make_system_files();
  for (const protocol::Slot& slot : golden_slots()) {
    auto kind = protocol::kind_of(slot.body);
    std::string path = golden_folder() + "/" + std::string(to_string(kind)) + ".slot";
    std::string text = encode_frame(slot.number, kind, protocol::payload_text(slot));
    if (std::getenv("WEIR_UPDATE_GOLDEN")) {
      auto file = files->open(path, files::OpenMode::create_or_empty);
      ASSERT_TRUE(file && (*file)->append(text));
    }
    auto golden = files::read_whole(*files, path);
    ASSERT_TRUE(golden) << golden.error().to_string();
    EXPECT_EQ(*golden, text) << path << ": the format changed without a new version";
    Frame frame = decode_frame(slot.number, *golden);
    ASSERT_EQ(frame.state, FrameState::whole);
    EXPECT_EQ(*protocol::parse_payload(slot.number, frame.kind, frame.payload), slot);
  }
}

}  // namespace
}  // namespace weir::log
