// The evaluator and generated code must agree on every expression and row: value or error, optimised or not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "compiler/flow/natural_type.h"
#include "compiler/flow/text.h"
#include "compiler/flow/text/tokens.h"
#include "compiler/flow/verify.h"
#include "compiler/interp/evaluate.h"
#include "compiler/interp/natives.h"
#include "compiler/lower/jit_test.h"

namespace weir::interp {
namespace {

using types::Kind;

// Random expressions in the text form of flow, over the row { id, a, b, c, d, e, s, t, o, p }.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  struct Decimal {
    std::string text;
    int precision = 0;
    int scale = 0;
  };

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  template <class List>
  auto one_of(const List& list) {
    return *(std::begin(list) + pick(static_cast<int>(std::size(list))));
  }

  std::string integer(int depth);
  std::string boolean(int depth);
  std::string text(int depth);
  std::string time(int depth);
  std::string duration(int depth);
  std::string optional(int depth);
  std::string floating(int depth);
  Decimal decimal(int depth);
  // The expression and its type.
  std::pair<std::string, std::string> any(int depth);
  // Declarations of `functions` functions (int, int?) -> int, each may call those before it.
  std::string declare_functions(int functions);

 private:
  Decimal decimal_operation(int depth);
  std::string library(int depth);  // a call that gives an int

  std::mt19937_64 random_;
  int next_local_ = 0;
  std::vector<int> locals_;
  int functions_ = 0;
  bool in_function_ = false;
};

std::string Generator::integer(int depth) {
  static const char* const leaves[] = {
      "row.a", "row.b", "0", "1", "-1", "7", "9223372036854775807", "-9223372036854775808", "3000000000"};
  if (depth <= 0) {
    if (!locals_.empty() && pick(3) == 0) return "%" + std::to_string(one_of(locals_));
    return leaves[in_function_ ? 2 + pick(7) : pick(9)];
  }
  static const char* const words[] = {"add", "sub", "mul", "div", "rem"};
  switch (pick(12)) {
    case 10:
      return library(depth);
    case 8:
      if (functions_ == 0) return integer(depth - 1);
      return "fn f" + std::to_string(pick(functions_)) + "(" + integer(depth - 1) + ", " +
             optional(depth - 1) + ")";
    case 9:
      return "{ x: " + boolean(depth - 1) + ", y: " + integer(depth - 1) + ", z: " + optional(depth - 1) +
             " }.y";
    case 0:
      return "neg(" + integer(depth - 1) + ")";
    case 1:
      return "if(" + boolean(depth - 1) + ", " + integer(depth - 1) + ", " + integer(depth - 1) + ")";
    case 2:
      return "coalesce(" + optional(depth - 1) + ", " + integer(depth - 1) + ")";
    case 3: {
      const int local = next_local_++;
      const std::string value = integer(depth - 1);
      locals_.push_back(local);
      const std::string body = integer(depth - 1);
      locals_.pop_back();
      return "let %" + std::to_string(local) + " = " + value + " in (" + body + ")";
    }
    default:
      return std::string(one_of(words)) + "(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
  }
}

std::string Generator::library(int depth) {
  if (pick(2) == 0) return "call! to_int(" + decimal(depth - 1).text + "): int";
  return "call! at([" + integer(depth - 1) + ", " + integer(depth - 1) + "], " + integer(0) + "): int";
}

std::string Generator::optional(int depth) {
  if (depth <= 0) {
    if (in_function_) return pick(2) == 0 ? "null: int?" : "%1";
    return pick(3) == 0 ? "null: int?" : "row.o";
  }
  switch (pick(3)) {
    case 0:
      return "try(" + integer(depth - 1) + ")";
    case 1:
      return "convert(" + integer(depth - 1) + "): int?";
    default:
      return "coalesce(" + optional(depth - 1) + ", " + optional(depth - 1) + ")";
  }
}

