#include "runtime/connectors/file/file_sink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "runtime/connectors/file/test_pipeline.h"
#include "runtime/files/lossy.h"
#include "runtime/log/reader.h"

namespace weir::connectors::file {
namespace {

using files::TestFolder;
using files::TestHost;

class FileSinkTest : public testing::Test {
 protected:
  std::unique_ptr<TestPipeline> pipeline(TestPipeline::Setting setting = {}) {
    return std::make_unique<TestPipeline>(host_.host, folder_, std::move(setting));
  }
  void expect_ok(Result<void> result) { ASSERT_TRUE(result) << result.error().to_string(); }
  void expect_refused(Result<void> result, RunError error) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().error(), error) << result.error().to_string();
    message_ = result.error().message();
  }
  bool said(const std::string& text) { return message_.find(text) != std::string::npos; }
  std::map<std::string, int> rows() { return published(*host_.files, folder_ / "out"); }
  std::vector<std::string> names(const std::string& folder) {
    std::vector<std::string> result;
    if (auto entries = host_.files->list(folder_ / folder))
      for (const auto& entry : *entries) result.push_back(entry.name);
    return result;
  }
  std::vector<std::string> outputs() {
    auto all = names("out");
    std::erase(all, ".weir");
    return all;
  }
  /// Where the newest manifest says that files are staged.
  std::vector<protocol::StagedFile> staged() {
    auto contents = log::read_log(*host_.files, folder_ / "state/log");
    std::vector<protocol::StagedFile> result;
    for (const auto& pending : protocol::decide_recovery(contents->slots)->pending)
      result.push_back(pending.file);
    return result;
  }
  /// The file of a decision by a generation that is over.
  std::string staged_path(const protocol::StagedFile& file) { return folder_ / ("out/" + file.staged); }

  TestFolder folder_;
  TestHost host_{files::make_lossy_files()};
  std::string message_;
};

TEST_F(FileSinkTest, PublishesEveryRowOnceAndLeavesNothingStaged) {
  auto run = pipeline();
  expect_ok(run->run());
  EXPECT_EQ(rows(), numbers(1, 20));
  EXPECT_EQ(outputs().size(), 2u);  // one file a lane, rolled at the end
  EXPECT_TRUE(names("out/.weir/numbers/1").empty());
  auto name = parse_output_name(outputs()[0]);
  ASSERT_TRUE(name);
  EXPECT_EQ(*name, (OutputName{"numbers", run->log().lineage().substr(0, 8), 1, 0, 1, "ndjson"}));
}

TEST_F(FileSinkTest, RollsAtEachEpochIfToldSo) {
  expect_ok(pipeline(TestPipeline::each_epoch())->run());
  EXPECT_EQ(rows(), numbers(1, 20));
  EXPECT_EQ(outputs().size(), 14u);  // 7 epochs, 2 lanes
}

TEST_F(FileSinkTest, RollsBySizeAndByTime) {
  TestPipeline::Setting setting;
  setting.sink.roll_size = 6;
  expect_ok(pipeline(setting)->run());
  EXPECT_GT(outputs().size(), 4u);
  EXPECT_LT(outputs().size(), 14u);
  EXPECT_EQ(rows(), numbers(1, 20));

  TestFolder other;
  setting.sink.roll_size = 1 << 20;
  setting.sink.roll_every_us = 60;
  setting.after_epoch = [&](std::uint64_t) { host_.clock.advance_us(25); };
  TestPipeline timed(host_.host, other, setting);
  expect_ok(timed.run());
  EXPECT_EQ(published(*host_.files, other / "out"), numbers(1, 20));
  EXPECT_EQ(host_.files->list(other / "out")->size() - 1, 4u);  // at the fourth epoch and at the end
}

TEST_F(FileSinkTest, C050EpochsWithoutRowsMakeNoFile) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.per_epoch = 0;
  setting.sink.extension = "csv";
  setting.sink.header = "n\n";
  auto run = pipeline(setting);
  expect_ok(run->start());
  expect_ok(run->recover());
  for (int epoch = 0; epoch < 8; ++epoch) expect_ok(run->epoch());
  EXPECT_TRUE(outputs().empty());
  run.reset();
  setting.per_epoch = 10;
  expect_ok(pipeline(setting)->run());
  EXPECT_EQ(outputs().size(), 4u);
  EXPECT_EQ(published(*host_.files, folder_ / "out", "n\n"), numbers(1, 20));
}

