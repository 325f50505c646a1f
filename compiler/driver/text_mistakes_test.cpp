// A mistake of the text (a string without its end, a character without a meaning, …) is reported alone: what follows
// from it is not, and neither is anything in the declarations behind it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/front.h"

namespace weir::driver {
namespace {

constexpr const char* kBefore = R"(type T = { a: string, n: int, t: timestamp }
source s: T from file(path: "in", format: json)
  time t
sink x to file(path: "out", format: json)
)";
constexpr const char* kAfter = R"(
test "behind it" { given s [{ a: "q", n: 1, t: @2026-01-01T00:00:00Z }] expect x [] }
)";

// The codes of what is found in `declaration`, between two that are right.
std::string found(const std::string& declaration) {
  const auto front = check_text("test.weir", kBefore + declaration + kAfter);
  std::string codes;
  for (const diagnostics::Diagnostic& d : front->findings.all()) {
    codes += (codes.empty() ? "" : " ") + diagnostics::to_string(d.code);
  }
  return codes;
}

struct Mistake {
  const char* code;
  const char* text;
};

void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.text;
}

class TextMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(TextMistakes, AreReportedAlone) {
  EXPECT_EQ(found(GetParam().text), GetParam().code) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Strings, TextMistakes,
                         testing::ValuesIn(std::vector<Mistake>{
                             {"E1006", "stream x = s |> select b = \"unterminated"},
                             {"E1006", "stream x = s |> select b = \"a ${n"},
                             {"E1006", "stream x = s |> select b = \"a ${n}"},
                             {"E1006", "stream x = s |> select b = \"a ${n b\""},
                             {"E1006", "stream x = s |> where a == \"unterminated\n  |> select n"},
                             {"E1006", "stream x = s |> where a in [\"u, \"v\"]"},
                             {"E1006", "stream x = s |> where a in [\n  \"u,\n  \"v\" ]"},
                             {"E1006", "stream x = s |> select b = a.contains(\"u)\n  |> where b"},
                             {"E1006", "stream x = s |> select b = f(\"u, 3)"},
                             {"E1006", "stream x = s |> select b = match a { \"u => 1, _ => 2 }"},
                             {"E1006", "stream x = s |> select b = match a { \"u => 1,\n _ => 2 }"},
                             {"E1006", "stream x = s |> select b = \"trailing\\"},
                             {"E1006", "stream x = s |> select b = r\"unterminated"},
                             {"E1006", "stream x = s |> select b = r#\"unterminated\" |> where n > 0"},
                             {"E1006", "stream x = s |> aggregate c = count() by a over tumbling(\"1m)"},
                             {"E1006", "stream x = s\nsink y from x to file(path: \"abc, format: json)"},
                             {"E1006", "stream x = s\ntest \"abc {\n  given s []\n  expect x []\n}"},
                             {"E1006", "stream x = s\nuse \"abc"},
                             {"E1006", "stream x = s\npipeline p { checkpoint every 1s to \"st }"},
                             {"E1006",
                              "stream x = s |> where a == \"\" \\d/*.x\" and n > 0\n  |> where n < 5"},
                             {"E1006", "stream x = s |> select `b = n"},
                             {"E1005", "stream x = s |> where a == 'unterminated"},
                             {"E1005", "stream x = s |> where a in ['u, \"v\"]"},
                             {"E1010", "stream x = s |> select b = “quoted"},
                             {"E1007", "stream x = s |> select b = \"\\q\""},
                             {"E1007", "stream x = s |> select b = \"\\u{41 \""},
                             {"E1001", "stream x = s |> select b = \"a ${n + } b\""},
                         }));

INSTANTIATE_TEST_SUITE_P(Characters, TextMistakes,
                         testing::ValuesIn(std::vector<Mistake>{
                             {"E1010", "stream x = s |> select b = n § 3"},
                             {"E1010", "stream x = s |> where n § 3"},
                             {"E1010", "stream x = s |> select b = n & 3"},
                             {"E1010", "stream x = s |> select b = ~n"},
                             {"E1010", "stream x = s |> select b = §"},
                             {"E1010", "stream x = s |> select b = n \\ 3"},
                             {"E1004", "stream x = s /* unclosed |> select b = n"},
                             {"E1004", "stream x = s |> select b = n /* unclosed\nstill |> foo\n more"},
                             {"E1004", "/* leading\ncomment\nstream x = s |> select b = n"},
                             {"E1004", "stream x = s |> where n > 0 */"},
                         }));

INSTANTIATE_TEST_SUITE_P(Numbers, TextMistakes,
                         testing::ValuesIn(std::vector<Mistake>{
                             {"E1008", "stream x = s |> select b = 10q"},
                             {"E1008", "stream x = s |> select b = 1h30m"},
                             {"E1008", "stream x = s |> select b = 0xzz"},
                             {"E1008", "stream x = s |> where n > 1."},
                             {"E1008", "stream x = s |> where n > .5 and n < 3"},
                             {"E1008", "stream x = s |> aggregate c = count() by a over tumbling(1mm)"},
                             {"E1008", "stream x = s\npipeline p { checkpoint every 100rec to \"st\" }"},
                             {"E1008", "stream x = s\npipeline p { checkpoint every never to \"st\" }"},
                             {"E1009", "stream x = s |> where t > @2026-01-01T00:00"},
                             {"E1009", "stream x = s |> where t > @foo"},
                         }));

// Beginnings without an end are not looked for again and again: these would take minutes.
TEST(LongLines, OfMistakesEndSoon) {
  for (const std::string piece : {"/* ", "r#\"", "r##\" ", "§ ", "“", "'", "§ \"", "\"${"}) {
    std::string text = "stream x = s |> where a == ";
    while (text.size() < 200'000) text += piece;
    EXPECT_NE(found(text), "") << piece;
  }
}

}  // namespace
}  // namespace weir::driver
