#include "compiler/interp/evaluate.h"

#include <gtest/gtest.h>

#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"
#include "compiler/interp/constants.h"
#include "compiler/interp/natives.h"

namespace weir::interp {
namespace {

flow::Program program_of(const std::string& type, const std::string& expr) {
  auto program =
      flow::read("flow 1\npipeline p\nparam n: int = 7\nfn half(x: int) -> int =\n  div(%0, 2)\nfn f() -> " +
                 type + " =\n  " + expr);
  EXPECT_TRUE(program.has_value()) << flow::to_string(program.error()) << "\n" << expr;
  if (!program.has_value()) return {};
  EXPECT_EQ(flow::to_string(flow::verify(*program)), "") << expr;
  return std::move(*program);
}

const Natives& no_natives() {
  static const Natives natives;
  return natives;
}

// The value, or "E5006 at OP".
std::string run(const std::string& type, const std::string& expr) {
  const flow::Program program = program_of(type, expr);
  if (program.functions.size() < 2) return "";
  const flow::Expr& body = *program.functions[1].body;
  Evaluator evaluator(program, no_natives());
  const Evaluated result = evaluator.evaluate(body);
  if (result.has_value()) return to_string(*result, *body.type);
  if (!result.error().is_record_error()) return result.error().reason;
  return "E" + std::to_string(result.error().code);
}

TEST(Interp, IntegersAreChecked) {
  EXPECT_EQ(run("int", "add(9223372036854775807, 1)"), "E5006");
  EXPECT_EQ(run("int", "mul(9223372036854775807, 2)"), "E5006");
  EXPECT_EQ(run("int", "neg(-9223372036854775808)"), "E5006");
  EXPECT_EQ(run("int", "div(-9223372036854775808, -1)"), "E5006");
  EXPECT_EQ(run("int", "rem(-9223372036854775808, -1)"), "0");
  EXPECT_EQ(run("int", "div(1, 0)"), "E5007");
  EXPECT_EQ(run("int", "rem(1, 0)"), "E5007");
  EXPECT_EQ(run("int", "div(-7, 2)"), "-3");
  EXPECT_EQ(run("int", "rem(-7, 2)"), "-1");
}

TEST(Interp, ParenthesesCount) {
  EXPECT_EQ(run("int", "div(12, mul(2, 3))"), "2");
  EXPECT_EQ(run("int", "sub(12, add(2, 3))"), "7");
  EXPECT_EQ(run("int", "sub(12, sub(2, 3))"), "13");
  EXPECT_EQ(run("int", "rem(mul(10, 10), 3)"), "1");
  EXPECT_EQ(run("bool", "not(and(true, false))"), "true");
}

TEST(Interp, Decimals) {
  EXPECT_EQ(run("decimal(13, 2)", "add(12.10d: decimal(12, 2), -0.05d: decimal(12, 2))"), "12.05");
  EXPECT_EQ(run("decimal(5, 3)", "mul(1.5d, 2.25d): decimal(5, 3)"), "3.375");
  EXPECT_EQ(run("decimal(7, 6)", "div(1d, 3d)"), "0.333333");
  EXPECT_EQ(run("decimal(7, 6)", "div(2d, 3d)"), "0.666667");
  EXPECT_EQ(run("decimal(38, 6)", "div(1d, 0d): decimal(38, 6)"), "E5007");
  EXPECT_EQ(run("decimal(2, 1)", "rem(-7.5d, 2.0d)"), "-1.5");
  EXPECT_EQ(run("decimal(2, 0)", "mul(9d, 99d): decimal(2, 0)"), "E5008");
  // Half-even where a narrower result is declared.
  EXPECT_EQ(run("decimal(4, 0)", "mul(0.5d, 5d): decimal(4, 0)"), "2");
  EXPECT_EQ(run("decimal(4, 0)", "mul(0.5d, 7d): decimal(4, 0)"), "4");
  // Through 256 bits.
  EXPECT_EQ(run("decimal(38, 0)",
                "mul(9999999999999999999.9999999999999999999d, 1.0000000000000000000000000000000000000d): "
                "decimal(38, "
                "0)"),
            "10000000000000000000");
  EXPECT_EQ(run("decimal(38, 18)", "div(9999999999999999999.9999999999999999999d, 0.1d): decimal(38, 18)")
                .substr(0, 5),
            "99999");
  EXPECT_EQ(run("decimal(12, 2)", "convert(5): decimal(12, 2)"), "5.00");
  EXPECT_EQ(run("decimal(3, 2)", "convert(50): decimal(3, 2)"), "E5008");
  EXPECT_EQ(run("decimal(3, 2)?", "convert(1.25d: decimal(9, 2)): decimal(3, 2)?"), "1.25");
}

TEST(Interp, TimeAndFloats) {
  EXPECT_EQ(run("timestamp", "add(@2026-01-01T00:00:00Z, 1500000us)"), "@2026-01-01T00:00:01.5Z");
  EXPECT_EQ(run("timestamp", "add(@9999-12-31T23:59:59Z, 1000000us)"), "E5010");
  EXPECT_EQ(run("duration", "sub(@2026-01-01T00:00:01Z, @2026-01-01T00:00:00Z)"), "1000000us");
  EXPECT_EQ(run("duration", "mul(1000000us, 9223372036854775807)"), "E5006");
  EXPECT_EQ(run("float", "div(1f, 0f)"), "inf");
  EXPECT_EQ(run("bool", "le(float(nan), 1f)"), "false");
  EXPECT_EQ(run("float", "convert(0.1d): float"), "0.1");
}

TEST(Interp, FirstErrorInWrittenOrder) {
  EXPECT_EQ(run("int", "add(div(1, 0), add(9223372036854775807, 1))"), "E5007");
  EXPECT_EQ(run("int", "add(add(9223372036854775807, 1), div(1, 0))"), "E5006");
  EXPECT_EQ(run("bool", "and(false, eq(div(1, 0), 1))"), "false");
  EXPECT_EQ(run("bool", "or(true, eq(div(1, 0), 1))"), "true");
  EXPECT_EQ(run("int", "if(true, 1, div(1, 0))"), "1");
  EXPECT_EQ(run("int?", "try(div(1, 0))"), "null");
  EXPECT_EQ(run("int", "coalesce(try(div(1, 0)), 3)"), "3");
}

TEST(Interp, LocalsAndCalls) {
  EXPECT_EQ(run("int", "let %0 = 10 in (add(%0, fn half(%0)))"), "15");
  EXPECT_EQ(run("bool", "eq(null: int?, null: int?)"), "true");
  EXPECT_EQ(run("bool", "ne(null: int?, convert(1): int?)"), "true");
  EXPECT_EQ(run("int", "{ a: 1, b: 2 }.b"), "2");
  EXPECT_EQ(run("bool", "lt(\"a\", \"\xff\")"), "true");
  EXPECT_EQ(run("int", "$n"), "it is a parameter");
  EXPECT_EQ(run("int", "call now(): int"), "`now` is not evaluated here");
}

TEST(Interp, FunctionsOfTheLibrary) {
  const auto call = [](const std::string& type, const std::string& expr) {
    const flow::Program program = program_of(type, expr);
    Evaluator evaluator(program, library_natives());
    const Evaluated result = evaluator.evaluate(*program.functions[1].body);
    if (result.has_value()) return to_string(*result, *program.functions[1].body->type);
    return "E" + std::to_string(result.error().code);
  };
  EXPECT_EQ(call("int", "call! to_int(1e+300f): int"), "E5009");
  EXPECT_EQ(call("int", "call! to_int(float(nan)): int"), "E5014");
  EXPECT_EQ(call("int", "call! to_int(\"x\"): int"), "E5016");
  EXPECT_EQ(call("int", "call! abs(-9223372036854775808): int"), "E5006");
  EXPECT_EQ(call("int", "call! modulo(-7, 3): int"), "2");
  EXPECT_EQ(call("timestamp", "call! from_unix_s(9223372036854775807): timestamp"), "E5010");
  EXPECT_EQ(call("int", "call! at([1, 2], 5): int"), "E5013");
  for (const char* good : {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "+/+/"}) {
    EXPECT_EQ(call("bytes", "call! from_base64(\"" + std::string(good) + "\"): bytes").find('E'),
              std::string::npos)
        << good;
  }
  for (const char* bad : {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm 9", "Zm9_"}) {
    EXPECT_EQ(call("bytes", "call! from_base64(\"" + std::string(bad) + "\"): bytes"), "E5016") << bad;
  }
}

TEST(Interp, LimitsEndDeepAndLongWork) {
  std::string text = "flow 1\npipeline p\nfn f0() -> int =\n  1\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "fn f" + std::to_string(i - 1) + "()";
    text += "fn f" + std::to_string(i) + "() -> int =\n  add(" + before + ", " + before + ")\n";
  }
  const auto program = flow::read(text);
  ASSERT_TRUE(program.has_value());
  Evaluator evaluator(*program, no_natives());
  const Evaluated result = evaluator.evaluate(*program->functions.back().body);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().reason, "it takes too many steps");
}

TEST(Constants, ThatAlwaysFailAreFound) {
  const auto failures = [](const std::string& expr) {
    const flow::Program program = program_of("int", expr);
    std::string out;
    for (const ConstantFailure& failure : constant_failures(program, no_natives())) {
      out += std::to_string(failure.code) + " ";
    }
    return out;
  };
  EXPECT_EQ(failures("add($n, div(1, 0))"), "5007 ");
  EXPECT_EQ(failures("add(div(1, 0), add(9223372036854775807, 1))"), "5007 5006 ");
  EXPECT_EQ(failures("add(1, add(2, div(1, 0)))"), "5007 ");
  EXPECT_EQ(failures("coalesce(try(div(1, 0)), 1)"), "");
  EXPECT_EQ(failures("div($n, 2)"), "");
  EXPECT_EQ(failures("div(4, 2)"), "");
}

}  // namespace
}  // namespace weir::interp
