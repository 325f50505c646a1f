// What the checker accepts can be lowered: each kind of expression and step with a field of every type. What is refused
// is refused with a code and a place.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <string>
#include <vector>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/front.h"
#include "compiler/lower/lower.h"

namespace weir::driver {
namespace {

struct Field {
  const char* name;
  const char* type;
};

constexpr Field kFields[] = {{"b", "bool"},
                             {"i", "int"},
                             {"f", "float"},
                             {"d", "decimal(10, 2)"},
                             {"w", "decimal(38, 9)"},
                             {"s", "string"},
                             {"y", "bytes"},
                             {"t", "timestamp"},
                             {"u", "duration"},
                             {"li", "list<int>"},
                             {"lo", "list<int?>"},
                             {"lr", "list<R>"},
                             {"mi", "map<string, int>"},
                             {"mr", "map<string, R>"},
                             {"r", "R"}};

// A source whose records have the field, and a few that expressions need.
std::string source_with(const Field& field) {
  std::string fields = fmt::format("{0}: {1}, {0}q: {1}?", field.name, field.type);
  for (const Field& other : kFields) {
    const std::string name = other.name;
    if (name != field.name && (name == "b" || name == "i" || name == "t" || name == "li"))
      fields += ", " + name + ": " + other.type;
  }
  return "type R = { a: int, c: decimal(5, 1)? }\ntype T = { " + fields +
         " }\nsource all: T from file(path: \"in\", format: json)\n  time t\n";
}

// Empty if `script` is refused properly or accepted and lowered; else what is wrong.
std::string outcome(const std::string& script, int& accepted) {
  const auto front = check_text("test.weir", script);
  if (!front->mistake.empty()) return front->mistake;
  if (!front->program) {
    for (const diagnostics::Diagnostic& d : front->findings.all()) {
      if (d.severity == diagnostics::Severity::error)
        return d.primary.span.is_known() ? "" : "an error without a place";
    }
    return "neither a program nor an error";
  }
  ++accepted;
  lower::Request request;
  request.program = &*front->program;
  request.optimise = false;
  const auto plan = lower::plan(request);
  return plan ? "" : plan.error();
}

class Accepted : public testing::TestWithParam<const char*> {};

TEST_P(Accepted, IsLowered) {
  const std::string form = GetParam();
  int accepted = 0;
  for (const Field& field : kFields) {
    for (const char* optional : {"", "q"}) {
      std::string step = form;
      const std::string name = field.name + std::string(optional);
      for (std::size_t at = step.find('@'); at != std::string::npos; at = step.find('@', at))
        step.replace(at, 1, name);
      const std::string script = source_with(field) + "stream x = all |> " + step +
                                 "\nsink x to file(path: \"out\", format: json)\n";
      EXPECT_EQ(outcome(script, accepted), "") << step;
    }
  }
  EXPECT_GT(accepted, 0) << form;
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Accepted,
    testing::Values("where @ == @ or @ is null", "where @ < @ or not (@ in [@, @])",
                    "extend z = \"${@}\", k = to_text(@)", "extend z = if b then @ else null",
                    "extend z = [@, @], k = { a: @, l: [@] }", "extend z = (try @) ?? @",
                    "extend z = match @ { null => null, q => q }", "flatten @ as z", "extend z = @[0]",
                    "extend z = @ + @", "extend z = @ * 2", "extend z = -@", "extend z = li.map(q => @)",
                    "extend z = @.map(q => [q])", "extend z = max(@, @)", "extend z = @ ?? null",
                    "aggregate n = count() by @ over tumbling(1m)",
                    "aggregate n = count() by k = { p: @ } over tumbling(1m)",
                    "aggregate n = max(@), k = min(@) where b over tumbling(1m)",
                    "aggregate n = sum(@), k = avg(@) where b over tumbling(1m)",
                    "extend z = to_decimal(@, 20, 4)", "extend z = to_int(@)"));

// Nothing says of what type these are.
TEST(Untyped, LiteralsAreRefused) {
  int accepted = 0;
  for (const char* value :
       {"[]", "[null]", "null", "{ a: [] }", "[[]]", "if b then [] else []", "let q = [] in q",
        "match null { null => 1, _ => 2 }", "li.map(q => [])", "li.map(q => null)", "try []", "null in [1]",
        "any([[]], q => true)", "first([[]]) is null"}) {
    const std::string script = source_with(kFields[0]) + "stream x = all |> extend z = " + value +
                               "\nsink x to file(path: \"out\", format: json)\n";
    EXPECT_EQ(outcome(script, accepted), "") << value;
    EXPECT_EQ(accepted, 0) << value;
  }
}

}  // namespace
}  // namespace weir::driver
