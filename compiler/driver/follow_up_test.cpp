// One mistake of the text makes one message: what is not known because of it is not complained about, neither in its
// declaration nor in those that use it.
#include <gtest/gtest.h>

#include <string>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/front.h"

namespace weir::driver {
namespace {

constexpr const char* kScript = R"(type Order = { id: string, amount: int, placed: timestamp }
source orders: Order from file(path: "in", format: json)
  time placed
  on error to rejected
fn tax(amount: int) -> int = div(amount, 5)
stream sums =
  orders
  |> where amount > 0
  |> extend tax = tax(amount), large = amount > 100
  |> aggregate n = count() where large, total = sum(tax) by id over tumbling(1m)
stream all = sums |> aggregate total = sum(total) by window
sink sums to file(path: "out/sums", format: json)
sink all to file(path: "out/all", format: json)
sink rejected to file(path: "out/rejected", format: json)
test "one order" {
  given orders [
    { id: "a", amount: 10, placed: @2026-01-01T00:00:05Z },
    { id: "b", amount: 500, placed: @2026-01-01T00:00:06Z },
  ]
  expect sums [{ id: "a", n: 0, total: 2, .. }, { id: "b", n: 1, total: 100, .. }]
}
)";

// The script with `text`, which stands in it once, replaced.
std::string found(const std::string& text, const std::string& replacement) {
  std::string script = kScript;
  const std::size_t at = script.find(text);
  EXPECT_TRUE(at != std::string::npos && script.find(text, at + 1) == std::string::npos) << text;
  const auto front = check_text("test.weir", script.replace(at, text.size(), replacement));
  std::string codes;
  for (const diagnostics::Diagnostic& d : front->findings.all()) {
    codes += (codes.empty() ? "" : " ") + diagnostics::to_string(d.code);
  }
  return codes;
}

TEST(FollowUps, OfMistakesOfTheText) {
  EXPECT_EQ(found("div(amount, 5)", "div(amount, 5)"), "");
  EXPECT_EQ(found("|> where amount > 0", "where amount > 0"), "E1001");
  EXPECT_EQ(found("amount > 0\n", "amount >\n"), "E1001");
  EXPECT_EQ(found("|> extend", "extend"), "E1001");
  EXPECT_EQ(found("extend tax", "tax"), "E1002");
  EXPECT_EQ(found("aggregate n =", "n ="), "E1002");
  EXPECT_EQ(found("where large, total", "where large total"), "E1001");
  EXPECT_EQ(found("n = count() where", "= count() where"), "E1001");
  EXPECT_EQ(found("by id over", "by over"), "E1001");
  EXPECT_EQ(found("count() where", "count( where"), "E1015");
  EXPECT_EQ(found("source orders: Order", "orders: Order"), "E1001");
  EXPECT_EQ(found("  time placed\n", "  placed\n"), "E1001");
  EXPECT_EQ(found("format: json)\n  time", "format: )\n  time"), "E1001");
  EXPECT_EQ(found("type Order = {", "type Order = "), "E1015");
  EXPECT_EQ(found("    { id: \"a\", amount: 10", "    id: \"a\", amount: 10"), "E1015");
  EXPECT_EQ(found("{ id: \"b\", n: 1", "id: \"b\", n: 1"), "E1015");
}

}  // namespace
}  // namespace weir::driver