TEST_F(FileSinkTest, AnOpenFileIsPublishedUpToItsDecisionByTheNextStart) {
  TestPipeline::Setting setting;
  setting.stop_after = 9;
  {
    auto run = pipeline(setting);
    expect_ok(run->run());
    // Bytes past the decision.
    expect_ok(run->prepare() ? Result<void>() : fail(RunError::file_io, ""));
  }
  EXPECT_TRUE(outputs().empty());
  EXPECT_EQ(staged().size(), 2u);
  setting.stop_after = 0;
  expect_ok(pipeline(setting)->run());
  EXPECT_EQ(rows(), numbers(1, 9));
  EXPECT_TRUE(staged().empty());
  expect_ok(pipeline()->run());
  EXPECT_EQ(rows(), numbers(1, 20));
}

TEST_F(FileSinkTest, C072AFileOutlivesEveryRetainedEpoch) {
  TestPipeline::Setting setting;
  setting.records = 200;
  setting.keep = 3;
  setting.stop_after = 180;
  expect_ok(pipeline(setting)->run());
  EXPECT_EQ(names("state/log/a").size(), 3u);
  setting.stop_after = UINT64_MAX;
  expect_ok(pipeline(setting)->run());
  EXPECT_EQ(rows(), numbers(1, 200));
}

class LostFileTest : public FileSinkTest, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(PutBack, LostFileTest, testing::Bool());

TEST_P(LostFileTest, C072AMissingStagedFileIsRefusedByNameAndRange) {
  TestPipeline::Setting setting;
  setting.stop_after = 9;
  expect_ok(pipeline(setting)->run());
  auto lost = staged()[1];
  std::string text = *files::read_whole(*host_.files, staged_path(lost));
  ASSERT_TRUE(host_.files->unlink(staged_path(lost)));
  for (int time = 0; time < 2; ++time) {
    expect_refused(pipeline(setting)->run(), RunError::delivery_unknown);
    EXPECT_TRUE(said(lost.name)) << message_;
    EXPECT_TRUE(said("4 rows of epochs 1-3")) << message_;
    EXPECT_TRUE(outputs().empty());
  }
  // Put back under the name that was said, which is that of a folder that is gone since: it goes on. The same where the
  // next generations look for it.
  bool named = GetParam();
  std::string back = named ? staged_path(lost) : folder_ / ("out/.weir/numbers/1.fenced/" + lost.name);
  if (named) expect_ok(files::make_folders(*host_.files, files::parent_folder(back)));
  auto file = host_.files->open(back, files::OpenMode::create_new);
  ASSERT_TRUE((*file)->append(text));
  file->reset();
  expect_ok(pipeline()->run());
  EXPECT_EQ(rows(), numbers(1, 20));
}

TEST_F(FileSinkTest, C072OrItIsGivenUpByHand) {
  TestPipeline::Setting setting;
  setting.stop_after = 9;
  expect_ok(pipeline(setting)->run());
  auto lost = staged()[1];
  ASSERT_TRUE(host_.files->unlink(staged_path(lost)));
  {
    auto run = pipeline(setting);
    expect_ok(run->start());
    expect_ok(run->log().amend({3, "the file was removed", {{"numbers", lost.name}}}));
  }
  expect_ok(pipeline()->run());
  auto expected = numbers(1, 20);
  for (const char* row : {"2", "4", "6", "8"}) expected.erase(row);
  EXPECT_EQ(rows(), expected);
}

TEST_F(FileSinkTest, AcknowledgedFilesMayBeMovedAway) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 12;
  expect_ok(pipeline(setting)->run());
  std::vector<std::string> pending;
  for (const auto& file : staged()) pending.push_back(file.name);
  for (const std::string& name : outputs())
    if (std::ranges::find(pending, name) == pending.end()) {
      ASSERT_TRUE(host_.files->unlink(folder_ / ("out/" + name)));
    }
  expect_ok(pipeline(TestPipeline::each_epoch())->run());
  EXPECT_EQ(rows(), numbers(10, 20));
}

TEST_F(FileSinkTest, APublishedFileThatIsNotWhatWasDecidedIsRefused) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 3;
  expect_ok(pipeline(setting)->run());
  auto file = staged()[0];  // delivered, not acknowledged
  auto changed = host_.files->open(folder_ / ("out/" + file.name), files::OpenMode::create_or_empty);
  ASSERT_TRUE((*changed)->append("x"));
  expect_refused(pipeline(setting)->run(), RunError::published_differs);
  EXPECT_TRUE(said(file.name)) << message_;
}

