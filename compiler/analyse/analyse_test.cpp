#include "compiler/analyse/analyse.h"

#include <gtest/gtest.h>

#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"

namespace weir::analyse {
namespace {

Effects test_effects(const flow::Expr& call) {
  if (call.name == "now") return set_of(Effect::clock);
  if (call.name == "uuid" || call.name == "random") return set_of(Effect::random);
  if (call.name == "env") return set_of(Effect::host);
  if (call.name == "pow") return set_of(Effect::pinned);
  return call.name == "mystery" ? set_of(Effect::opaque) : Effects(0);
}

const char* const kHead = R"(flow 1
pipeline p
  determinism strict
type Order = { id: string, amount: int, placed: timestamp }
)";

const char* const kSource = R"(
node 0 orders "orders.decode": Order timed
  source file(path: "in/*.ndjson") format json
  declared Order
  identity row.id
  time row.placed lateness 10000000us
  on error fail
)";

const char* const kSink = R"(
node 2 out "sink out" from 1: ROW timed
  sink file(path: "out") format json
)";

flow::Program read_flow(const std::string& text) {
  auto program = flow::read(text);
  EXPECT_TRUE(program.has_value()) << flow::to_string(program.error()) << "\n" << text;
  if (!program.has_value()) return {};
  EXPECT_EQ(flow::to_string(flow::verify(*program)), "");
  return std::move(*program);
}

std::string codes(const diagnostics::Diagnostics& list) {
  std::string out;
  for (const auto& d : list.all()) {
    out += (out.empty() ? "" : " ") + std::string(diagnostics::to_string(d.severity)) + " " +
           std::to_string(static_cast<int>(d.code));
  }
  return out;
}

std::string check(const std::string& text) {
  const flow::Program program = read_flow(text);
  diagnostics::Diagnostics found;
  analyse(program, test_effects, found);
  return codes(found);
}

std::string with_row(std::string text, const std::string& row) {
  for (auto at = text.find("ROW"); at != std::string::npos; at = text.find("ROW")) text.replace(at, 3, row);
  return text;
}

std::string project(const std::string& value, const std::string& type, const std::string& head = kHead) {
  const std::string row = "{ id: string, x: " + type + " }";
  return head + kSource +
         with_row(
             "\nnode 1 out \"out.extend x\" from 0: ROW timed\n  project extend\n    id = row.id\n    x = " +
                 value + "\n" + kSink,
             row);
}

std::string where(const std::string& condition, const std::string& head = kHead) {
  return head + kSource + "\nnode 1 out \"out.where\" from 0: Order timed\n  where " + condition + "\n" +
         with_row(kSink, "Order");
}

std::string profile(const std::string& name) {
  std::string head = kHead;
  return head.replace(head.find("strict"), 6, name);
}

TEST(Determinism, PureProgramsPass) {
  EXPECT_EQ(check(project("row.placed", "timestamp")), "");
  EXPECT_EQ(check(where("gt(row.amount, 1)")), "");
}

TEST(Determinism, EachAspectHasItsCode) {
  EXPECT_EQ(check(project("call now(): timestamp", "timestamp")), "error 105");
  EXPECT_EQ(check(project("call uuid(): string", "string")), "error 101");
  EXPECT_EQ(check(project("call env(\"HOME\"): string?", "string?")), "error 113");
  EXPECT_EQ(check(project("call mystery(): int", "int")), "error 107");
  EXPECT_EQ(check(project("meta.received", "timestamp")), "error 105");
  EXPECT_EQ(check(project("meta.path", "string")), "");
  EXPECT_EQ(check(where("lt(row.placed, call now(): timestamp)")), "error 102");
  EXPECT_EQ(check(where("lt(call random(): float, 0.1f)")), "error 102");
}

TEST(Determinism, ProfilesDecideTheSeverity) {
  EXPECT_EQ(check(project("call now(): timestamp", "timestamp", profile("sound"))), "warning 105");
  EXPECT_EQ(check(project("call now(): timestamp", "timestamp", profile("audit"))), "error 105");
  EXPECT_EQ(check(project("call pow(2f, 3f): float", "float", profile("strict"))), "warning 113");
  EXPECT_EQ(check(project("call pow(2f, 3f): float", "float", profile("sound"))), "");
  EXPECT_EQ(check(project("call pow(2f, 3f): float", "float", profile("audit"))), "error 113");
}

TEST(Determinism, CaptureDischarges) {
  EXPECT_EQ(check(project("capture \"out.x\"(call now(): timestamp)", "timestamp")), "");
}

