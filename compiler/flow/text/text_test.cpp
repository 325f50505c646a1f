#include <gtest/gtest.h>

#include <random>

#include "compiler/flow/text.h"
#include "compiler/flow/text/tokens.h"
#include "compiler/flow/verify.h"

namespace weir::flow {
namespace {

constexpr const char* kRevenue = R"flow(flow 1
pipeline revenue
  script "revenue.weir"
  checkpoint 1000000us to "state/revenue" keep 3
  parallelism 0
  protocol barriers
  determinism strict
  rollback forbid
  memory 0
type Order = { id: string, customer: string, amount: decimal(12, 2) as "Amount", coupon: string?, placed: timestamp("unix_ms"), lines: list<{ sku: string }> }
type Rejected = { source: string, stage: string, code: string, message: string, meta: { path: string, position: int }, raw: bytes }
param threshold: int = 100
param out: string address = "out/revenue"
fn discount(amount: decimal(12, 2), coupon: string?) -> decimal(12, 2) =
  if(and(not(is_null(%1)), eq(unwrap(%1), "HALF")), call! round(mul(%0, 0.5d), 2): decimal(12, 2) ~"round(amount * 0.5, 2)", %0)

node 0 orders "orders.decode": Order timed
  source file(path: "data/orders/*.ndjson", files: "each") format json null "-" ""
  declared Order
  identity row.id
  time row.placed lateness 10000000us idle 5000000us
  on error to rejected
  on late to late_orders
  accept timing "the clock \"decides\""

node 1 rejected "rejected": Rejected
  rejected 0

node 2 late_orders "late_orders": { record: Order, behind: duration, meta: { path: string, position: int } }
  late 0

node 3 revenue "revenue.where" from 0: Order timed
  where gt(row.amount, convert(0): decimal(12, 2))

node 4 revenue "revenue.extend net" from 3: { customer: string, net: decimal(12, 2), `1xx`: int?, at: string } timed
  project extend
    customer = row.customer
    net = fn discount(row.amount, row.coupon)
    `1xx` = let %0 = add(call! parse_int(row.id): int ~"int(id)", $threshold) ~"int(id) + threshold" in (try(div(%0, 2) ~"div(n, 2)"))
    at = coalesce(null: string?, meta.path)

node 5 revenue "revenue.aggregate" from 4: { customer: string, window: { start: timestamp, end: timestamp }, total: decimal(38, 2), n: int, free: int, least: decimal(12, 2)? } timed
  aggregate tumbling 60000000us offset 0us
    by customer = row.customer
    value total = sum(row.net) -> decimal(38, 2) ~"sum(net)"
    value n = count() -> int
    value free = count() where eq(row.net, 0.00d: decimal(12, 2)) -> int
    value least = min(row.net) where is_null(row.`1xx`) -> decimal(12, 2)?

node 6 revenue "sink revenue" from 5: { customer: string, window: { start: timestamp, end: timestamp }, total: decimal(38, 2), n: int, free: int, least: decimal(12, 2)? } timed
  sink file(path: $out) format json
  accept at_least_once "cheap"
)flow";

TEST(FlowText, PrintsWhatItReads) {
  const auto program = read(kRevenue);
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  EXPECT_EQ(print(*program), kRevenue);
  EXPECT_EQ(to_string(verify(*program)), "");
}

TEST(FlowText, SpansAreReadBack) {
  auto program = read(kRevenue);
  ASSERT_TRUE(program.has_value());
  auto& where = std::get<Where>(program->nodes[3].op);
  auto condition = std::make_shared<Expr>(*where.condition);
  condition->span = {{0}, 120, 5};
  where.condition = condition;
  program->nodes[3].span = {{0}, 100, 30};
  program->functions[0].span = {{0}, 400, 8};
  program->params[0].span = {{0}, 500, 9};
  const PrintOptions options{.spans = true, .texts = true};
  const std::string text = print(*program, options);
  EXPECT_NE(text.find("where gt(row.amount, convert(0): decimal(12, 2)) @0:120+5"), std::string::npos)
      << text;
  const auto again = read(text);
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(print(*again, options), text);
  EXPECT_EQ(again->functions[0].span, program->functions[0].span);
}

std::string round_trip(const std::string& expr) {
  const auto program = read("flow 1\npipeline p\nfn f() -> int =\n  " + expr + "\n");
  if (!program.has_value()) return to_string(program.error());
  return print(*program->functions[0].body, *program);
}

TEST(FlowText, Literals) {
  for (const char* expr : {"-9223372036854775808",
                           "true",
                           "null",
                           "null: int?",
                           "\"a\\\"b\\\\\\n\\x00é\\xff\"",
                           "b\"\\x00\\xff\"",
                           "12.50d",
                           "-0.05d",
                           "0d",
                           "0.00d: decimal(38, 2)",
                           "99999999999999999999999999999999999999d",
                           "1.5f",
                           "-0f",
                           "1e+300f",
                           "float(nan)",
                           "float(-inf)",
                           "@2026-01-01T00:00:00Z",
                           "@1969-12-31T23:59:59.999999Z",
                           "@0001-01-01T00:00:00Z",
                           "-9223372036854775808ts",
                           "-5us",
                           "[1, 2]",
                           "[]: list<int>",
                           "{ a: 1, `b c`: 2 }",
                           "{}",
                           "{ a: 1 }.a",
                           "({ a: 1 }: { a: int as \"A\" }).a",
                           "lambda %1: int, %2: string? => (%1)",
                           "call now(): timestamp ~\"now()\"",
                           "capture \"x\"(1)",
                           "field 3({ a: 1 }): int",
                           "record(1, 2): int",
                           "(call f(): { a: int }).a",
                           "$#7: int",
                           "fn #9(): int",
                           "%5: int"}) {
    EXPECT_EQ(round_trip(expr), expr);
  }
}

TEST(FlowText, MistakesAreLocated) {
  EXPECT_EQ(round_trip("row.a"), "5:1: the type of what has the field must be written");
  EXPECT_EQ(round_trip("\"a"), "4:3: a text has no end");
  EXPECT_EQ(round_trip("frob(1)"), "4:7: `frob` is not an operation");
  EXPECT_EQ(round_trip("add(1"), "5:1: `,` is expected");
  EXPECT_FALSE(read("").has_value());
  EXPECT_FALSE(read("flow 2").has_value());
}

TEST(FlowText, DeepExpressionsAreRefused) {
  std::string expr;
  for (int i = 0; i < 200000; ++i) expr += "neg(";
  EXPECT_NE(round_trip(expr).find("nested too deeply"), std::string::npos);
  expr.clear();
  constexpr int kDeep = 2990;
  for (int i = 0; i < kDeep; ++i) expr += "neg(";
  expr += "1" + std::string(kDeep, ')');
  EXPECT_EQ(round_trip(expr), expr);
}

TEST(FlowText, RecordsOfOneNameAreKeptApart) {
  const auto program = read(
      "flow 1\npipeline p\ntype A = { x: int }\ntype A#2 = { x: string }\nfn f(a: A, b: A#2) -> int =\n  "
      "%0.x\n");
  ASSERT_TRUE(program.has_value()) << to_string(program.error());
  const std::string text = print(*program);
  EXPECT_NE(text.find("fn f(a: A, b: A#2) -> int"), std::string::npos) << text;
  EXPECT_EQ(print(*read(text)), text);
}

TEST(FlowText, Timestamps) {
  EXPECT_EQ(text::timestamp_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(text::parse_timestamp("1970-01-01T00:00:00.5Z"), 500'000);
  EXPECT_FALSE(text::parse_timestamp("1970-02-30T00:00:00Z").has_value());
  EXPECT_FALSE(text::parse_timestamp("1970-01-01T24:00:00Z").has_value());
}

// Whatever is read can be verified and printed, and what is printed is read as the same.
TEST(FlowText, DamagedTextsAreReadOrRefused) {
  std::mt19937 random(7);
  const std::string original = kRevenue;
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text = original;
    for (std::size_t change = 0; change <= pick(3); ++change) {
      const std::size_t at = pick(text.size());
      const std::size_t size = 1 + pick(12);
      switch (pick(3)) {
        case 0:
          text.erase(at, size);
          break;
        case 1:
          text.insert(at, original.substr(pick(original.size()), size));
          break;
        default:
          text[at] = static_cast<char>(32 + pick(95));
      }
    }
    const auto program = read(text);
    if (!program.has_value()) continue;
    ++accepted;
    verify(*program);
    const std::string printed = print(*program);
    const auto again = read(printed);
    ASSERT_TRUE(again.has_value()) << to_string(again.error()) << "\n" << printed;
    ASSERT_EQ(print(*again), printed);
  }
  EXPECT_GT(accepted, 100);
}

std::string faults(const std::string& from, const std::string& to) {
  std::string text = kRevenue;
  const auto at = text.find(from);
  if (at == std::string::npos) return "not found";
  text.replace(at, from.size(), to);
  const auto program = read(text);
  return program.has_value() ? to_string(verify(*program)) : to_string(program.error());
}

TEST(FlowVerify, FindsFaults) {
  EXPECT_EQ(faults("where gt(row.amount, convert(0): decimal(12, 2))", "where row.amount"),
            "revenue.where: its condition has type decimal(12, 2)\n");
  EXPECT_EQ(faults("gt(row.amount, convert(0): decimal(12, 2))", "gt(row.amount, 0)"),
            "revenue.where: `gt` compares decimal(12, 2) with int\n");
  EXPECT_EQ(faults("node 3 revenue \"revenue.where\"", "node 3 revenue \"rejected\""),
            "rejected: a second node has this stage name\n");
  EXPECT_EQ(faults("from 3:", "from 4:"), "38:5: the type of what has the field must be written");
  EXPECT_EQ(faults("    customer = row.customer\n", ""),
            "revenue.extend net: it has 3 values for 4 fields\n");
  EXPECT_EQ(faults("by customer = row.customer", "by customer = row.net"),
            "revenue.aggregate: its row is not its keys, window and values\n");
  EXPECT_EQ(faults("in (try(div(%0, 2) ~\"div(n, 2)\"))", "in (div(%0, 2): int?)"),
            "revenue.extend net: `div` of int and int has type int?\n");
  EXPECT_EQ(faults("try(div(%0, 2)", "try(let %0 = 1 in (%0)"),
            "revenue.extend net: `let` binds %0 a second time\n");
  EXPECT_EQ(faults("try(div(%0, 2)", "try(div(%3: int, 2)"),
            "revenue.extend net: `local` %3 is not in scope\n");
  EXPECT_EQ(faults("late 0", "late 1"),
            "late_orders: its source 1 is not a source that stands before it\n"
            "late_orders: its row is { record: Order, behind: duration, meta: { path: "
            "string, position: int } }, but `on late to` gives { record: Rejected, "
            "behind: duration, meta: { path: string, position: int } }\n");
}

}  // namespace
}  // namespace weir::flow
