#include <gtest/gtest.h>

#include "compiler/lower/jit_test.h"

namespace weir::lower {
namespace {

using testing::Options;
using testing::Runner;

// A program over one source of JSON records; `nodes` follow node 0 ("s") and its stream of errors, node 1.
std::string program(const std::string& record, const std::string& nodes,
                    const std::string& policy = "to rejected", const std::string& time = "") {
  std::string text = "flow 1\npipeline p\n  script \"p.weir\"\n";
  text += "type In = " + record + "\n";
  text +=
      "type Rejected = { source: string, stage: string, code: string, message: string, meta: { path: string, "
      "position: int }, raw: bytes }\n\n";
  text += "node 0 s \"s.decode\": In" + std::string(time.empty() ? "" : " timed") + "\n";
  text += "  source file(path: \"x\") format json\n  declared In\n";
  if (!time.empty()) text += "  time " + time + "\n";
  text += "  on error " + policy + "\n\n";
  text += "node 1 rejected \"rejected\": Rejected\n  rejected 0\n\n";
  return text + nodes;
}

std::string project(const std::string& type, const std::string& value, const std::string& rest = "") {
  return "node 2 out \"out.select\" from 0: { v: " + type + " }\n  project select\n    v = " + value +
         "\n\nnode 3 out \"sink out\" from 2: { v: " + type + " }\n  sink file(path: \"out\") format json\n" +
         rest;
}

// The JSON of `value` over {a, b}, or its error, at both levels of optimisation.
std::string evaluate(const std::string& record, const std::string& type, const std::string& value,
                     const std::string& input) {
  std::string results[2];
  for (bool optimise : {false, true}) {
    Runner run(program(record, project(type, value)), {optimise, 1});
    run.feed(0, input + "\n");
    std::string& result = results[optimise ? 1 : 0];
    for (const std::string& line : run.sink(0)) result += line.substr(5, line.size() - 6);
    for (const auto& rejection : run.rejections()) result += run.site(rejection);
  }
  EXPECT_EQ(results[0], results[1]);
  return results[1];
}

std::string ints(const std::string& value, const std::string& a, const std::string& b = "0") {
  return evaluate("{ a: int, b: int }", "int", value, "{\"a\":" + a + ",\"b\":" + b + "}");
}

const std::string smallest = "-9223372036854775808";
const std::string largest = "9223372036854775807";

TEST(Execute, CheckedIntegers) {
  EXPECT_EQ(ints("add(row.a, row.b) ~\"a + b\"", "2", "3"), "5");
  EXPECT_EQ(ints("add(row.a, row.b) ~\"a + b\"", largest, "1"), "5006 out.select: integer overflow: `a + b`");
  EXPECT_EQ(ints("sub(row.a, row.b) ~\"a - b\"", smallest, "1"),
            "5006 out.select: integer overflow: `a - b`");
  EXPECT_EQ(ints("mul(row.a, row.b) ~\"a * b\"", largest, "2"), "5006 out.select: integer overflow: `a * b`");
  EXPECT_EQ(ints("div(row.a, row.b) ~\"div(a, b)\"", "7", "-2"), "-3");
  EXPECT_EQ(ints("div(row.a, row.b) ~\"div(a, b)\"", "7", "0"),
            "5007 out.select: division by zero: `div(a, b)`");
  EXPECT_EQ(ints("div(row.a, row.b) ~\"div(a, b)\"", smallest, "-1"),
            "5006 out.select: integer overflow: `div(a, b)`");
  EXPECT_EQ(ints("rem(row.a, row.b) ~\"a % b\"", "-7", "3"), "-1");
  EXPECT_EQ(ints("rem(row.a, row.b) ~\"a % b\"", smallest, "-1"), "0");
  EXPECT_EQ(ints("rem(row.a, row.b) ~\"a % b\"", "1", "0"), "5007 out.select: division by zero: `a % b`");
  EXPECT_EQ(ints("neg(row.a) ~\"-a\"", smallest), "5006 out.select: integer overflow: `-a`");
  EXPECT_EQ(ints("neg(row.a) ~\"-a\"", "5"), "-5");
}

TEST(Execute, TheFirstErrorInWrittenOrderCounts) {
  EXPECT_EQ(ints("add(div(1, row.a) ~\"first\", div(1, row.b) ~\"second\")", "0", "0"),
            "5007 out.select: division by zero: `first`");
  EXPECT_EQ(ints("add(div(1, row.a) ~\"first\", div(1, row.b) ~\"second\")", "1", "0"),
            "5007 out.select: division by zero: `second`");
}

TEST(Execute, TryGivesAbsent) {
  const std::string tried = "try(div(row.a, row.b) ~\"div(a, b)\")";
  const std::string record = "{ a: int, b: int }";
  EXPECT_EQ(evaluate(record, "int?", tried, "{\"a\":4,\"b\":2}"), "2");
  EXPECT_EQ(evaluate(record, "int?", tried, "{\"a\":4,\"b\":0}"), "null");
  EXPECT_EQ(evaluate(record, "int", "coalesce(" + tried + ", -1)", "{\"a\":4,\"b\":0}"), "-1");
}

TEST(Execute, ConditionsAndOptionals) {
  const std::string record = "{ a: int?, s: string }";
  EXPECT_EQ(evaluate(record, "string", "if(is_null(row.a), \"none\", row.s)", "{\"s\":\"x\"}"), "\"none\"");
  EXPECT_EQ(evaluate(record, "string", "if(is_null(row.a), \"none\", row.s)", "{\"a\":1,\"s\":\"x\"}"),
            "\"x\"");
  EXPECT_EQ(
      evaluate(record, "bool", "and(not(is_null(row.a)), gt(unwrap(row.a), 3))", "{\"a\":4,\"s\":\"\"}"),
      "true");
  EXPECT_EQ(evaluate(record, "bool", "or(is_null(row.a), eq(row.s, \"é\"))", "{\"a\":4,\"s\":\"\\u00e9\"}"),
            "true");
  EXPECT_EQ(
      evaluate(record, "int", "let %0 = coalesce(row.a, 7) in (add(%0, %0))", "{\"a\":null,\"s\":\"\"}"),
      "14");
  EXPECT_EQ(evaluate(record, "bool", "eq(row.a, convert(1): int?)", "{\"a\":1,\"s\":\"\"}"), "true");
  EXPECT_EQ(evaluate(record, "bool", "eq(row.a, null: int?)", "{\"s\":\"\"}"), "true");
}

TEST(Execute, Decimals) {
  const std::string record = "{ a: decimal(12, 2), b: decimal(12, 2) }";
  const std::string input = "{\"a\":12.5,\"b\":3}";
  EXPECT_EQ(evaluate(record, "decimal(13, 2)", "add(row.a, row.b): decimal(13, 2)", input), "15.50");
  EXPECT_EQ(evaluate(record, "decimal(13, 2)", "sub(row.b, row.a): decimal(13, 2)", input), "-9.50");
  EXPECT_EQ(evaluate(record, "decimal(24, 4)", "mul(row.a, row.b): decimal(24, 4)", input), "37.5000");
  EXPECT_EQ(evaluate(record, "decimal(38, 6)", "div(row.a, row.b): decimal(38, 6)", input), "4.166667");
  EXPECT_EQ(
      evaluate(record, "decimal(38, 6)", "div(row.a, row.b): decimal(38, 6) ~\"a / b\"", "{\"a\":1,\"b\":0}"),
      "5007 out.select: division by zero: `a / b`");
  EXPECT_EQ(evaluate(record, "decimal(12, 2)", "rem(row.a, row.b): decimal(12, 2)", input), "0.50");
  EXPECT_EQ(evaluate(record, "decimal(12, 0)", "call round(row.a, 0): decimal(12, 0)", input), "12");
  EXPECT_EQ(
      evaluate(record, "decimal(3, 1)", "convert(call round(row.a, 1): decimal(12, 1)): decimal(3, 1) ~\"x\"",
               "{\"a\":100.0,\"b\":0}"),
      "5008 out.select: a decimal does not fit its precision: `x`");
  EXPECT_EQ(
      evaluate("{ a: int }", "decimal(21, 2)", "convert(row.a): decimal(21, 2)", "{\"a\":" + smallest + "}"),
      smallest + ".00");
}

TEST(Execute, Functions) {
  const std::string functions =
      "fn half(x: int) -> int =\n  div(100, %0) ~\"div(100, x)\"\n\n"
      "fn outer(x: int, y: int?) -> int =\n  add(fn half(%0), coalesce(%1, 0)) ~\"half(x) + y\"\n\n";
  std::string text = program("{ a: int, b: int? }", project("int", "fn outer(row.a, row.b)"));
  text.insert(text.find("node 0"), functions);
  Runner run(text);
  run.feed(0, "{\"a\":5,\"b\":1}\n{\"a\":0}\n{\"a\":1,\"b\":" + largest + "}\n");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"v\":21}"}));
  ASSERT_EQ(run.rejections().size(), 2u);
  EXPECT_EQ(run.site(run.rejections()[0]), "5007 out.select: division by zero: `div(100, x)`");
  EXPECT_EQ(run.site(run.rejections()[1]), "5006 out.select: integer overflow: `half(x) + y`");
}