TEST_F(FileSinkTest, AStagedFileThatIsNotWhatWasDecidedIsRefused) {
  TestPipeline::Setting setting;
  setting.stop_after = 6;
  expect_ok(pipeline(setting)->run());
  auto file = host_.files->open(staged_path(staged()[0]), files::OpenMode::update);
  ASSERT_TRUE((*file)->write_at(0, "9"));
  expect_refused(pipeline(setting)->run(), RunError::staged_damaged);
  EXPECT_TRUE(said(staged()[0].name)) << message_;
  EXPECT_TRUE(outputs().empty());
}

// ---- owners

TEST_F(FileSinkTest, AnotherPipelineIsKeptOut) {
  expect_ok(pipeline()->run());
  TestPipeline::Setting setting;
  setting.pipeline = "q";
  setting.replace_output = true;
  ASSERT_TRUE(files::remove_tree(*host_.files, folder_ / "state"));
  expect_refused(pipeline(setting)->run(), RunError::foreign_target);
  EXPECT_TRUE(said("pipeline p")) << message_;
  EXPECT_EQ(rows(), numbers(1, 20));
}

TEST_F(FileSinkTest, AnotherLineageIsKeptOutUntilTheOutputIsReplaced) {
  auto write = [&](const std::string& name) {
    auto file = host_.files->open(folder_ / ("out/" + name), files::OpenMode::create_new);
    ASSERT_TRUE((*file)->append("1\n"));
  };
  {
    auto run = pipeline();
    expect_ok(run->run());
    write("numbers-" + run->log().lineage().substr(0, 8) + "-1-0-1.ndjson");  // not a name that Weir gives
  }
  write("theirs.ndjson");
  write("numbers-00000000-1-0-000001.ndjson");
  auto before = outputs();
  ASSERT_TRUE(files::remove_tree(*host_.files, folder_ / "state"));
  expect_refused(pipeline()->run(), RunError::foreign_target);
  EXPECT_EQ(outputs(), before);
  TestPipeline::Setting setting;
  setting.replace_output = true;
  setting.stop_after = 0;
  expect_ok(pipeline(setting)->run());
  EXPECT_EQ(outputs().size(), before.size() - 2);
  expect_ok(pipeline()->run());
}

TEST_F(FileSinkTest, AnOldCopyOfTheStateIsRefused) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 6;
  setting.keep = 100;
  expect_ok(pipeline(setting)->run());
  std::vector<std::string> known = names("state/log/a");
  setting.stop_after = 12;
  expect_ok(pipeline(setting)->run());
  for (char copy : {'a', 'b'})
    for (const std::string& slot : names(std::string("state/log/") + copy))
      if (std::ranges::find(known, slot) == known.end()) {
        ASSERT_TRUE(host_.files->unlink(folder_ / (std::string("state/log/") + copy + "/" + slot)));
      }
  auto before = rows();
  expect_refused(pipeline(setting)->run(), RunError::target_ahead);
  EXPECT_EQ(rows(), before);
}

TEST_F(FileSinkTest, LostNewestSlotsOfTheSameGenerationAreNoticed) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 9;
  setting.keep = 100;
  expect_ok(pipeline(setting)->run());
  for (char copy : {'a', 'b'})
    ASSERT_TRUE(host_.files->unlink(folder_ / (std::string("state/log/") + copy + "/00000000000000000004")));
  expect_refused(pipeline(setting)->run(), RunError::target_ahead);
}

TEST_F(FileSinkTest, ADamagedClaimIsRefused) {
  expect_ok(pipeline()->run());
  auto file = host_.files->open(folder_ / "out/.weir/claim.json", files::OpenMode::create_or_empty);
  file->reset();
  expect_refused(pipeline()->run(), RunError::claim_damaged);
}

TEST_F(FileSinkTest, AClaimWithAnotherByteIsDamagedAndNotSomebodyElses) {
  expect_ok(pipeline()->run());
  const std::string path = folder_ / "out/.weir/claim.json";
  std::string text = *files::read_whole(*host_.files, path);
  const std::size_t lineage = text.find("lineage\":\"") + 10;
  text[lineage] = text[lineage] == '1' ? '2' : '1';
  auto file = host_.files->open(path, files::OpenMode::create_or_empty);
  ASSERT_TRUE((*file)->append(text));
  file->reset();
  expect_refused(pipeline()->run(), RunError::claim_damaged);
}