std::string Generator::floating(int depth) {
  static const char* const leaves[] = {"row.f", "0f", "-1.5f", "1e+300f", "float(nan)", "float(inf)"};
  if (depth <= 0) return leaves[in_function_ ? 1 + pick(5) : pick(6)];
  static const char* const words[] = {"add", "sub", "mul", "div"};
  if (pick(4) == 0) return "convert(" + integer(depth - 1) + "): float";
  if (pick(4) == 0) return "convert(" + decimal(depth - 1).text + "): float";
  return std::string(one_of(words)) + "(" + floating(depth - 1) + ", " + floating(depth - 1) + ")";
}

std::string Generator::boolean(int depth) {
  if (depth <= 0) return pick(2) == 0 && !in_function_ ? "row.p" : "true";
  static const char* const all[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  static const char* const order[] = {"lt", "le", "gt", "ge"};
  switch (pick(9)) {
    case 0:
      return "not(" + boolean(depth - 1) + ")";
    case 1:
      return "and(" + boolean(depth - 1) + ", " + boolean(depth - 1) + ")";
    case 2:
      return "or(" + boolean(depth - 1) + ", " + boolean(depth - 1) + ")";
    case 3:
      return "is_null(" + optional(depth - 1) + ")";
    case 4:
      return std::string(pick(2) == 0 ? "eq(" : "ne(") + optional(depth - 1) + ", " + optional(depth - 1) +
             ")";
    case 5:
      return std::string(one_of(all)) + "(" + text(depth - 1) + ", " + text(depth - 1) + ")";
    case 6:
      return std::string(one_of(all)) + "(" + time(depth - 1) + ", " + time(depth - 1) + ")";
    case 7:
      return std::string(one_of(order)) + "(" + floating(depth - 1) + ", " + floating(depth - 1) + ")";
    default:
      return std::string(one_of(all)) + "(" + integer(depth - 1) + ", " + integer(depth - 1) + ")";
  }
}

std::string Generator::text(int depth) {
  static const char* const leaves[] = {"row.s", "\"\"", "\"a\"", "\"ab\"", "\"\\xc3\\xa9\"", "\"b\""};
  if (depth <= 0) return leaves[in_function_ ? 1 + pick(5) : pick(6)];
  return "if(" + boolean(depth - 1) + ", " + text(depth - 1) + ", " + text(depth - 1) + ")";
}

std::string Generator::time(int depth) {
  static const char* const leaves[] = {"row.t", "@2026-01-01T00:00:00Z", "@0001-01-01T00:00:00Z",
                                       "@9999-12-31T23:59:59.999999Z", "@1969-12-31T23:59:59.5Z"};
  if (depth <= 0) return leaves[in_function_ ? 1 + pick(4) : pick(5)];
  switch (pick(3)) {
    case 0:
      return "sub(" + time(depth - 1) + ", " + duration(depth - 1) + ")";
    case 1:
      return "add(" + duration(depth - 1) + ", " + time(depth - 1) + ")";
    default:
      return "add(" + time(depth - 1) + ", " + duration(depth - 1) + ")";
  }
}

std::string Generator::duration(int depth) {
  static const char* const leaves[] = {
      "0us", "1us", "-1500000us", "86400000000us", "9223372036854775807us", "-9223372036854775808us"};
  if (depth <= 0) return one_of(leaves);
  switch (pick(6)) {
    case 0:
      return "sub(" + time(depth - 1) + ", " + time(depth - 1) + ")";
    case 1:
      return "mul(" + duration(depth - 1) + ", " + integer(depth - 1) + ")";
    case 2:
      return "div(" + duration(depth - 1) + ", " + integer(depth - 1) + ")";
    case 3:
      return "neg(" + duration(depth - 1) + ")";
    case 4:
      return "add(" + duration(depth - 1) + ", " + duration(depth - 1) + ")";
    default:
      return "sub(" + duration(depth - 1) + ", " + duration(depth - 1) + ")";
  }
}

std::string type_text(int precision, int scale) {
  return "decimal(" + std::to_string(precision) + ", " + std::to_string(scale) + ")";
}

Generator::Decimal Generator::decimal(int depth) {
  if (depth <= 0) {
    switch (in_function_ ? 3 + pick(2) : pick(5)) {
      case 0:
        return {"row.c", 12, 2};
      case 1:
        return {"row.d", 5, 3};
      case 2:
        return {"row.e", 38, 10};
      case 3:
        return {"-0.5d", 1, 1};
      default:
        return {"99999999999999999999999999999999999999d", 38, 0};
    }
  }
  if (pick(6) == 0) {
    static const std::pair<int, int> targets[] = {{19, 0}, {25, 4}, {3, 1}, {38, 19}, {18, 0}, {9, 2}};
    const auto [precision, scale] = one_of(targets);
    return {"convert(" + integer(depth - 1) + "): " + type_text(precision, scale), precision, scale};
  }
  if (pick(6) == 0) {
    const Decimal value = decimal(depth - 1);
    const int scale = value.scale + pick(39 - value.scale);
    const int precision = std::max(1, scale + pick(39 - scale));
    return {"convert(" + value.text + "): " + type_text(precision, scale), precision, scale};
  }
  if (pick(8) == 0) {
    const Decimal value = decimal(depth - 1);
    return {"neg(" + value.text + ")", value.precision, value.scale};
  }
  return decimal_operation(depth);
}

Generator::Decimal Generator::decimal_operation(int depth) {
  static const std::pair<const char*, flow::Op> words[] = {{"add", flow::Op::kAdd},
                                                           {"sub", flow::Op::kSubtract},
                                                           {"mul", flow::Op::kMultiply},
                                                           {"div", flow::Op::kDivide},
                                                           {"rem", flow::Op::kRemainder}};
  const Decimal a = decimal(depth - 1);
  const Decimal b = decimal(depth - 1);
  const auto [word, op] = one_of(words);
  const auto natural =
      flow::decimal_result(op, *types::decimal(a.precision, a.scale), *types::decimal(b.precision, b.scale));
  int precision = std::min(natural->precision, 38);
  int scale = std::min(natural->scale, precision);
  // A narrower type than the language's rules give: rounding and range are checked.
  if (pick(4) == 0 && op != flow::Op::kRemainder) {
    precision = 1 + pick(38);
    scale = std::min(pick(precision + 1), natural->scale);
  }
  precision = std::max(precision, 1);
  return {std::string(word) + "(" + a.text + ", " + b.text + "): " + type_text(precision, scale), precision,
          scale};
}

std::string Generator::declare_functions(int functions) {
  std::string out;
  in_function_ = true;
  for (functions_ = 0; functions_ < functions; ++functions_) {
    locals_ = {0};
    next_local_ = 2;
    out +=
        "fn f" + std::to_string(functions_) + "(x: int, y: int?) -> int =\n  " + integer(1 + pick(3)) + "\n";
  }
  in_function_ = false;
  locals_.clear();
  return out;
}

std::pair<std::string, std::string> Generator::any(int depth) {
  switch (pick(8)) {
    case 0:
      return {boolean(depth), "bool"};
    case 1:
      return {text(depth), "string"};
    case 2:
      return {time(depth), "timestamp"};
    case 3:
      return {optional(depth), "int?"};
    case 4:
    case 5: {
      const Decimal value = decimal(depth);
      return {value.text, type_text(value.precision, value.scale)};
    }
    default:
      return {integer(depth), "int"};
  }
}

// ---- Rows

struct Row {
  Value value;
  std::string json;
};

Row make_row(Generator& g, int id) {
  static const std::int64_t numbers[] = {0, 1, -1, 2, 10, 1000000007, INT64_MAX, INT64_MIN};
  static const char* const texts[] = {"", "a", "ab", "b", "zz"};
  const auto decimal = [&](int precision, int scale) {
    Int128 value = 0;
    const int digits = g.pick(precision + 1);
    for (int i = 0; i < digits; ++i) value = value * 10 + g.pick(10);
    if (g.pick(2) == 0) value = -value;
    return std::pair(Value{value}, flow::text::decimal_digits(value, scale));
  };
  Values values;
  std::string json = "{\"id\":" + std::to_string(id);
  values.push_back(Value{static_cast<std::int64_t>(id)});
  for (const char* name : {"a", "b"}) {
    const std::int64_t number = g.one_of(numbers);
    values.push_back(Value{number});
    json += ",\"" + std::string(name) + "\":" + std::to_string(number);
  }
  const std::tuple<const char*, int, int> decimals[] = {{"c", 12, 2}, {"d", 5, 3}, {"e", 38, 10}};
  for (const auto& [name, precision, scale] : decimals) {
    const auto [value, digits] = decimal(precision, scale);
    values.push_back(value);
    json += ",\"" + std::string(name) + "\":" + digits;
  }
  const double floats[] = {0, 1.5, -3.25, 1e18};
  const double number = g.one_of(floats);
  values.push_back(Value{number});
  json += ",\"f\":" + flow::text::float_digits(number);
  const std::string text = g.one_of(texts);
  values.push_back(Value{text});
  json += ",\"s\":\"" + text + "\"";
  const std::int64_t times[] = {0, -1, 1767225600000000, 253402300799999999, -62135596800000000};
  const std::int64_t time = g.one_of(times);
  values.push_back(Value{time});
  json += ",\"t\":\"" + *flow::text::timestamp_text(time) + "\"";
  if (g.pick(2) == 0) {
    const std::int64_t maybe = g.one_of(numbers);
    values.push_back(Value{maybe});
    json += ",\"o\":" + std::to_string(maybe);
  } else {
    values.push_back(Value{});
  }
  const bool truth = g.pick(2) == 0;
  values.push_back(Value{truth});
  json += truth ? ",\"p\":true}" : ",\"p\":false}";
  return {list_of(std::move(values)), json};
}

// As the sink writes it.
std::string json_of(const Value& value, const types::Type& type) {
  if (value.absent()) return "null";
  const types::Type& plain = type.kind == Kind::kOptional ? *type.element : type;
  if (plain.kind == Kind::kString) return "\"" + value.text() + "\"";
  if (plain.kind == Kind::kTimestamp) return "\"" + *flow::text::timestamp_text(value.integer()) + "\"";
  return to_string(value, plain);
}

// ---- Programs

// Functions stand between the two.
constexpr const char* kTypes = R"(flow 1
pipeline p
type In = { id: int, a: int, b: int, c: decimal(12, 2), d: decimal(5, 3), e: decimal(38, 10), f: float, s: string, t: timestamp, o: int?, p: bool }
type Rejected = { source: string, stage: string, code: string, message: string, meta: { path: string, position: int }, raw: bytes }
)";
constexpr const char* kSource = R"(
node 0 s "s.decode": In
  source file(path: "x") format json
  declared In
  on error to rejected