TEST(Execute, AnErrorStaysInItsBranch) {
  const std::string more =
      "\nnode 4 all \"sink all\" from 0: In\n  sink file(path: \"all\") format json\n"
      "\nnode 5 bad \"sink bad\" from 1: Rejected\n  sink file(path: \"bad\") format json\n";
  Runner run(program("{ a: int }", project("int", "div(6, row.a) ~\"6 / a\"", more)));
  run.feed(0, "{\"a\":3}\n\n{\"a\":0}\r\n  \nnonsense\n{\"a\":-6}");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"v\":2}", "{\"v\":-1}"}));
  EXPECT_EQ(run.sink(1), (std::vector<std::string>{"{\"a\":3}", "{\"a\":0}", "{\"a\":-6}"}));
  ASSERT_EQ(run.rejections().size(), 2u);
  EXPECT_EQ(run.rejections()[0].raw, "{\"a\":0}");
  EXPECT_EQ(run.rejections()[1].raw, "nonsense");
  ASSERT_EQ(run.sink(2).size(), 2u);
  EXPECT_EQ(run.sink(2)[0].substr(0, 98),
            "{\"source\":\"s\",\"stage\":\"out.select\",\"code\":\"E5007\",\"message\":\"division by zero: "
            "`6 / a`\",\"meta\":{\"p");
  EXPECT_EQ(run.counters(0).read, 4u);
}

