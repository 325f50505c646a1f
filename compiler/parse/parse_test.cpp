#include "compiler/parse/parse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/ast/print.h"
#include "compiler/diagnostics/render.h"
#include "compiler/parse/tokens.h"

namespace weir::parse {
namespace {

using diagnostics::Code;

// One text parsed, with all that it takes.
struct Parsed {
  source::Files files;
  ast::Tree tree;
  diagnostics::Diagnostics findings;
  ast::Module module;

  explicit Parsed(std::string text) {
    module = parse_file(files.add("t.weir", std::move(text)), files, tree, findings);
  }
  std::string drawn() const { return diagnostics::render_text(findings, files); }
  std::vector<Code> codes() const {
    std::vector<Code> out;
    for (const auto& d : findings.all()) out.push_back(d.code);
    return out;
  }
};

std::string tree_of(const std::string& expression) {
  source::Files files;
  ast::Tree tree;
  diagnostics::Diagnostics findings;
  const ast::Expr* expr = parse_expression(files.add("e", expression), files, tree, findings);
  EXPECT_NE(expr, nullptr) << expression << "\n" << diagnostics::render_text(findings, files);
  return expr == nullptr ? "" : ast::dump(*expr);
}

std::string printed(const std::string& expression) {
  source::Files files;
  ast::Tree tree;
  diagnostics::Diagnostics findings;
  const ast::Expr* expr = parse_expression(files.add("e", expression), files, tree, findings);
  return expr == nullptr ? diagnostics::render_text(findings, files) : ast::print(*expr);
}

// The value of the only `fn` of the text with this body.
std::string body_of(const std::string& text) {
  Parsed parsed("fn f(x: int) -> int = " + text + "\n");
  EXPECT_TRUE(parsed.findings.empty()) << parsed.drawn();
  return ast::print(*ast::as<ast::FnDecl>(*parsed.module.decls.at(0)).body);
}

void expect_same_tree(const std::string& a, const std::string& b) {
  EXPECT_EQ(tree_of(a), tree_of(b)) << a << "  and  " << b;
}

TEST(Parse, PrecedenceIsTheDocumentedOne) {
  expect_same_tree("a or b and c", "a or (b and c)");
  expect_same_tree("not a == b and c", "(not (a == b)) and c");
  expect_same_tree("a ?? b == c", "(a ?? b) == c");
  expect_same_tree("a + b ?? c", "(a + b) ?? c");
  expect_same_tree("a - b - c", "(a - b) - c");
  expect_same_tree("a / b * c", "(a / b) * c");
  expect_same_tree("a + b * c", "a + (b * c)");
  expect_same_tree("-a.b", "-(a.b)");
  expect_same_tree("-a * b", "(-a) * b");
  expect_same_tree("try a + b", "(try a) + b");
  expect_same_tree("capture f() + 1", "(capture f()) + 1");
  expect_same_tree("a in b ?? c", "a in (b ?? c)");
  expect_same_tree("a is null or b is not null", "(a is null) or (b is not null)");
  expect_same_tree("if a then b else c + d", "if a then b else (c + d)");
  expect_same_tree("let x = 1 in x + 2", "let x = 1 in (x + 2)");
  expect_same_tree("let x = 1 in let y = 2 in x in [y]", "let x = 1 in (let y = 2 in (x in [y]))");
  expect_same_tree("x => x + 1", "x => (x + 1)");
  expect_same_tree("a.f(b).g()", "(a.f(b)).g()");
}

// Case C051: parentheses that matter are never lost.
TEST(Parse, C051PrintingKeepsTheTree) {
  const char* cases[] = {
      "a/(b*c)",
      "a-(b+c)",
      "a-(b-c)",
      "(10*10)%3",
      "not (x and y)",
      "-(a-b)",
      "(a - b).f()",
      "-(-a)",
      "(not a) == b",
      "not (not a)",
      "(a ?? b) ?? c",
      "a ?? (b ?? c)",
      "(if a then b else c) + 1",
      "1 + (if a then b else c)",
      "(let x = 1 in x) * 2",
      "let x = (a in b) in x in c",
      "let x = (if a in b then c else d) in x",
      "(x => x)",
      "f(x => y => x + y, (a, b) => a)",
      "match x { 1 | -2 => a, \"s\" if b => (y => y), n if n > 1 => n, null => d }",
      "match e { _ => (match f { _ => g }) }",
      "{ a: 1, `b c`: 2, ..r, ..(r) }",
      "\"a ${x + \"}\" + \"${y}\"} \\${z} $\"",
      "capture (\"a\")",
      "capture \"site\" -a",
      "(capture \"site\" a) - b",
      "x?.y?.f(z)[0]",
      "(a == b) == (c == d)",
      "(a is null) == b",
      "a not in [b]",
      "[1h, 90m, 250ms, 10us, 1_000, 0xff, 1.50, 1.5e3, @2026-01-01T01:02:03.5+02:00, @1900-02-28]",
      "if let y = x then y else `match`"};
  for (const char* text : cases) {
    const std::string once = printed(text);
    EXPECT_EQ(tree_of(text), tree_of(once)) << text << "\n" << once;
    EXPECT_EQ(printed(once), once) << text;
  }
}

TEST(Parse, Literals) {
  EXPECT_EQ(body_of("@1970-01-01T00:00:00Z"), "@1970-01-01T00:00:00Z");
  EXPECT_EQ(body_of("@0001-01-01T00:00:00Z"), "@0001-01-01T00:00:00Z");
  EXPECT_EQ(body_of("@9999-12-31T23:59:59.999999Z"), "@9999-12-31T23:59:59.999999Z");
  EXPECT_EQ(body_of("@2024-02-29T12:30+05:30"), "@2024-02-29T07:00:00Z");
  EXPECT_EQ(body_of("60s"), "1m");
  EXPECT_EQ(body_of("0xFF"), "255");
  EXPECT_EQ(body_of("r\"\\d+\""), "\"\\\\d+\"");
  EXPECT_EQ(body_of("r#\"a\"b\"#"), "\"a\\\"b\"");
  EXPECT_EQ(body_of("\"\\u{1F600}\\t\""), "\"\U0001F600\\t\"");
}

TEST(Parse, EveryOperatorAndClauseWordCanBeAName) {
  const Parsed parsed(
      "type T = { type: int, time: int, key: int, from: int, user: int, where: int, by: int, on: int, to: "
      "int, as: int }\n"
      "source time: T from file(path: \"x\") identity key, on time time lateness 1s\n"
      "stream where = time |> where by > on and from == to |> select key, where = as |> extend by = by\n"
      "  |> aggregate sum = sum(over), emit = count() by by, on = to over tumbling(1m)\n"
      "sink where to file(path: \"y\") key key path \"z\"\n");
  EXPECT_TRUE(parsed.findings.empty()) << parsed.drawn();
  EXPECT_EQ(parsed.module.decls.size(), 4u);
}

TEST(Parse, DocumentationIsKept) {
  const Parsed parsed(
      "/// The file.\n\n/// One.\n///\n/// Two.\nparam p: int = 1\n// no\ntype T = {\n  /// A field.\n  a: "
      "int,\n}\n");
  EXPECT_EQ(parsed.module.doc, "The file.");
  EXPECT_EQ(parsed.module.decls.at(0)->doc, "One.\n\nTwo.");
  EXPECT_EQ(parsed.module.decls.at(1)->doc, "");
  EXPECT_EQ(ast::as<ast::RecordTypeDecl>(*parsed.module.decls.at(1)).fields.at(0).doc, "A field.");
}

TEST(Parse, IdsAreDense) {
  const Parsed parsed("fn f(x: int) -> int = x + 1\n");
  const auto& fn = ast::as<ast::FnDecl>(*parsed.module.decls.at(0));
  EXPECT_GE(fn.body->id, 0);
  EXPECT_LT(fn.body->id, parsed.tree.id_count());
}

TEST(Parse, SpansAreExact) {
  const Parsed parsed("fn f(x: int) -> int = (x + 1) * y.z\n");
  const auto& product = ast::as<ast::BinaryExpr>(*ast::as<ast::FnDecl>(*parsed.module.decls.at(0)).body);
  EXPECT_EQ(parsed.files.text(product.left->span), "x + 1");
  EXPECT_TRUE(product.left->parenthesised);
  EXPECT_EQ(parsed.files.text(product.right->span), "y.z");
  EXPECT_EQ(parsed.files.text(product.op_span), "*");
}

TEST(Parse, SeveralMistakesInOneGo) {
  const Parsed parsed(
      "type T = { a int, b: int }\n"
      "stream s = t |> filter a = 1 && b <> 2\n"
      "fn f(x: int) -> int = (x + \n"
      "strem u = t\n"
      "fn g(x: int) -> int = 'a'\n"
      "fn good(x: int) -> int = x\n");
  std::vector<Code> codes = parsed.codes();
  std::sort(codes.begin(), codes.end());
  EXPECT_EQ(codes, (std::vector<Code>{Code::unexpected_token, Code::unknown_operator, Code::single_equals,
                                      Code::foreign_operator, Code::foreign_operator, Code::single_quotes,
                                      Code::unclosed_bracket, Code::unknown_declaration}))
      << parsed.drawn();
  EXPECT_EQ(parsed.module.decls.size(), 6u);
  EXPECT_FALSE(parsed.module.decls.back()->broken);
  EXPECT_TRUE(parsed.module.decls.front()->broken);
}

TEST(Parse, ABrokenDeclarationKeepsItsName) {
  const Parsed parsed("stream s = = =\nsource o: T frm\nfn f( -> int\n");
  ASSERT_EQ(parsed.module.decls.size(), 3u);
  EXPECT_EQ(ast::as<ast::StreamDecl>(*parsed.module.decls[0]).name.text, "s");
  EXPECT_EQ(ast::as<ast::SourceDecl>(*parsed.module.decls[1]).name.text, "o");
  EXPECT_EQ(ast::as<ast::FnDecl>(*parsed.module.decls[2]).name.text, "f");
  for (const ast::Decl* decl : parsed.module.decls) EXPECT_TRUE(decl->broken);
}

// Every edit that is offered for a syntax error leads to fewer errors.
TEST(Parse, SuggestionsHelp) {
  const char* cases[] = {"type T = { a int }\n",
                         "type T = { a: int\n b: int }\n",
                         "stream s = t |> extend a: 1\n",
                         "sink s into file(path: \"x\")\n",
                         "source o: T from file(path: \"x\")\n  time a latenes 1s\n",
                         "fn f(x: int): int = x\n",
                         "stream s = t |> select a,\n",
                         "fn f(x: int) -> int = match x { 1 => 2\n _ => 3 }\n",
                         "fn f(match: int) -> int = 1\n",
                         "stream s = t |> where a < b < c\n",
                         "fn f(x: int) -> T = { a = 1 }\n",
                         "fn f(x: int) -> int = let y = 1 y\n"};
  for (const char* text : cases) {
    const Parsed parsed(text);
    ASSERT_EQ(parsed.findings.size(), 1u) << text << parsed.drawn();
    ASSERT_EQ(parsed.findings.all()[0].suggestions.size(), 1u) << text << parsed.drawn();
    const Parsed mended(
        diagnostics::apply(parsed.findings.all()[0].suggestions[0], parsed.files.file(parsed.module.file)));
    EXPECT_TRUE(mended.findings.empty()) << text << mended.drawn();
  }
}

// What people coming from elsewhere write is understood, and the edit is right.
TEST(Parse, HabitsOfOtherLanguages) {
  const char* cases[] = {"fn f(x: int) -> int = x.map(r -> r + 1)\n",
                         "stream s = t\n  | where a > 1\n",
                         "fn f(x: int) -> bool = x in (1, 2)\n",
                         "pipeline p { checkpoint every 1 s }\n",
                         "fn f(x: int) -> string = \xE2\x80\x9C"
                         "a\xE2\x80\x9D\n",
                         "fn gr\xC3\xB6\xC3\x9F"
                         "e(x: int) -> int = x\n",
                         "-- comment\nparam p: int = 1\n",
                         "# comment\nparam p: int = 1\n",
                         "/* comment */\nparam p: int = 1\n",
                         "fn f(x: int) -> int = let y = 1; y\n",
                         "fn f(x: int) -> int = if x == 1 then 2 elif x == 2 then 3 else 4\n",
                         "stream s = t |> aggregate n = count(), by k\n",
                         "fn f(x: int?) -> bool = x IS NOT NULL\n",
                         "type T = { a: int; b: int }\n",
                         "fn f(x: int) -> int = match x { 1 -> 2, }\n"};
  for (const char* text : cases) {
    std::string mended = text;
    // One edit for each mistake.
    for (int round = 0; round < 4; ++round) {
      const Parsed parsed(mended);
      if (parsed.findings.empty()) break;
      ASSERT_EQ(parsed.findings.all()[0].suggestions.size(), 1u) << text << parsed.drawn();
      mended =
          diagnostics::apply(parsed.findings.all()[0].suggestions[0], parsed.files.file(parsed.module.file));
    }
    EXPECT_TRUE(Parsed(mended).findings.empty()) << mended << Parsed(mended).drawn();
    EXPECT_NE(mended, text);
  }
}

// Case C061: strings.
TEST(Parse, C061StringsThatErrAreLocated) {
  const Parsed escape("fn f(x: int) -> string = \"a\\q\"\n");
  ASSERT_EQ(escape.codes(), std::vector<Code>{Code::unknown_escape});
  EXPECT_EQ(escape.files.text(escape.findings.all()[0].primary.span), "\\q");
  const Parsed open("fn f(x: int) -> string = \"abc\nfn g(x: int) -> int = x\n");
  ASSERT_EQ(open.codes(), std::vector<Code>{Code::unterminated_string}) << open.drawn();
  EXPECT_EQ(open.findings.all()[0].primary.span.offset, 25u);
  EXPECT_EQ(open.module.decls.size(), 2u);
  EXPECT_EQ(body_of("\"' \\\" \\\\ \\n C:\\\\temp\\\\new \\\\d+\\\\b \u00e9 '); drop table t; --\""),
            "\"' \\\" \\\\ \\n C:\\\\temp\\\\new \\\\d+\\\\b \u00e9 '); drop table t; --\"");
}

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Case C056: what is too deep or too long is a located error, not a crash.
TEST(Parse, C056DeepTextsEndInAnError) {
  const std::string begin = "fn f(x: int) -> int = ";
  const std::string cases[] = {
      begin + repeat("(", 100000) + "1" + repeat(")", 100000) + "\n",
      begin + "x" + repeat(" + x", 50000) + "\n",
      "stream s = a" + repeat("\n  |> where x > 1", 5000) + "\n",
      begin + repeat("if x == 1 then 2 else ", 10000) + "3\n",
      begin + repeat("not ", 50000) + "x\n",
      begin + repeat("- ", 50000) + "x\n",
      begin + repeat("x => ", 20000) + "x\n",
      begin + repeat("let a = 1 in ", 20000) + "x\n",
      begin + repeat("\"${", 20000) + "x\n",
      begin + repeat("{ a: ", 20000) + "x\n",
      begin + "x" + repeat(".y", 50000) + "\n",
      "fn f(x: " + repeat("list<", 50000) + "int" + repeat(">", 50000) + ") -> int = x\n",
      repeat(")", 50000),
      repeat("\\", 50000),
  };
  for (const std::string& text : cases) {
    const Parsed parsed(text);
    EXPECT_TRUE(parsed.findings.has_errors()) << text.substr(0, 60);
    EXPECT_TRUE(parsed.findings.all()[0].primary.span.is_known());
  }
}

TEST(Parse, WhatIsWithinTheLimitsIsRead) {
  const std::string begin = "fn f(x: int) -> int = ";
  const std::string cases[] = {
      begin + repeat("(", 255) + "1" + repeat(")", 255) + "\n",
      begin + "x" + repeat(" + x", 990) + "\n",
      begin + repeat("if x == 1 then 2 else ", 900) + "3\n",
      begin + repeat("x => ", 900) + "x\n",
      begin + repeat("match x { 1 => ", 200) + "1" + repeat("}", 200) + "\n",
      "stream s = a" + repeat("\n  |> where x > 1", 999) + "\n",
  };
  for (const std::string& text : cases) {
    const Parsed parsed(text);
    EXPECT_TRUE(parsed.findings.empty()) << parsed.drawn().substr(0, 400);
  }
}

TEST(Parse, SizeAndEncodingAreChecked) {
  EXPECT_EQ(Parsed(std::string((4 << 20) + 1, ' ')).codes(), std::vector<Code>{Code::too_large});
  EXPECT_EQ(Parsed("// \xff\n").codes(), std::vector<Code>{Code::not_utf8});
  EXPECT_TRUE(Parsed("\xEF\xBB\xBFparam p: int = 1\r\n").findings.empty());
  EXPECT_TRUE(Parsed("").findings.empty());
}

TEST(Tokens, JoinedTheyAreTheText) {
  const std::string text =
      "a \"b ${c + \"d\"} e\n\" // x\n/// y\n`z` \xC3\xA9 \xFF }}} ${ r#\"q\"# 'w' 1x @1\n";
  std::string joined;
  for (const Token& token : lex(text)) joined += text_of(token, text);
  EXPECT_EQ(joined, text);
}

// The examples of the repository are read, printed and read again.
TEST(Parse, ExamplesKeepTheirTree) {
  std::filesystem::path folder = std::filesystem::current_path();
  while (!std::filesystem::exists(folder / "examples") && folder.has_relative_path())
    folder = folder.parent_path();
  if (!std::filesystem::exists(folder / "examples")) GTEST_SKIP() << "not run within the repository";
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "examples")) {
    if (entry.path().extension() != ".weir") continue;
    ++count;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    const Parsed first(text.str());
    EXPECT_TRUE(first.findings.empty()) << entry.path() << first.drawn();
    const std::string once = ast::print(first.module);
    const Parsed second(once);
    EXPECT_TRUE(second.findings.empty()) << entry.path() << second.drawn();
    EXPECT_EQ(ast::print(second.module), once);
  }
  EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace weir::parse
