#include "compiler/driver/suggestions.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/diagnostics/render.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

std::string script(const std::string& stream) {
  return "type T = { x: string?, n: int, q: int?, t: timestamp }\n"
         "source s: T from file(path: \"in\", format: json)\n  time t\n" +
         stream + "\nsink r to file(path: \"out\", format: json)\n";
}

std::unique_ptr<Front> kept(const std::string& text) {
  auto front = check_text("test.weir", text);
  keep_sound_suggestions(*front, "test.weir");
  return front;
}

const diagnostics::Diagnostic* first_error(const Front& front) {
  for (const diagnostics::Diagnostic& d : front.findings.all()) {
    if (d.severity == diagnostics::Severity::error) return &d;
  }
  return nullptr;
}

TEST(Suggestions, ANumberThatNoDecimalHoldsHasNone) {
  const auto fits = kept(script("stream r = s |> extend b = 9999999999999999999999999999999999999"));
  ASSERT_NE(first_error(*fits), nullptr);
  EXPECT_EQ(first_error(*fits)->suggestions.size(), 1u);
  const auto too_long = kept(script("stream r = s |> extend b = 99999999999999999999999999999999999999"));
  ASSERT_NE(first_error(*too_long), nullptr);
  EXPECT_TRUE(first_error(*too_long)->suggestions.empty());
}

TEST(Suggestions, WhatUncoversMoreIsAdviceOnly) {
  const auto front = kept(script("stream r = ss |> where n == 1\n  |> extend k = n + x"));
  const diagnostics::Diagnostic* error = first_error(*front);
  ASSERT_NE(error, nullptr);
  EXPECT_TRUE(error->suggestions.empty());
  ASSERT_FALSE(error->helps.empty());
  EXPECT_EQ(error->helps.back(), "did you mean `s`?");
  const auto alone = kept(script("stream r = ss |> where n == 1\n  |> extend k = n + 1"));
  ASSERT_NE(first_error(*alone), nullptr);
  EXPECT_EQ(first_error(*alone)->suggestions.size(), 1u);
}

TEST(Suggestions, FixingMakesNoNewErrors) {
  int applied = 0;
  const auto good = kept(script("stream r = s |> where n = 1 && n <> 3\n  |> where q ?? 0 > 1"));
  EXPECT_EQ(fixed_script(*good, "test.weir", applied),
            script("stream r = s |> where n == 1 and n != 3\n  |> where q ?? 0 > 1"));
  EXPECT_EQ(applied, 3);
  applied = 0;
  const auto hidden = kept(script("stream r = ss |> extend k = n + x"));
  EXPECT_EQ(fixed_script(*hidden, "test.weir", applied), script("stream r = ss |> extend k = n + x"));
  EXPECT_EQ(applied, 0);
}

// Whatever the pages of the diagnostics show: what is offered can be applied.
TEST(Suggestions, OfThePagesAreSound) {
  fs::path root = fs::current_path();
  while (root != root.parent_path() && !fs::exists(root / "tests/diagnostics")) root = root.parent_path();
  int tried = 0;
  for (const auto& entry : fs::directory_iterator(root / "tests/diagnostics")) {
    if (entry.path().extension() != ".weir") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = page.find("//= program\n"); at != std::string::npos;
         at = page.find("//= program\n", at + 1)) {
      const std::size_t begin = at + 12;
      const auto front = kept(page.substr(begin, page.find("//= ", begin) - begin));
      int applied = 0;
      const auto after = check_text("test.weir", fixed_script(*front, "test.weir", applied));
      const auto errors = diagnostics::Severity::error;
      EXPECT_LE(after->findings.count(errors), front->findings.count(errors)) << entry.path().filename();
      if (front->findings.count(errors) == 1 && applied == 1 &&
          first_error(*front)->suggestions.size() == 1) {
        EXPECT_TRUE(after->program.has_value()) << entry.path().filename() << "\n"
                                                << diagnostics::render_text(after->findings, after->files);
      }
      ++tried;
    }
  }
  EXPECT_GT(tried, 80);
}

}  // namespace
}  // namespace weir::driver
