#include "compiler/diagnostics/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "compiler/diagnostics/explain.h"

namespace weir::diagnostics {
namespace {

class Render : public testing::Test {
 protected:
  void text(std::string content) { id_ = files_.add("a.weir", std::move(content)); }
  // The place of the n-th occurrence of `what`.
  source::Span at(std::string_view what, int n = 1) const {
    std::size_t found = 0;
    for (int i = 0; i < n; ++i) found = files_.file(id_).text().find(what, i == 0 ? 0 : found + 1);
    return {id_, static_cast<std::uint32_t>(found), static_cast<std::uint32_t>(what.size())};
  }
  std::string draw(const Diagnostic& d) const { return render_text(d, files_); }

  source::Files files_;
  source::FileId id_;
  Diagnostics list_;
};

TEST_F(Render, OneLabel) {
  text("stream s =\n  a |> where x = 1\n");
  auto& d = list_.report(Code::single_equals, at("=", 2), "`=` gives a name")
                .label("here")
                .suggest("compare", at("=", 2), "==");
  EXPECT_EQ(draw(d),
            "error[E1003]: `=` gives a name\n"
            " --> a.weir:2:16\n"
            "  |\n"
            "2 |   a |> where x = 1\n"
            "  |                ^ here\n"
            "help: compare\n"
            "  |\n"
            "2 -   a |> where x = 1\n"
            "2 +   a |> where x == 1\n");
}

TEST_F(Render, SeveralLabelsOnOneLineHangRightToLeft) {
  text("let a = b + c\n");
  auto& d = list_.report(Code::unexpected_token, at("+"), "no")
                .label("plus")
                .also(at("b"), "left")
                .also(at("c"), "right");
  EXPECT_EQ(draw(d),
            "error[E1001]: no\n"
            " --> a.weir:1:11\n"
            "  |\n"
            "1 | let a = b + c\n"
            "  |         - ^ - right\n"
            "  |         | |\n"
            "  |         | plus\n"
            "  |         left\n");
}

TEST_F(Render, LinesApartAreJoinedByDots) {
  text("one\ntwo\nthree\nfour\nfive\n");
  auto& d =
      list_.report(Code::unexpected_token, at("five"), "no").also(at("one"), "first").note("a\nb").help("c");
  EXPECT_EQ(draw(d),
            "error[E1001]: no\n"
            " --> a.weir:5:1\n"
            "  |\n"
            "1 | one\n"
            "  | --- first\n"
            "...\n"
            "5 | five\n"
            "  | ^^^^\n"
            "  |\n"
            "  = note: a\n"
            "          b\n"
            "  = help: c\n");
}

TEST_F(Render, ASpanOverSeveralLines) {
  text("a {\n  b\n} c\n");
  auto& d = list_.report(Code::unexpected_token, at("{\n  b\n}"), "no").label("all of it");
  EXPECT_EQ(draw(d),
            "error[E1001]: no\n"
            " --> a.weir:1:3\n"
            "  |\n"
            "1 |   a {\n"
            "  |  ___^\n"
            "2 | |   b\n"
            "3 | | } c\n"
            "  | |_^ all of it\n");
}

TEST_F(Render, TabsAndWideCharacters) {
  text("\t\"\u4e2d\u0301\" x\n");
  auto& d = list_.report(Code::unexpected_token, at("x"), "no").label("x");
  EXPECT_EQ(draw(d),
            "error[E1001]: no\n"
            " --> a.weir:1:10\n"
            "  |\n"
            "1 |     \"\u4e2d\u0301\" x\n"
            "  |          ^ x\n");
}

TEST_F(Render, InvisibleCharactersAreSpeltOut) {
  text("a\u202Eb\n");
  auto& d = list_.report(Code::bidirectional_control, at("\u202E"), "no");
  EXPECT_NE(draw(d).find("a\\u{202e}b\n  |  ^^^^^^^^"), std::string::npos) << draw(d);
}

TEST_F(Render, TheEndOfTheTextCanBeMarked) {
  text("abc");
  auto& d = list_.report(Code::unexpected_token, {id_, 3, 0}, "no").label("here");
  EXPECT_NE(draw(d).find("1 | abc\n  |    ^ here\n"), std::string::npos) << draw(d);
}

TEST_F(Render, LongLinesAreCutAroundTheMark) {
  text(std::string(100000, 'a') + "X" + std::string(100000, 'b'));
  auto& d = list_.report(Code::unexpected_token, at("X"), "no").label("here");
  const std::string drawn = draw(d);
  EXPECT_LT(drawn.size(), 600u);
  const std::size_t line = drawn.find("1 | ") + 4;
  const std::size_t marks = drawn.find("  | ", line) + 4;
  EXPECT_EQ(drawn.find('X') - line, drawn.find('^') - marks);
}

TEST_F(Render, ColourOnlyOnDemand) {
  text("a\n");
  auto& d = list_.report(Code::unexpected_token, at("a"), "no");
  EXPECT_EQ(draw(d).find('\x1b'), std::string::npos);
  RenderOptions options;
  options.colour = true;
  EXPECT_NE(render_text(d, files_, options).find('\x1b'), std::string::npos);
}

TEST_F(Render, MachineForms) {
  text("a b\n");
  list_.report(Code::unexpected_token, at("b"), "no 100% \u00e9")
      .label("here")
      .note("why")
      .suggest("do", at("b"), "c");
  const auto json = nlohmann::json::parse(render_json(list_, files_));
  EXPECT_EQ(json.at(0).at("code"), "E1001");
  EXPECT_EQ(json.at(0).at("column"), 3);
  EXPECT_EQ(json.at(0).at("suggestions").at(0).at("edits").at(0).at("text"), "c");
  const auto sarif = nlohmann::json::parse(render_sarif(list_, files_));
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  EXPECT_EQ(sarif.at("runs").at(0).at("results").at(0).at("ruleId"), "E1001");
  EXPECT_EQ(render_github(list_, files_).rfind("::error file=a.weir,line=1,", 0), 0u);
  EXPECT_NE(render_github(list_, files_).find("100%25"), std::string::npos);
}

TEST_F(Render, SortPutsTheTextsOrderAndDropsRepeats) {
  text("a b c\n");
  list_.report(Code::unexpected_token, at("c"), "third");
  list_.report(Code::unexpected_token, at("a"), "first");
  list_.report(Code::unexpected_token, at("a"), "first again");
  list_.report(Code::bad_number, at("a"), "another code");
  list_.sort();
  ASSERT_EQ(list_.size(), 3u);
  EXPECT_EQ(list_.all()[0].message, "first");
  EXPECT_EQ(list_.all()[2].message, "third");
}

TEST_F(Render, ALimitKeepsTheFirst) {
  text("a\n");
  Diagnostics limited(1);
  limited.report(Code::unexpected_token, at("a"), "one");
  limited.report(Code::unexpected_token, at("a"), "two").label("goes nowhere");
  ASSERT_EQ(limited.size(), 1u);
  EXPECT_EQ(limited.all()[0].primary.text, "");
}

TEST_F(Render, EditsAreAppliedTogether) {
  text("a b c");
  const Suggestion suggestion{"", {{at("c"), "C"}, {at("a"), "A"}, {{id_, 1, 0}, "+"}}};
  EXPECT_EQ(apply(suggestion, files_.file(id_)), "A+ b C");
}

TEST(Catalogue, CodesAreAscendingAndReadBack) {
  int last = 0;
  for (const CodeInfo& row : catalogue()) {
    EXPECT_GT(static_cast<int>(row.code), last) << row.name;
    last = static_cast<int>(row.code);
    EXPECT_EQ(parse_code(to_string(row.code)), row.code);
    EXPECT_FALSE(row.title.ends_with('.')) << row.name;
  }
  EXPECT_FALSE(parse_code("E9999").has_value());
  EXPECT_FALSE(parse_code("nonsense").has_value());
  EXPECT_EQ(parse_code("e1003"), Code::single_equals);
}

TEST(Explain, APageForReading) {
  const std::string shown =
      explain_page(Code::single_equals,
                   "//= E1003 single_equals\n// Prose.\n//\n// More.\n//= program\na = 1\n//= drawing\n"
                   "// error\n//  | x\n//= fixed\na == 1\n");
  EXPECT_EQ(shown,
            "E1003: `=` where a comparison is meant\n\nProse.\n\nMore.\n\nExample\n\na = 1\n\nerror\n | "
            "x\n\nMended\n\na == 1\n");
  EXPECT_NE(explain(Code::single_equals).find("select a = b"), std::string::npos);
}

}  // namespace
}  // namespace weir::diagnostics
