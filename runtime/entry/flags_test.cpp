#include "runtime/entry/flags.h"

#include <gtest/gtest.h>

#include "runtime/abi/abi.h"

#include "runtime/entry/params.h"

namespace weir::entry {
namespace {

exec::Plan plan() {
  exec::Plan plan;
  plan.pipeline = "p";
  plan.state_folder = "state/p";
  plan.params.push_back({"threshold", "int", "100", false});
  exec::SourcePlan source;
  source.name = "orders";
  plan.sources.push_back(source);
  return plan;
}

ParsedFlags parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "app");
  return parse_flags(static_cast<int>(arguments.size()), arguments.data(), plan());
}

TEST(flags, are_read) {
  ParsedFlags parsed =
      parse({"--state", "s", "--checkpoint=25rec", "--set", "threshold=5", "--bind=orders=x/*.json",
             "--parallelism=3", "--stop-within=5s", "--roll-every", "0s"});
  ASSERT_FALSE(parsed.exit);
  EXPECT_EQ(parsed.flags.state_folder, "s");
  EXPECT_EQ(parsed.flags.checkpoint, exec::CheckpointMode::records);
  EXPECT_EQ(parsed.flags.checkpoint_records, 25u);
  EXPECT_EQ(parsed.flags.params.at(0).second, "5");
  EXPECT_EQ(parsed.flags.bindings.at(0).second, "x/*.json");
  EXPECT_EQ(parsed.flags.parallelism, 3u);
  EXPECT_EQ(parsed.flags.stop_within_us, 5'000'000);
  EXPECT_EQ(parsed.flags.roll_every_us, 0);
}

TEST(flags, bad_use_is_exit_code_2) {
  for (const char* bad :
       {"--nonsense", "--checkpoint=0rec", "--checkpoint=soon", "--set=other=1", "--set=threshold",
        "--bind=nobody=x", "--parallelism=0", "--replace-output", "--stop-within=x"})
    EXPECT_EQ(parse({bad}).exit, 2) << bad;
}

TEST(flags, durations) {
  EXPECT_EQ(parse_duration("250ms"), 250'000);
  EXPECT_EQ(parse_duration("1d"), 86'400'000'000);
  EXPECT_EQ(parse_duration("10us"), 10);
  EXPECT_FALSE(parse_duration("10"));
  EXPECT_FALSE(parse_duration("s"));
  EXPECT_FALSE(parse_duration("99999999999999d"));
}

TEST(params, have_the_declared_type) {
  exec::Plan with = plan();
  with.params.push_back({"rate", "decimal(5,2)", "1.5", false});
  with.params.push_back({"name", "string", "x", false});
  with.params.push_back({"gap", "duration", "1000000", false});
  auto params = Params::make(with, {{"threshold", "7"}, {"gap", "2s"}});
  ASSERT_TRUE(params);
  auto slots = params->slots();
  EXPECT_EQ(*static_cast<const std::int64_t*>(slots[0]), 7);
  EXPECT_EQ(*static_cast<const std::int64_t*>(slots[1]), 150);
  EXPECT_EQ(std::string(static_cast<const ::weir_str*>(slots[2])->data, 1), "x");
  EXPECT_EQ(*static_cast<const std::int64_t*>(slots[3]), 2'000'000);
  EXPECT_FALSE(Params::make(with, {{"threshold", "x"}}));
  EXPECT_FALSE(Params::make(with, {{"rate", "1234.00"}}));
}

}  // namespace
}  // namespace weir::entry
