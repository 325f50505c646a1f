// The front half as a whole: what it accepts is a verified flow, what it refuses is refused once and at its place.
#include "compiler/driver/front.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/catalog/functions.h"
#include "compiler/diagnostics/render.h"
#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"(
type Order = {
  id: string, customer: string, amount: decimal(12, 2), price: decimal(5, 1), qty: int, weight: float, ok: bool,
  coupon: string?, parts: int?, items: list<int>, names: list<string>, tags: map<string, int>, placed: timestamp,
  took: duration, address: Address?, size: Size,
}
type Address = { street: string, number: int? }
type Size = { width: int, height: int }
source orders: Order from file(path: "in/*.ndjson", format: json)
  time placed lateness 10s
)";

std::string with_steps(const std::string& steps) {
  return kSource + ("stream result =\n  orders\n" + steps) +
         "\nsink result to file(path: \"out\", format: json)\n";
}

std::string drawn(const Front& front) {
  return diagnostics::render_text(front.findings, front.files);
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The repository's root: tests run there or in the build tree below it.
fs::path root() {
  for (fs::path path = fs::current_path(); path != path.parent_path(); path = path.parent_path()) {
    if (fs::exists(path / "tests/language")) return path;
  }
  return {};
}

// The row type after the steps, as text; the findings if they are refused.
std::string row_after(const std::string& steps) {
  const auto front = check_text("test.weir", with_steps(steps));
  if (!front->program) return drawn(*front);
  const auto faults = flow::verify(*front->program);
  if (!faults.empty()) return flow::to_string(faults);
  return types::to_string(front->program->nodes.back().row);
}

// The type of one expression over an order.
std::string type_of(const std::string& expression) {
  return row_after("  |> select x = " + expression);
}

// The code of the only error, and the text at its place.
std::string error_of(const std::string& script) {
  const auto front = check_text("test.weir", script);
  std::string result;
  for (const auto& finding : front->findings.all()) {
    if (finding.severity != diagnostics::Severity::error) continue;
    if (!result.empty()) result += "; ";
    result +=
        diagnostics::to_string(finding.code) + " " + std::string(front->files.text(finding.primary.span));
  }
  return result;
}

std::string error_in(const std::string& expression) {
  return error_of(with_steps("  |> select x = " + expression));
}

TEST(Front, TypesOfArithmetic) {
  EXPECT_EQ(type_of("qty + 1"), "{ x: int }");
  EXPECT_EQ(type_of("amount + price"), "{ x: decimal(13, 2) }");
  EXPECT_EQ(type_of("amount * price"), "{ x: decimal(17, 3) }");
  EXPECT_EQ(type_of("amount / price"), "{ x: decimal(17, 6) }");
  EXPECT_EQ(type_of("amount + 1"), "{ x: decimal(13, 2) }");
  EXPECT_EQ(type_of("price + qty"), "{ x: decimal(21, 1) }");
  EXPECT_EQ(type_of("amount * 0.5"), "{ x: decimal(13, 3) }");
  EXPECT_EQ(type_of("round(amount * 0.5, 2)"), "{ x: decimal(13, 2) }");
  EXPECT_EQ(type_of("weight * 1.5 + 1"), "{ x: float }");
  EXPECT_EQ(type_of("placed - 1h"), "{ x: timestamp }");
  EXPECT_EQ(type_of("placed - placed"), "{ x: duration }");
  EXPECT_EQ(type_of("took * 2"), "{ x: duration }");
  EXPECT_EQ(type_of("2 * took"), "{ x: duration }");
  EXPECT_EQ(type_of("took / 2"), "{ x: duration }");
  EXPECT_EQ(type_of("div(qty, 2)"), "{ x: int }");
  EXPECT_EQ(type_of("ratio(qty, 3, scale: 4)"), "{ x: decimal(23, 4) }");
  EXPECT_EQ(type_of("-qty"), "{ x: int }");
  EXPECT_EQ(type_of("1.5"), "{ x: decimal(2, 1) }");
  EXPECT_EQ(type_of("0.05"), "{ x: decimal(2, 2) }");
  EXPECT_EQ(type_of("1.5e3"), "{ x: float }");
  EXPECT_EQ(type_of("to_decimal(qty, 12, 2)"), "{ x: decimal(12, 2) }");
}

TEST(Front, TypesOfBranches) {
  EXPECT_EQ(type_of("if ok then amount else 0"), "{ x: decimal(12, 2) }");
  EXPECT_EQ(type_of("if ok then price else amount"), "{ x: decimal(12, 2) }");
  EXPECT_EQ(type_of("if ok then qty else null"), "{ x: int? }");
  EXPECT_EQ(type_of("match coupon { \"A\" => 1, null => 2, c => length(c) }"), "{ x: int }");
  EXPECT_EQ(type_of("match ok { true => 1, false => 2 }"), "{ x: int }");
  EXPECT_EQ(type_of("match qty { 1 | 2 => \"few\", n if n < 10 => \"some\", _ => \"many\" }"),
            "{ x: string }");
  EXPECT_EQ(type_of("coupon ?? \"none\""), "{ x: string }");
  EXPECT_EQ(type_of("parts ?? 0"), "{ x: int }");
  EXPECT_EQ(type_of("if let p = parts then p + 1 else 0"), "{ x: int }");
  EXPECT_EQ(type_of("let a = qty * 2 in a + a"), "{ x: int }");
  EXPECT_EQ(type_of("try div(1, qty)"), "{ x: int? }");
  EXPECT_EQ(type_of("address?.street"), "{ x: string? }");
  EXPECT_EQ(type_of("address?.number"), "{ x: int? }");
  EXPECT_EQ(type_of("coupon?.length()"), "{ x: int? }");
}

TEST(Front, AbsenceIsTakenAwayWhereItIsKnown) {
  EXPECT_EQ(type_of("if parts is not null then parts + 1 else 0"), "{ x: int }");
  EXPECT_EQ(type_of("if parts is null then 0 else parts + 1"), "{ x: int }");
  EXPECT_EQ(type_of("parts is not null and parts > 1"), "{ x: bool }");
  EXPECT_EQ(type_of("parts is null or parts > 1"), "{ x: bool }");
  EXPECT_EQ(type_of("not (parts is null or coupon is null) and parts > length(coupon)"), "{ x: bool }");
  EXPECT_EQ(row_after("  |> where parts is not null\n  |> select x = parts + 1"), "{ x: int }");
  EXPECT_EQ(row_after("  |> where address is not null\n  |> select x = address.street"), "{ x: string }");
  EXPECT_EQ(row_after("  |> where coupon == \"A\"\n  |> select x = coupon"), "{ x: string }");
  EXPECT_EQ(error_in("if parts is null then parts + 1 else 0"), "E2009 parts");
  EXPECT_EQ(error_in("parts is not null or parts > 1"), "E2009 parts");
}

TEST(Front, TypesOfCollectionsAndRecords) {
  EXPECT_EQ(type_of("[1, 2.5]"), "{ x: list<decimal(2, 1)> }");
  EXPECT_EQ(type_of("map(items, i => i * 2)"), "{ x: list<int> }");
  EXPECT_EQ(type_of("map(names, n => length(n))"), "{ x: list<int> }");
  EXPECT_EQ(type_of("filter(items, i => i > qty)"), "{ x: list<int> }");
  EXPECT_EQ(type_of("items[0]"), "{ x: int }");
  EXPECT_EQ(type_of("get(tags, \"a\") ?? 0"), "{ x: int }");
  EXPECT_EQ(type_of("qty in [1, 2, 3]"), "{ x: bool }");
  EXPECT_EQ(type_of("qty not in items"), "{ x: bool }");
  EXPECT_EQ(type_of("\"a\" in tags"), "{ x: bool }");
  EXPECT_EQ(type_of("coupon in [\"A\", null]"), "{ x: bool }");
  EXPECT_EQ(type_of("{ a: qty, b: \"x\" }"), "{ x: { a: int, b: string } }");
  EXPECT_EQ(type_of("{ ..size, width: 3 }"), "{ x: { width: int, height: int } }");
  EXPECT_EQ(type_of("size.width"), "{ x: int }");
  EXPECT_EQ(type_of("\"${id}: ${qty} at ${amount}\""), "{ x: string }");
  EXPECT_EQ(type_of("min(qty, 3)"), "{ x: int }");
  EXPECT_EQ(type_of("max(amount, 1.555)"), "{ x: decimal(13, 3) }");
  EXPECT_EQ(type_of("meta.position"), "{ x: int }");
}

TEST(Front, RowsOfOperators) {
  EXPECT_EQ(row_after("  |> select id, qty\n  |> extend a = qty + 1, b = a * 2"),
            "{ id: string, qty: int, a: int, b: int }");
  EXPECT_EQ(row_after("  |> select id, qty\n  |> rename n = qty\n  |> drop id"), "{ n: int }");
  EXPECT_EQ(row_after("  |> select id, items\n  |> flatten items as item\n  |> drop items"),
            "{ id: string, item: int }");
  EXPECT_EQ(row_after("  |> select tags\n  |> flatten tags as tag\n  |> select tag"),
            "{ tag: { key: string, value: int } }");
  EXPECT_EQ(
      row_after(
          "  |> aggregate n = count(), s = sum(amount), m = avg(qty), p = avg(price), a = max(qty) where ok, "
          "q = sum(qty) where qty > 1 by customer, z = upper(id) over tumbling(1m)"),
      "{ customer: string, z: string, window: { start: timestamp, end: timestamp }, n: int, s: decimal(38, "
      "2), "
      "m: decimal(38, 6), p: decimal(38, 6), a: int?, q: int }");
  EXPECT_EQ(row_after("  |> aggregate n = count() by customer over tumbling(1m)\n"
                      "  |> aggregate customers = count(), most = max(n) over tumbling(1h)"),
            "{ window: { start: timestamp, end: timestamp }, customers: int, most: int }");
}

TEST(Front, DeclarationsInAnyOrderAndPlacesOfErrors) {
  EXPECT_EQ(error_in("amout"), "E2001 amout");
  EXPECT_EQ(error_in("amout + 1 + nothing"), "E2001 amout; E2001 nothing");
  EXPECT_EQ(error_in("qty / 2"), "E2011 /");
  EXPECT_EQ(error_in("amount + weight"), "E2010 +");
  EXPECT_EQ(error_in("weight == 0.5"), "E2014 ==");
  EXPECT_EQ(error_in("coupon.upper()"), "E2009 coupon");
  EXPECT_EQ(error_in("5 % 0"), "E2018 5 % 0");
  EXPECT_EQ(error_in("qty % 0"), "E2018 qty % 0");
  EXPECT_EQ(error_in("9223372036854775807 + 1"), "E2018 9223372036854775807 + 1");
  EXPECT_EQ(error_in("9223372036854775807 * 2"), "E2018 9223372036854775807 * 2");
  EXPECT_EQ(error_in("div(-9223372036854775808, -1)"), "E2018 div(-9223372036854775808, -1)");
  EXPECT_EQ(error_in("-9223372036854775808 % -1"), "");
  EXPECT_EQ(error_in("-(-9223372036854775808)"), "E2018 -(-9223372036854775808)");
  EXPECT_EQ(error_in("abs(-9223372036854775808)"), "E2018 abs(-9223372036854775808)");
  EXPECT_EQ(error_in("try (5 % 0)"), "");
  EXPECT_EQ(error_in("if id then 1 else 2"), "E2008 id");
  EXPECT_EQ(error_in("items == [1]"), "E2028 ==");
  EXPECT_EQ(error_in("capture now()"), "E3001 capture now()");
}

TEST(Front, TypesHaveALimit) {
  const auto nested = [](int depth) {
    std::string text;
    for (int at = 0; at < depth; ++at) {
      const std::string inner = "A" + std::to_string(at + 1);
      text += "type A" + std::to_string(at) + " = { a: " + inner + ", b: " + inner + "? }\n";
    }
    return text + "type A" + std::to_string(depth) + " = { x: int }\n" +
           "source r: A0 from file(path: \"in\", format: json)\nsink r to file(path: \"out\", format: "
           "json)\n";
  };
  EXPECT_EQ(error_of(nested(13)), "");
  EXPECT_EQ(error_of(nested(14)), "E2024 A0");
  EXPECT_EQ(error_of(nested(200)), "E2024 A186");
}

TEST(Front, OneMistakeOneMessage) {
  EXPECT_EQ(error_of(with_steps(
                "  |> extend a = amout\n  |> extend b = a + 1\n  |> where b > 2\n  |> select b, a")),
            "E2001 amout");
  EXPECT_EQ(error_of(with_steps("  |> select id, x = nothing\n  |> extend y = x + 1, z = other")),
            "E2001 nothing; E2001 other");
  EXPECT_EQ(error_of("source s: Missing from file(path: \"x\", format: json)\nstream t = s |> where a > "
                     "1\nsink t to stdout()\n"),
            "E2003 Missing");
  EXPECT_EQ(error_of("stream t = nothing |> where a > 1 |> select b, c = a + 1\nsink t to stdout()\n"),
            "E2002 nothing");
}

TEST(Front, WhatMayFailIsUsedWhenItIsThere) {
  EXPECT_EQ(type_of("to_int(id) + 1"), "{ x: int }");
  EXPECT_EQ(type_of("try to_int(id)"), "{ x: int? }");
  EXPECT_EQ(error_in("(try to_int(id)) + 1"), "E2009 try to_int(id)");
  EXPECT_EQ(type_of("(try to_int(id)) ?? 0"), "{ x: int }");
  EXPECT_EQ(type_of("if let n = try to_int(id) then n + 1 else 0"), "{ x: int }");
  EXPECT_EQ(type_of("match try to_int(id) { null => 0, n => n + 1 }"), "{ x: int }");
  EXPECT_EQ(row_after("  |> extend n = try to_int(id)\n  |> where n is not null\n  |> select x = n + 1"),
            "{ x: int }");
  EXPECT_EQ(
      error_of(with_steps("  |> extend n = try to_int(id)\n  |> where n is null\n  |> select x = n + 1")),
      "E2009 n");
  // What is not needed draws a warning, never an error.
  EXPECT_EQ(error_in("try upper(id)"), "");
  EXPECT_EQ(error_in("id ?? \"none\""), "");
  EXPECT_EQ(error_in("if id is null then 1 else 2"), "");
  EXPECT_EQ(error_in("upper(qty)"), "E2008 qty");
}

TEST(Front, AbsenceHasTwoTruthValues) {
  EXPECT_EQ(error_in("parts + 1 == 6"), "E2009 parts");
  EXPECT_EQ(error_in("not (parts > 3)"), "E2009 parts");
  EXPECT_EQ(type_of("parts != 5"), "{ x: bool }");
  EXPECT_EQ(type_of("parts not in [5, null]"), "{ x: bool }");
  EXPECT_EQ(type_of("parts == null"), "{ x: bool }");
}

TEST(Front, CirclesAreLocated) {
  EXPECT_EQ(error_of("fn f(x: int) -> int = f(x)\n"), "E2020 f(x)");
  EXPECT_EQ(error_of("fn f(x: int) -> int = g(x)\nfn g(x: int) -> int = f(x)\n"), "E2020 f(x)");
  EXPECT_EQ(error_of("type A = { b: B }\ntype B = { a: list<A> }\n"), "E2021 A");
  EXPECT_EQ(error_of("stream a = b\nstream b = a |> where true\nsink a to stdout()\n"), "E3002 a");
}

TEST(Front, DeepAndLongProgramsEnd) {
  std::string sum = "qty";
  for (int i = 0; i < 50'000; ++i) sum += " + 1";
  EXPECT_FALSE(error_in(sum).empty());
  std::string nested = "qty";
  for (int i = 0; i < 200; ++i) nested = "(" + nested + " + 1)";
  EXPECT_EQ(error_in(nested), "");
  std::string steps;
  for (int i = 0; i < 900; ++i) steps += "  |> extend x" + std::to_string(i % 7) + " = qty\n";
  EXPECT_EQ(error_of(with_steps(steps)), "");
  std::string functions = "fn f0(x: int) -> int = x\n";
  for (int i = 1; i < 3'000; ++i) {
    functions =
        "fn f" + std::to_string(i) + "(x: int) -> int = f" + std::to_string(i - 1) + "(x) + 1\n" + functions;
  }
  EXPECT_EQ(error_of(functions), "");
  std::string list;
  for (int i = 0; i < 5'000; ++i) list += (i == 0 ? "" : ", ") + std::to_string(i);
  EXPECT_EQ(error_in("qty in [" + list + "]"), "");
}

TEST(Front, UnitsOfTimesAreDeclared) {
  const auto script = [](const std::string& type) {
    return "type T = { t: " + type +
           " }\nsource s: T from file(path: \"x\", format: json) time t\nsink s to stdout()\n";
  };
  EXPECT_EQ(error_of(script("int")), "E3013 t");
  EXPECT_EQ(error_of(script("string")), "E2008 t");
  EXPECT_EQ(error_of(script("timestamp?")), "E2009 t");
  for (const char* unit : {"unix_s", "unix_ms", "unix_us", "unix_ns"}) {
    EXPECT_EQ(error_of(script("timestamp(\"" + std::string(unit) + "\")")), "");
  }
  EXPECT_EQ(error_of(script("timestamp(\"unix_ns\", floor: true)")), "");
  EXPECT_EQ(error_of(script("timestamp(\"%Y-%m-%d\", zone: \"UTC\")")), "");
  EXPECT_EQ(error_of(script("timestamp(\"%Y-%m-%d\")")), "E2024 \"%Y-%m-%d\"");
}

TEST(Front, WritesParamsThatOnlyReachAddresses) {
  const auto front = check_text("test.weir", R"(
param folder: string = "out"
param limit: int = 10
type T = { a: int }
source s: T from file(path: "x", format: json)
stream big = s |> where a > limit
sink big to file(path: folder, format: json)
)");
  ASSERT_TRUE(front->program) << drawn(*front);
  ASSERT_EQ(front->program->params.size(), 2u);
  EXPECT_TRUE(front->program->params[0].address_only);
  EXPECT_FALSE(front->program->params[1].address_only);
}

TEST(Front, KeepsTests) {
  const auto front = check_text("test.weir", std::string(R"(
type T = { a: int, b: string? }
source s: T from file(path: "x", format: json) on error to rejected
stream big = s |> where a > 10
sink big to file(path: "out", format: json)
sink rejected to stdout()
test "big" {
  given s split "p1" [{ a: 1 }, { a: 11, b: "x" }]
  expect big [{ a: 11, b: "x" }]
  expect rejected [{ code: "E5004", .. }]
}
)"));
  ASSERT_TRUE(front->program) << drawn(*front);
  ASSERT_EQ(front->tests.size(), 1u);
  const build_flow::Test& test = front->tests[0];
  ASSERT_EQ(test.steps.size(), 3u);
  EXPECT_EQ(test.steps[0].split, "p1");
  ASSERT_EQ(test.steps[0].rows.size(), 2u);
  EXPECT_EQ(test.steps[0].rows[0].fields.size(), 2u);
  ASSERT_EQ(test.steps[2].rows.size(), 1u);
  EXPECT_EQ(test.steps[2].rows[0].fields.size(), 1u);
}

TEST(Front, AcceptsTheExamplesOfTheLibrary) {
  for (const auto& [name, function] : catalog::Functions::library().all()) {
    for (const std::string& example : function.examples) {
      const auto front = check_text("example.weir", with_steps("  |> where " + example));
      EXPECT_TRUE(front->program.has_value()) << name << ": " << example << "\n" << drawn(*front);
    }
  }
}

TEST(Front, ReadsTheLibrary) {
  const auto& problems = catalog::Functions::library().problems();
  EXPECT_TRUE(problems.empty()) << problems[0];
}

// tests/language/NAME.weir and examples: the flow is what stands in NAME.flow beside it; WEIR_UPDATE=1 writes it.
TEST(Front, FlowOfPrograms) {
  const bool update = std::getenv("WEIR_UPDATE") != nullptr;
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(root() / "tests/language")) {
    if (entry.path().extension() != ".weir") continue;
    ++seen;
    const std::string name = entry.path().filename().string();
    const auto front = check_text("tests/language/" + name, read(entry.path()));
    ASSERT_TRUE(front->program) << name << "\n" << drawn(*front);
    EXPECT_EQ(flow::to_string(flow::verify(*front->program)), "") << name;
    const std::string text = flow::print(*front->program);
    const auto again = flow::read(text);
    ASSERT_TRUE(again.has_value()) << name << ": " << flow::to_string(again.error());
    EXPECT_EQ(flow::print(*again), text) << name;
    fs::path golden = entry.path();
    golden.replace_extension(".flow");
    if (update) std::ofstream(golden, std::ios::binary) << text;
    EXPECT_EQ(read(golden), text) << name;
  }
  EXPECT_GT(seen, 4);
}

TEST(Front, ExamplesAreAccepted) {
  for (const auto& entry : fs::recursive_directory_iterator(root() / "examples")) {
    if (entry.path().extension() != ".weir") continue;
    const auto front = check_text(entry.path().string(), read(entry.path()));
    ASSERT_TRUE(front->program) << drawn(*front);
    EXPECT_EQ(flow::to_string(flow::verify(*front->program)), "") << entry.path();
  }
}

}  // namespace
}  // namespace weir::driver