TEST(Execute, FailStops) {
  Runner run(program("{ a: int }", project("int", "div(6, row.a)"), "fail"));
  run.feed(0, "{\"a\":3}\n{\"a\":0}\n{\"a\":1}\n");
  EXPECT_TRUE(run.stopped());
  EXPECT_EQ(run.sink(0).size(), 1u);
}

TEST(Execute, WhereAndNestedRecords) {
  const std::string nodes =
      "node 2 out \"out.where\" from 0: In\n  where gt(row.in.n, 1)\n\n"
      "node 3 out \"sink out\" from 2: In\n  sink file(path: \"out\") format json\n";
  Runner run(program("{ in: { n: int, t: list<string> }, m: map<string, int>, f: float? }", nodes));
  run.feed(0,
           "{\"in\":{\"n\":2,\"t\":[\"a\",\"b\"]},\"m\":{\"z\":1,\"a\":2},\"f\":0.1}\n"
           "{\"in\":{\"n\":1,\"t\":[]},\"m\":{}}\n{\"in\":{\"n\":3,\"t\":[]},\"m\":{}}\n");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{
                             "{\"in\":{\"n\":2,\"t\":[\"a\",\"b\"]},\"m\":{\"a\":2,\"z\":1},\"f\":0.1}",
                             "{\"in\":{\"n\":3,\"t\":[]},\"m\":{},\"f\":null}"}));
}

