// Values of the evaluator. Plain data; copies share lists, maps and records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/flow/flow.h"

namespace weir::interp {

using flow::Int128;

struct Value;
using Values = std::vector<Value>;
using Entries = std::vector<std::pair<std::string, Value>>;  // ascending key bytes

struct Value {
  // By type: monostate = absent; bool; int, timestamp, duration (int64_t); float; decimal (unscaled Int128);
  // string and bytes; list and record (Values, in order); map (Entries). A T? that is present holds T's value.
  std::variant<std::monostate, bool, std::int64_t, double, Int128, std::string, std::shared_ptr<const Values>,
               std::shared_ptr<const Entries>>
      data;

  bool absent() const { return std::holds_alternative<std::monostate>(data); }
  bool truth() const { return std::get<bool>(data); }
  std::int64_t integer() const { return std::get<std::int64_t>(data); }
  double floating() const { return std::get<double>(data); }
  Int128 decimal() const { return std::get<Int128>(data); }
  const std::string& text() const { return std::get<std::string>(data); }
  const Values& values() const { return *std::get<std::shared_ptr<const Values>>(data); }
  const Entries& entries() const { return *std::get<std::shared_ptr<const Entries>>(data); }
};

Value value_of(flow::Literal literal);
Value list_of(Values values);
Value map_of(Entries entries);

// Same value of one type, as `==` says: both absent = equal, a float that is not a number equals nothing.
bool equal(const Value& a, const Value& b);
// -1, 0, 1 for what has an order; 2 where a float is not a number.
int compare(const Value& a, const Value& b);

// For messages and tests: "12.50", "\"text\"", "{ a: 1 }", "null".
std::string to_string(const Value& value, const types::Type& type);

}  // namespace weir::interp
