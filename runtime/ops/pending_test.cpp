#include "runtime/ops/pending.h"

#include <gtest/gtest.h>

#include "runtime/connectors/file/test_pipeline.h"
#include "runtime/files/lossy.h"

namespace weir::ops {
namespace {

using connectors::file::numbers;
using connectors::file::published;
using connectors::file::TestPipeline;

class PendingTest : public testing::Test {
 protected:
  void run(TestPipeline::Setting setting) {
    auto done = TestPipeline(host_.host, folder_, std::move(setting)).run();
    ASSERT_TRUE(done) << done.error().to_string();
  }
  PendingReport pending() {
    auto report = read_pending(host_.host, folder_ / "state");
    EXPECT_TRUE(report) << report.error().to_string();
    return *report;
  }

  files::TestFolder folder_;
  files::TestHost host_{files::make_lossy_files()};
};

TEST_F(PendingTest, C072ListsWhatIsOwedAndGivesUpWhatIsLost) {
  TestPipeline::Setting setting;
  setting.stop_after = 9;
  run(setting);
  PendingReport before = pending();
  ASSERT_EQ(before.deliveries.size(), 2u);
  EXPECT_EQ(before.deliveries[0].shows, outbox::Peek::not_committed);
  EXPECT_NE(to_text(before).find("4 rows of epochs 1-3"), std::string::npos) << to_text(before);

  const protocol::StagedFile& lost = before.deliveries[1].pending.file;
  ASSERT_TRUE(host_.files->unlink(folder_ / ("out/" + lost.staged)));
  EXPECT_EQ(pending().deliveries[1].shows, outbox::Peek::unknown);
  EXPECT_NE(to_text(pending()).find("UNKNOWN"), std::string::npos);
  EXPECT_FALSE(TestPipeline(host_.host, folder_, setting).run());

  auto slots = host_.files->list(folder_ / "state/log/a")->size();
  auto refuse = [&](const std::string& name) {
    auto accepted = accept(host_.host, folder_ / "state", {name}, "test");
    EXPECT_TRUE(!accepted && accepted.error().is(RunError::delivery_settled)) << name;
  };
  refuse("nothing.ndjson");
  refuse(before.deliveries[0].pending.file.name);
  EXPECT_EQ(host_.files->list(folder_ / "state/log/a")->size(), slots);

  ASSERT_TRUE(accept(host_.host, folder_ / "state", {lost.name}, "the file was removed by hand"));
  EXPECT_EQ(pending().deliveries.size(), 1u);
  run({});
  auto expected = numbers(1, 20);
  for (const char* row : {"2", "4", "6", "8"}) expected.erase(row);
  EXPECT_EQ(published(*host_.files, folder_ / "out"), expected);
  EXPECT_TRUE(pending().deliveries.empty());
}

TEST_F(PendingTest, AsksWithoutChangingTheAnswer) {
  TestPipeline::Setting setting = TestPipeline::each_epoch();
  setting.stop_after = 6;
  run(setting);
  PendingReport before = pending();
  ASSERT_EQ(before.deliveries.size(), 2u);
  EXPECT_EQ(before.deliveries[0].shows, outbox::Peek::committed);
  EXPECT_EQ(to_text(pending()), to_text(before));
  EXPECT_TRUE(read_pending(host_.host, folder_ / "nothing").error().is(RunError::file_not_found));
}

}  // namespace
}  // namespace weir::ops