TEST(Execute, Flatten) {
  const std::string row = "{ k: string, m: map<string, int>, x: { key: string, value: int } }";
  const std::string nodes =
      "node 2 out \"out.flatten\" from 0: " + row +
      "\n  flatten row.m\n\nnode 3 out \"out.select\" from 2: " +
      "{ k: string, key: string, twice: int }\n  project select\n    k = row.k\n    key = row.x.key\n"
      "    twice = mul(row.x.value, 2)\n\n"
      "node 4 out \"sink out\" from 3: { k: string, key: string, twice: int }\n  sink file(path: "
      "\"out\") format csv\n";
  Runner run(program("{ k: string, m: map<string, int> }", nodes));
  run.feed(0, "{\"k\":\"r\",\"m\":{\"b\":1,\"a\":2}}\n{\"k\":\"s\",\"m\":{}}\n");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"r,a,4", "r,b,2"}));
}

TEST(Execute, AnElementsErrorIsTheWholeRecords) {
  const std::string row = "{ k: string, l: list<int>, x: int }";
  const std::string nodes =
      "node 2 out \"out.flatten\" from 0: " + row +
      "\n  flatten row.l\n\n"
      "node 3 a \"a.select\" from 2: { v: int }\n  project select\n    v = div(60, row.x) ~\"60 / x\"\n\n"
      "node 4 a \"sink a\" from 3: { v: int }\n  sink file(path: \"a\") format json\n\n"
      "node 5 b \"sink b\" from 2: " +
      row + "\n  sink file(path: \"b\") format json\n";
  Runner run(program("{ k: string, l: list<int> }", nodes));
  run.feed(0, "{\"k\":\"p\",\"l\":[1,0,2,0]}\n{\"k\":\"q\",\"l\":[3,4]}\n");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"v\":20}", "{\"v\":15}"}));
  EXPECT_EQ(run.sink(1).size(), 6u);  // the other branch has all elements
  ASSERT_EQ(run.rejections().size(), 1u);
  EXPECT_EQ(run.rejections()[0].raw, "{\"k\":\"p\",\"l\":[1,0,2,0]}");
}

TEST(Execute, RowsWithListsBelowAFlatten) {
  const std::string row = "{ l: list<int>, f: list<float>, x: int }";
  Runner run(program("{ l: list<int>, f: list<float> }",
                     "node 2 out \"out.flatten\" from 0: " + row +
                         "\n  flatten row.l\n\nnode 3 out \"sink out\" from 2: " + row +
                         "\n  sink file(path: \"out\") format json\n"));
  run.feed(0, "{\"l\":[1,2],\"f\":[0.5]}\n");
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"l\":[1,2],\"f\":[0.5],\"x\":1}",
                                                   "{\"l\":[1,2],\"f\":[0.5],\"x\":2}"}));
  const std::string ints = "{ l: list<int>, x: int }";
  Runner plain(program("{ l: list<int> }", "node 2 out \"out.flatten\" from 0: " + ints +
                                               "\n  flatten row.l\n\nnode 3 out \"sink out\" from 2: " +
                                               ints + "\n  sink file(path: \"out\") format json\n"));
  plain.feed(0, "{\"l\":[7]}\n");
  EXPECT_EQ(plain.sink(0), (std::vector<std::string>{"{\"l\":[7],\"x\":7}"}));
}

TEST(Execute, WideSumsThatFitCannotFail) {
  const std::string nodes =
      "node 2 out \"out.flatten\" from 0: { d: decimal(10, 2), l: list<int>, x: int }\n  flatten row.l\n\n"
      "node 3 out \"out.select\" from 2: { v: decimal(21, 4), w: decimal(21, 4) }\n  project select\n"
      "    v = add(mul(row.d, row.d), row.d)\n    w = sub(mul(row.d, row.d), row.d)\n\n"
      "node 4 out \"sink out\" from 3: { v: decimal(21, 4), w: decimal(21, 4) }\n  sink file(path: \"out\") "
      "format json\n";
  for (bool optimise : {false, true}) {
    Runner run(program("{ d: decimal(10, 2), l: list<int> }", nodes), {optimise, 1});
    run.feed(0, "{\"d\":99999999.99,\"l\":[1]}\n{\"d\":-0.5,\"l\":[1]}\n");
    EXPECT_EQ(run.sink(0),
              (std::vector<std::string>{"{\"v\":10000000097999999.9901,\"w\":9999999898000000.0101}",
                                        "{\"v\":-0.2500,\"w\":0.7500}"}));
  }
}