TEST(Determinism, SeenThroughFunctions) {
  const std::string functions =
      "fn stamp() -> timestamp =\n  call now(): timestamp\nfn age(t: timestamp) -> duration =\n  sub(fn "
      "stamp(), %0)\n";
  EXPECT_EQ(check(project("fn age(row.placed)", "duration", kHead + functions)), "error 105");
  EXPECT_EQ(check(project("row.id", "string", kHead + functions)), "");
}

TEST(Determinism, AValueThatReachesNothingIsFine) {
  const std::string dropped = std::string(kHead) + kSource + R"(
node 1 out "out.extend x" from 0: { id: string, x: timestamp } timed
  project extend
    id = row.id
    x = call now(): timestamp

node 2 out "out.drop x" from 1: { id: string } timed
  project drop
    id = row.id

node 3 out "sink out" from 2: { id: string } timed
  sink file(path: "out") format json
)";
  EXPECT_EQ(check(dropped), "");
}

TEST(Determinism, RejectedRecordsDependOnWhatMakesThemFail) {
  const std::string text = profile("sound") +
                           "type Rejected = { source: string, stage: string, code: string, message: "
                           "string, meta: { path: string, position: int }, raw: bytes }\n" +
                           kSource + R"(
node 1 bad "bad": Rejected
  rejected 0

node 2 out "out.extend x" from 0: { x: int } timed
  project extend
    x = div(1, call random(): int)

node 3 out "sink out" from 2: { x: int } timed
  sink file(path: "out") format json

node 4 bad "sink bad" from 1: Rejected
  sink file(path: "bad") format json
)";
  const flow::Program program = read_flow(text);
  diagnostics::Diagnostics found;
  const Analysis analysis = analyse(program, test_effects, found);
  EXPECT_EQ(codes(found), "warning 105");
  EXPECT_EQ(analysis.report.sinks[1].reproducible, "no: depends on random()");
}

TEST(Determinism, RecordsThatFailAreNotThere) {
  const auto with_source = [](const std::string& clause, const std::string& made) {
    std::string source = kSource;
    source.replace(source.find(clause), clause.size(), made);
    return kHead + source +
           "\nnode 1 out \"sink out\" from 0: Order timed\n  sink file(path: \"out\") format json\n";
  };
  const std::string now = "call now(): timestamp";
  EXPECT_EQ(check(with_source("time row.placed", "time add(row.placed, sub(row.placed, row.placed))")), "");
  EXPECT_EQ(check(with_source("time row.placed", "time add(row.placed, sub(" + now + ", row.placed))")),
            "error 105");
  EXPECT_EQ(check(with_source("identity row.id", "identity add(row.placed, sub(" + now + ", row.placed))")),
            "error 101");
}

TEST(Determinism, ThroughStateAndKeys) {
  const std::string aggregate = std::string(kHead) + kSource + R"(
node 1 out "out.aggregate" from 0: { k: bool, window: { start: timestamp, end: timestamp }, n: int } timed
  aggregate tumbling 60000000us offset 0us
    by k = KEY
    value n = sum(VALUE) -> int

node 2 out "sink out" from 1: { k: bool, window: { start: timestamp, end: timestamp }, n: int } timed
  sink file(path: "out") format json
)";
  const auto with = [&](const std::string& key, const std::string& value) {
    std::string text = aggregate;
    text.replace(text.find("KEY"), 3, key);
    text.replace(text.find("VALUE"), 5, value);
    return check(text);
  };
  EXPECT_EQ(with("gt(row.amount, 1)", "row.amount"), "");
  EXPECT_EQ(with("lt(call random(): float, 0.5f)", "row.amount"), "error 108");
  EXPECT_EQ(with("gt(row.amount, 1)", "call env(): int"), "error 113");
  EXPECT_EQ(with("gt(row.amount, 1)", "call random(): int"), "error 105");
}

TEST(Delivery, BehindStdinItMustBeAccepted) {
  std::string text = where("gt(row.amount, 1)");
  text.replace(text.find("file(path: \"in/*.ndjson\") format json"), 37, "stdin() format json once");
  EXPECT_EQ(check(text), "error 409");
  EXPECT_EQ(check(text + "  accept best_effort \"a demo\"\n"), "");
  EXPECT_EQ(check(text + "  accept at_least_once \"a demo\"\n"), "error 409");
  std::string view = text;
  view.replace(view.find("sink file(path: \"out\")"), 22, "sink stdout()");
  EXPECT_EQ(check(view), "");
}

TEST(Time, IdleMustBeAccepted) {
  std::string text = std::string(kHead) + kSource + R"(
node 1 out "out.aggregate" from 0: { window: { start: timestamp, end: timestamp }, n: int } timed
  aggregate tumbling 60000000us offset 0us
    value n = count() -> int

node 2 out "sink out" from 1: { window: { start: timestamp, end: timestamp }, n: int } timed
  sink file(path: "out") format json
)";
  text.replace(text.find("lateness 10000000us"), 19, "lateness 10000000us idle 5000000us");
  EXPECT_EQ(check(text), "error 505");
  text.replace(text.find("  on error fail\n"), 16, "  on error fail\n  accept timing \"a quiet sensor\"\n");
  EXPECT_EQ(check(text), "");
}