// ---- refused before any input is read

TEST_F(FileSinkTest, C073StagingOnAnotherFileSystem) {
  auto system = files::make_system_files();
  std::filesystem::path other;
  for (const char* candidate : {"/dev/shm", "/tmp"})
    if (*files::exists(*system, candidate) &&
        (*system->stat(candidate))->device != (*system->stat(folder_.path()))->device)
      other = candidate;
  if (other.empty()) GTEST_SKIP() << "one file system only";
  std::filesystem::create_directories(folder_ / "out");
  TestFolder elsewhere;
  std::filesystem::path there = other / std::filesystem::path(elsewhere.path()).filename();
  std::filesystem::create_directories(there);
  std::filesystem::create_directory_symlink(there, folder_ / "out/.weir");
  TestHost host(files::make_system_files());
  TestPipeline run(host.host, folder_, {});
  expect_refused(run.run(), RunError::staging_elsewhere);
  std::filesystem::remove_all(there);
}

TEST_F(FileSinkTest, C073ATargetThatIsNoFolder) {
  auto file = host_.files->open(folder_ / "out", files::OpenMode::create_new);
  expect_refused(pipeline()->run(), RunError::target_unwritable);
  EXPECT_TRUE(said("sink numbers")) << message_;
  EXPECT_TRUE(names("state").empty());
}

// ---- a slow owner

TEST_F(FileSinkTest, AZombieBeforeItsDecisionChangesNothing) {
  TestPipeline::Setting setting;
  setting.stop_after = 9;
  auto zombie = pipeline(setting);
  expect_ok(zombie->run());
  auto manifest = zombie->prepare();
  ASSERT_TRUE(manifest);
  setting.stop_after = UINT64_MAX;
  setting.take_over = true;
  expect_ok(pipeline(setting)->run());
  auto after = outputs();
  expect_refused(zombie->log().decide(*manifest), RunError::fenced);
  expect_refused(zombie->log().recover(), RunError::fenced);
  // It may go on to write before it notices.
  EXPECT_TRUE(zombie->prepare());
  EXPECT_EQ(outputs(), after);
  EXPECT_EQ(rows(), numbers(1, 20));
}

TEST_F(FileSinkTest, AZombieAfterItsDecisionCannotPublishAgain) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 9;
  auto zombie = pipeline(setting);
  expect_ok(zombie->run());
  auto manifest = zombie->prepare();
  ASSERT_TRUE(manifest);
  expect_ok(zombie->log().decide(*manifest));
  setting.stop_after = 12;
  setting.take_over = true;
  expect_ok(pipeline(setting)->run());
  // A reader took everything.
  EXPECT_EQ(rows(), numbers(1, 12));
  for (const std::string& name : outputs()) ASSERT_TRUE(host_.files->unlink(folder_ / ("out/" + name)));
  EXPECT_FALSE(zombie->deliver());
  EXPECT_TRUE(outputs().empty());
  expect_refused(zombie->log().recover(), RunError::fenced);
}

// ---- names

TEST(OutputNames, TextAndBack) {
  OutputName name{"by_hour", "0a1b2c3d", 17, 3, 1234567, "csv"};
  EXPECT_EQ(to_text(name), "by_hour-0a1b2c3d-17-3-1234567.csv");
  EXPECT_EQ(parse_output_name(to_text(name)), name);
  for (const char* text : {"", "a", "by_hour-0a1b2c3d-17-3-1.csv", "by_hour-0a1b2c3-17-3-000001.csv",
                           "by_hour-0a1b2c3d-017-3-000001.csv", "by_hour-0A1b2c3d-17-3-000001.csv",
                           "by_hour-0a1b2c3d-17-3-000001.txt", "-0a1b2c3d-17-3-000001.csv",
                           "by_hour-0a1b2c3d-17-3-000001.csv.bak", "by_hour-0a1b2c3d-+17-3-000001.csv",
                           "x-by_hour-0a1b2c3d-1-3-000001.csv"})
    EXPECT_FALSE(parse_output_name(text)) << text;
}

}  // namespace
}  // namespace weir::connectors::file