// What one stream rejects is what it rejects whoever else reads it: the error of the stream further up counts, also if an
// element before it fails further down.
TEST(Execute, AnElementsErrorMakesThoseBelowVoid) {
  const std::string row = "{ k: string, l: list<int>, x: int }";
  const std::string q = "{ x: int, q: int }";
  const std::string nodes =
      "node 2 a \"a.flatten\" from 0: " + row + "\n  flatten row.l\n\nnode 3 a \"a.extend q\" from 2: " + q +
      "\n  project select\n    x = row.x\n    q = div(10, row.x)\n\nnode 4 b \"b.extend w\" from 3: " + q +
      "\n  project select\n    x = row.x\n    q = div(1, sub(row.q, 10))\n\n"
      "node 5 b \"sink b\" from 4: " +
      q + "\n  sink file(path: \"b\") format json\n\n";
  const std::string sink_a =
      "node 6 a \"sink a\" from 3: " + q + "\n  sink file(path: \"a\") format json\n\n";
  for (bool with_a : {false, true}) {
    Runner run(program("{ k: string, l: list<int> }", nodes + (with_a ? sink_a : "")));
    run.feed(0,
             "{\"k\":\"both\",\"l\":[1,0]}\n{\"k\":\"below\",\"l\":[2,1]}\n{\"k\":\"none\",\"l\":[5]}\n"
             "{\"k\":\"above\",\"l\":[0]}\n");
    std::vector<std::string> rejections;
    for (const auto& rejection : run.rejections())
      rejections.push_back(run.site(rejection).substr(0, 15) + rejection.raw.substr(5, 8));
    EXPECT_EQ(rejections, (std::vector<std::string>{"5007 a.extend q\"both\",\"", "5007 b.extend w\"below\",",
                                                    "5007 a.extend q\"above\","}));
    EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"x\":5,\"q\":0}"}));
    if (with_a) {
      EXPECT_EQ(run.sink(1),
                (std::vector<std::string>{"{\"x\":2,\"q\":5}", "{\"x\":1,\"q\":10}", "{\"x\":5,\"q\":2}"}));
    }
  }
}

const std::string aggregate =
    "node 2 out \"out.aggregate\" from 0: { k: string, window: { start: timestamp, end: timestamp }, n: int, "
    "total: int, "
    "mean: decimal(38, 6), least: int, most: string, few: int, some: int? } timed\n"
    "  aggregate tumbling 10000000us offset 0us\n    by k = row.k\n    value n = count() -> int\n"
    "    value total = sum(row.v) -> int\n    value mean = avg(row.v) -> decimal(38, 6)\n    value least = "
    "min(row.v) -> int\n"
    "    value most = max(row.s) -> string\n    value few = count() where gt(row.v, 5) -> int\n"
    "    value some = max(row.v) where gt(row.v, 5) -> int?\n\n"
    "node 3 out \"sink out\" from 2: { k: string, window: { start: timestamp, end: timestamp }, n: int, "
    "total: int, mean: "
    "decimal(38, 6), least: int, most: string, few: int, some: int? } timed\n  sink file(path: \"out\") "
    "format json\n";