node 1 rejected "rejected": Rejected
  rejected 0
)";

std::string branch(int index, const std::string& expr, const std::string& type) {
  const std::string name = "x" + std::to_string(index);
  const int node = 2 + 2 * index;
  const std::string row = "{ id: int, v: " + type + " }";
  return "\nnode " + std::to_string(node) + " " + name + " \"" + name + "\" from 0: " + row +
         "\n  project select\n    id = row.id\n    v = " + expr + "\n\nnode " + std::to_string(node + 1) +
         " " + name + " \"" + name + " sink\" from " + std::to_string(node) + ": " + row +
         "\n  sink file(path: \"out\") format json\n";
}

using Outcomes = std::map<std::pair<int, int>, std::string>;  // (branch, row) -> JSON or "E5006"

Outcomes generated(const std::string& text, const std::vector<Row>& rows, int branches, bool optimise) {
  lower::testing::Runner run(text, {optimise, 1});
  std::string input;
  for (const Row& row : rows) input += row.json + "\n";
  run.feed(0, input);
  Outcomes out;
  for (int i = 0; i < branches; ++i) {
    for (const std::string& line : run.sink(i)) {
      const std::size_t comma = line.find(",\"v\":");
      out[{i, std::atoi(line.c_str() + 6)}] = line.substr(comma + 5, line.size() - comma - 6);
    }
  }
  for (const auto& rejection : run.rejections()) {
    const std::string site = run.site(rejection);  // "5006 x3: integer overflow"
    out[{std::atoi(site.c_str() + 6), std::atoi(rejection.raw.c_str() + 6)}] = "E" + site.substr(0, 4);
  }
  return out;
}