constexpr const char* kReported = R"flow(flow 1
pipeline revenue
  checkpoint 1000000us to "state/revenue" keep 3
type Order = { id: string, amount: decimal(12, 2), placed: timestamp, lines: list<int> }
type Rejected = { source: string, stage: string, code: string, message: string, meta: { path: string, position: int }, raw: bytes }

node 0 orders "orders.decode": Order timed
  source file(path: "data/*.ndjson") format json
  declared Order
  time row.placed lateness 10000000us
  on error to rejected
  on late to late

node 1 rejected "rejected": Rejected
  rejected 0

node 2 late "late": { record: Order, behind: duration, meta: { path: string, position: int } }
  late 0

node 3 lines "lines.flatten" from 0: { id: string, amount: decimal(12, 2), placed: timestamp, lines: list<int>, line: int } timed
  flatten row.lines

node 4 revenue "revenue.aggregate" from 0: { id: string, window: { start: timestamp, end: timestamp }, total: decimal(38, 2) } timed
  aggregate tumbling 60000000us offset 0us
    by id = row.id
    value total = sum(row.amount) -> decimal(38, 2)

node 5 revenue "sink revenue" from 4: { id: string, window: { start: timestamp, end: timestamp }, total: decimal(38, 2) } timed
  sink file(path: "out/revenue") format json

node 6 lines "sink lines" from 3: { id: string, amount: decimal(12, 2), placed: timestamp, lines: list<int>, line: int } timed
  sink stdout() format json

node 7 rejected "sink rejected" from 1: Rejected
  sink file(path: "out/rejected") format json
)flow";

TEST(Report, SaysWhatIsPromised) {
  const flow::Program program = read_flow(kReported);
  diagnostics::Diagnostics found;
  const Analysis analysis = analyse(program, test_effects, found);
  EXPECT_EQ(codes(found), "");
  EXPECT_EQ(to_text(analysis.report), R"(pipeline revenue
  checkpoint     every 1s to state/revenue, keep 3
  protocol       barriers
  determinism    strict
  rollback       forbid

source orders
  reads          file data/*.ndjson as json, can be read again
  condition      files that were listed stay as they are; one that is missing or changed is refused by name
  identity       (orders, split, byte)
  event time     placed, lateness 10s
  late           to late; late for revenue.aggregate when its window ended at or before the progress of the record's own split
  on error       to rejected

state revenue.aggregate
  key            id: string, window of 1m
  keeps          total: sum decimal(12, 2)
  guarantee      exactly once with respect to orders; restored with the checkpoint
  closes         when the watermark reaches the end of the window; its rows leave the state
  growth         one row per key and open window
  lineage        orders
  reproducible   yes, a function of the input

sink revenue
  writes         file out/revenue as json
  guarantee      exactly once
  condition      exactly once per file; an epoch's files appear one by one
  visible after  the checkpoint that decides the rows (every 1s), and the end of their file: at 128 MiB, after 1m, at a stop, at the end of the input or at a restart
  boundary       ends at the files in out/revenue, because what readers do with them is not seen
  identity       (revenue.aggregate, id, window)
  accepted       nothing less
  reproducible   yes, a function of the input

sink lines
  writes         stdout as json
  guarantee      none: a view
  condition      a view of the results, not a delivery; rows may appear again after a restart
  visible after  no promise
  boundary       ends at the program, because what was printed cannot be taken back or asked for
  identity       ((orders, split, byte), ordinal of line)
  accepted       nothing needs to be
  reproducible   yes, a function of the input

sink rejected
  writes         file out/rejected as json
  guarantee      exactly once
  condition      exactly once per file; an epoch's files appear one by one
  visible after  the checkpoint that decides the rows (every 1s), and the end of their file: at 128 MiB, after 1m, at a stop, at the end of the input or at a restart
  boundary       ends at the files in out/rejected, because what readers do with them is not seen
  identity       ((orders, split, byte), stage)
  accepted       nothing less
  reproducible   yes, a function of the input
)");
  EXPECT_EQ(least_guarantee(analysis.report), Guarantee::exactly_once);
  EXPECT_NE(to_json(analysis.report).find("\"guarantee\": \"exactly once\""), std::string::npos);
  EXPECT_EQ(parse_guarantee("exactly_once"), Guarantee::exactly_once);
  EXPECT_EQ(parse_guarantee("once"), std::nullopt);
}

}  // namespace
}  // namespace weir::analyse