TEST(Execute, Aggregate) {
  std::vector<std::string> expected = {
      "{\"k\":\"a\",\"window\":{\"start\":\"1970-01-01T00:00:00Z\",\"end\":\"1970-01-01T00:00:10Z\"},\"n\":3,"
      "\"total\":9,"
      "\"mean\":3.000000,\"least\":1,\"most\":\"z\",\"few\":1,\"some\":6}",
      "{\"k\":\"b\",\"window\":{\"start\":\"1970-01-01T00:00:00Z\",\"end\":\"1970-01-01T00:00:10Z\"},\"n\":1,"
      "\"total\":5,"
      "\"mean\":5.000000,\"least\":5,\"most\":\"\",\"few\":0,\"some\":null}",
      "{\"k\":\"a\",\"window\":{\"start\":\"1970-01-01T00:00:10Z\",\"end\":\"1970-01-01T00:00:20Z\"},\"n\":1,"
      "\"total\":7,"
      "\"mean\":7.000000,\"least\":7,\"most\":\"q\",\"few\":1,\"some\":7}"};
  for (std::uint32_t workers : {1u, 3u}) {
    for (bool optimise : {false, true}) {
      Runner run(program("{ k: string, v: int, s: string, t: timestamp(\"unix_s\") }", aggregate,
                         "to rejected", "row.t lateness 0us"),
                 {optimise, workers});
      run.feed(0,
               "{\"k\":\"a\",\"v\":2,\"s\":\"x\",\"t\":1}\n{\"k\":\"b\",\"v\":5,\"s\":\"\",\"t\":2}\n"
               "{\"k\":\"a\",\"v\":6,\"s\":\"z\",\"t\":9}\n{\"k\":\"a\",\"v\":1,\"s\":\"\",\"t\":3}\n"
               "{\"k\":\"a\",\"v\":7,\"s\":\"q\",\"t\":10}\n{\"k\":\"a\",\"v\":1,\"s\":\"late\",\"t\":9}\n");
      run.close();
      EXPECT_EQ(run.sink(0), expected);
      EXPECT_EQ(run.counters(0).late, 1u);
      EXPECT_TRUE(run.rejections().empty());
    }
  }
}

TEST(Execute, GroupsFailByThemselves) {
  const std::string row = "{ k: int, window: { start: timestamp, end: timestamp }, total: int }";
  const std::string nodes =
      "node 2 out \"out.aggregate\" from 0: " + row +
      " timed\n  aggregate tumbling 10000000us offset 0us\n    by k = row.k\n"
      "    value total = sum(row.v) -> int ~\"sum(v)\"\n\nnode 3 out \"sink out\" from 2: " +
      row +
      " timed\n  sink file(path: \"out\") format json\n\n"
      "node 4 bad \"sink bad\" from 1: Rejected\n  sink file(path: \"bad\") format json\n";
  Runner run(program("{ k: int, v: int, t: timestamp }", nodes, "to rejected", "row.t lateness 0us"));
  run.feed(0, "{\"k\":-1,\"v\":" + largest +
                  ",\"t\":\"2026-01-01T00:00:00Z\"}\n{\"k\":-1,\"v\":1,\"t\":\"2026-01-01T00:00:00Z\"}\n"
                  "{\"k\":2,\"v\":1,\"t\":\"2026-01-01T00:00:00Z\"}\n");
  run.close();
  EXPECT_EQ(run.sink(0), (std::vector<std::string>{"{\"k\":2,\"window\":{\"start\":\"2026-01-01T00:00:00Z\","
                                                   "\"end\":\"2026-01-01T00:00:10Z\"},\"total\":1}"}));
  ASSERT_EQ(run.rejections().size(), 1u);
  EXPECT_EQ(run.rejections()[0].raw,
            "{\"k\":-1,\"window\":{\"start\":\"2026-01-01T00:00:00Z\",\"end\":\"2026-01-01T00:00:10Z\"}}");
  EXPECT_EQ(run.site(run.rejections()[0]),
            "5015 out.aggregate: the total of a group does not fit its type: `sum(v)`");
  EXPECT_EQ(run.sink(1).size(), 1u);
}