Outcomes evaluated(const flow::Program& program, const std::vector<Row>& rows, int branches) {
  Evaluator evaluator(program, library_natives());
  Outcomes out;
  for (int i = 0; i < branches; ++i) {
    const flow::Expr& expr =
        *std::get<flow::Project>(program.nodes[static_cast<std::size_t>(2 + 2 * i)].op).values[1];
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Evaluated result = evaluator.evaluate(expr, {.row = &rows[row].value});
      std::string& text = out[{i, static_cast<int>(row)}];
      if (result.has_value()) {
        text = json_of(*result, *expr.type);
      } else {
        text = result.error().is_record_error() ? "E" + std::to_string(result.error().code)
                                                : result.error().reason;
      }
    }
  }
  return out;
}

void compare(const Outcomes& expected, const Outcomes& found, const std::vector<std::string>& exprs,
             const std::vector<Row>& rows, bool optimise) {
  int shown = 0;
  for (const auto& [place, value] : expected) {
    const auto other = found.find(place);
    const std::string got = other == found.end() ? "nothing" : other->second;
    if (got == value || ++shown > 3) continue;
    ADD_FAILURE() << exprs[static_cast<std::size_t>(place.first)] << "\n  of "
                  << rows[static_cast<std::size_t>(place.second)].json << "\n  is " << value
                  << ", but generated code " << (optimise ? "(optimised) " : "") << "says " << got;
  }
}

