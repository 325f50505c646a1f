#include "compiler/check/pattern.h"

#include <gtest/gtest.h>

namespace weir::check {
namespace {

TEST(Pattern, RegexesThatAreRight) {
  for (const char* regex : {R"((?<client>\S+) \S+ \[(?<time>[^\]]+)\] ".*?" (?<status>\d{3}) (?: .*)?)",
                            "[]a-z]+", "[^]]*", "a{2,}?", "{plain}", "^$", "(?i)abc", "(?i:abc)|d",
                            R"(\Q*(\E)", "[[:alpha:](]+", "(a|b)*?", R"(\(\))", "a|"}) {
    const auto problem = regex_problem(regex);
    EXPECT_FALSE(problem.has_value()) << regex << ": " << problem->message;
  }
}

TEST(Pattern, RegexesThatAreWrong) {
  EXPECT_EQ(regex_problem("a(b")->at, 1u);
  EXPECT_EQ(regex_problem("ab)")->at, 2u);
  EXPECT_EQ(regex_problem("[ab")->at, 0u);
  EXPECT_EQ(regex_problem("*a")->at, 0u);
  EXPECT_EQ(regex_problem("(+)")->at, 1u);
  EXPECT_TRUE(regex_problem("a(?=b)"));
  EXPECT_TRUE(regex_problem("(?<!b)a"));
  EXPECT_TRUE(regex_problem(R"((a)\1)"));
  EXPECT_TRUE(regex_problem("a{1,2000}"));
  EXPECT_TRUE(regex_problem("(?<a b>x)"));
  EXPECT_TRUE(regex_problem("a\\"));
}

TEST(Pattern, GroupNames) {
  EXPECT_EQ(regex_groups(R"((?<a>x)(?P<b_2>y)(z)\(?<c>[(?<d>])"), (std::vector<std::string>{"a", "b_2"}));
}

TEST(Pattern, TimePatterns) {
  EXPECT_FALSE(time_pattern_problem("%d/%b/%Y:%H:%M:%S %z", true));
  EXPECT_FALSE(time_pattern_problem("%Y-%m-%dT%H:%M:%E*S%Ez", true));
  EXPECT_TRUE(time_pattern_problem("%Y-%q", true));
  EXPECT_TRUE(time_pattern_problem("%Y-%", true));
  EXPECT_TRUE(names_zone("%H %z"));
  EXPECT_TRUE(names_zone("%E*z"));
  EXPECT_FALSE(names_zone("%H %Z"));
  EXPECT_FALSE(names_zone("%%z"));
}

}  // namespace
}  // namespace weir::check