// What the generated parser predicts and what it leaves to the reference decoder give the same.
TEST(Execute, PredictedAndOtherTexts) {
  const std::string nodes = "node 2 out \"sink out\" from 0: In\n  sink file(path: \"out\") format json\n";
  for (bool optimise : {false, true}) {
    Runner run(program("{ a: int, s: string?, n: { f: float, l: list<decimal(10, 2)?> }, t: "
                       "timestamp(\"unix_ms\")?, b: bool }",
                       nodes),
               {optimise, 1});
    const std::string same =
        "{\"a\":1,\"s\":\"x\",\"n\":{\"f\":0.5,\"l\":[1.50,null,-0.05]},\"t\":\"1970-01-01T00:00:01Z\",\"b\":"
        "true}";
    const std::string empty = "{\"a\":1,\"s\":null,\"n\":{\"f\":0.5,\"l\":[]},\"t\":null,\"b\":false}";
    run.feed(0,
             "{\"a\":1,\"s\":\"x\",\"n\":{\"f\":0.5,\"l\":[1.5,null,-0.05]},\"t\":1000,\"b\":true}\n"
             " { \"b\" : true , \"x\" : [ 1, {\"a\":2} ], \"n\" : { \"l\" : [ 1.5 , null , -5e-2 ] , \"f\" : "
             "5e-1 }, \"s\":\"\\u0078\", \"a\":1, \"t\":1000 } \n"
             "{\"a\":1,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}\n"
             "{\"a\":1,\"s\":null,\"n\":{\"f\":0.5,\"l\":[]},\"t\":null,\"b\":false}\n"
             "{\"a\":1,\"n\":{\"f\":0.5,\"l\":[]}}\n"                      // no b
             "{\"a\":1,\"a\":1,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}\n"  // a twice
             "{\"a\":1.0,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}\n"
             "{\"a\":1,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}}\n"
             "{\"a\":1,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false,}\n"
             "{\"a\":1,\"n\":{\"f\":0.5,\"l\":[1,]},\"b\":false}\n"
             "{\"a\":01,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}\n"
             "{\"a\":1,\"z\":tru,\"n\":{\"f\":0.5,\"l\":[]},\"b\":false}\n"
             "{}\n[]\n{\"a\"\n{\"a\":1");
    EXPECT_EQ(run.sink(0), (std::vector<std::string>{same, same, empty, empty}));
    EXPECT_EQ(run.rejections().size(), 12u);
    for (const auto& rejection : run.rejections()) EXPECT_NE(rejection.detail, "") << rejection.raw;
  }
}

// A record type with a map has no generated parser: the same texts, mutated at random, through both.
TEST(Execute, TheGeneratedParserAcceptsWhatTheReferenceAccepts) {
  const std::string fields =
      "a: int, s: string?, d: decimal(9, 2), n: { f: float?, l: list<string> }, t: timestamp, u: "
      "timestamp(\"unix_ns\"), b: bool";
  const std::string type = "{ " + fields + " }";
  const std::string nodes = "node 2 out \"out.select\" from 0: " + type +
                            "\n  project select\n    a = row.a\n    s = row.s\n    d = row.d\n"
                            "    n = row.n\n    t = row.t\n    u = row.u\n    b = row.b\n\n"
                            "node 3 out \"sink out\" from 2: " +
                            type + "\n  sink file(path: \"out\") format json\n";
  Runner predicting(program(type, nodes));
  Runner reference(program("{ " + fields + ", z: map<string, int>? }", nodes));

  const std::vector<std::string> texts = {
      R"({"a":-12,"s":"x","d":1.5,"n":{"f":1e3,"l":["p","q"]},"t":"2026-01-01T00:00:00.5Z","u":1767225600000000000,"b":true})",
      R"({"b":false, "u":0, "t":"1969-12-31T23:59:59Z", "n": {"l": [] }, "d":"0.05", "a":9223372036854775807, "more":{"a":[1,{}]}})",
      R"({"a":0,"s":"\u00e9\n","d":-0,"n":{"f":null,"l":["\""]},"t":"0001-01-01T00:00:00Z","u":-1000,"b":true,"x":null})",
  };
  const std::string alphabet = "{}[]\",:.-+eE0123456789 \\ntuabfls\x01\x80\xc3\xa9TZ";
  std::uint64_t state = 42;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  std::string input;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = texts[random(texts.size())];
    for (std::uint64_t edits = random(4); edits > 0; --edits) {
      const std::size_t at = random(text.size());
      const char c = alphabet[random(alphabet.size())];
      switch (random(3)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1);
      }
    }
    input += text + "\n";
  }
  predicting.feed(0, input);
  reference.feed(0, input);
  EXPECT_EQ(predicting.sink(0), reference.sink(0));
  ASSERT_EQ(predicting.rejections().size(), reference.rejections().size());
  EXPECT_GT(predicting.sink(0).size(), 4000u);
  for (std::size_t i = 0; i < reference.rejections().size(); ++i) {
    EXPECT_EQ(predicting.rejections()[i].raw, reference.rejections()[i].raw);
    EXPECT_EQ(predicting.site(predicting.rejections()[i]), reference.site(reference.rejections()[i]));
  }
}

}  // namespace
}  // namespace weir::lower
