#include "runtime/files/failpoints.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "runtime/files/files.h"
#include "runtime/files/test_folder.h"

namespace weir::files {
namespace {

TEST(Failpoints, EveryRowIsWhole) {
  std::set<std::string_view> names;
  for (const FailpointInfo& row : failpoints()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.step.empty() || row.when.empty() || row.recovery.empty()) << row.name;
    EXPECT_EQ(find_failpoint(row.name), row.point);
  }
  EXPECT_FALSE(find_failpoint("nowhere"));
}

TEST(Failpoints, Orders) {
  auto order = parse_fail_order("decide_synced_a@12:stop");
  ASSERT_TRUE(order);
  EXPECT_EQ(order->point, Failpoint::decide_synced_a);
  EXPECT_EQ(order->hit, 12u);
  EXPECT_EQ(order->action, FailAction::stop);
  for (const char* text : {"", "decide_synced_a", "decide_synced_a@", "decide_synced_a@0",
                           "decide_synced_a@1:", "decide_synced_a@1:go", "nowhere@1", "decide_synced_a@1x"})
    EXPECT_FALSE(parse_fail_order(text)) << text;
}

TEST(Failpoints, KillsAtTheNthHitAndTheLogSurvives) {
  TestFolder folder;
  pid_t child = ::fork();
  if (child == 0) {
    auto points = Failpoints::make({*parse_fail_order("decide_after@2")}, folder / "log");
    (*points)->hit(Failpoint::decide_after, 1);
    (*points)->hit(Failpoint::deliver_before, 1);
    (*points)->hit(Failpoint::decide_after, 2);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_EQ(*read_whole(*make_system_files(), folder / "log"),
            "decide_after 1 1\ndeliver_before 1 1\ndecide_after 2 2\n");
}

TEST(Failpoints, StopsAndGoesOn) {
  pid_t child = ::fork();
  if (child == 0) {
    auto points = Failpoints::make({*parse_fail_order("decide_after@1:stop")}, "");
    (*points)->hit(Failpoint::decide_after, 1);
    ::_exit(7);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  ::kill(child, SIGCONT);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace weir::files