TEST(Differential, GeneratedCodeAgrees) {
  const char* rounds_text = std::getenv("WEIR_DIFFERENTIAL_ROUNDS");
  const char* seed_text = std::getenv("WEIR_DIFFERENTIAL_SEED");
  const int rounds = rounds_text == nullptr ? 4 : std::atoi(rounds_text);
  const std::uint64_t seed = seed_text == nullptr ? 20260101 : std::strtoull(seed_text, nullptr, 10);
  constexpr int kBranches = 24;
  constexpr int kRows = 24;
  for (int round = 0; round < rounds && !::testing::Test::HasFailure(); ++round) {
    Generator g(seed + static_cast<std::uint64_t>(round));
    std::string text = kTypes + g.declare_functions(3) + kSource;
    std::vector<std::string> exprs;
    for (int i = 0; i < kBranches; ++i) {
      const auto [expr, type] = g.any(1 + g.pick(4));
      exprs.push_back(expr);
      text += branch(i, expr, type);
    }
    const auto program = flow::read(text);
    ASSERT_TRUE(program.has_value()) << flow::to_string(program.error()) << "\n" << text;
    ASSERT_EQ(flow::to_string(flow::verify(*program)), "");
    std::vector<Row> rows;
    for (int i = 0; i < kRows; ++i) rows.push_back(make_row(g, i));
    const Outcomes expected = evaluated(*program, rows, kBranches);
    for (bool optimise : {false, true}) {
      compare(expected, generated(text, rows, kBranches, optimise), exprs, rows, optimise);
    }
  }
}

}  // namespace
}  // namespace weir::interp
