// How names, texts and numbers look in the text form; shared by printer and reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/flow/flow.h"

namespace weir::flow::text {

// As it is if it looks like a name, else in backticks.
std::string name(std::string_view name);
// In quotes. Bytes that are not printable ASCII or part of valid UTF-8 become \xHH.
std::string in_quotes(std::string_view value);
// "-12.50" of (-1250, 2).
std::string decimal_digits(Int128 unscaled, int scale);
// Shortest text that reads back as the same double: "1.5", "1e+300", "inf", "-inf", "nan".
std::string float_digits(double value);
// "2026-01-01T00:00:00.5Z"; nullopt outside of the years 0001 to 9999.
std::optional<std::string> timestamp_text(std::int64_t microseconds);
// Reads what timestamp_text writes.
std::optional<std::int64_t> parse_timestamp(std::string_view text);

bool starts_name(char c);
bool continues_name(char c);

// Word of an operation that is written `word(args)`; "" for the others.
std::string_view word(Op op);
std::optional<Op> op_of_word(std::string_view word);

std::string_view word(AggregateKind kind);
std::optional<AggregateKind> aggregate_of_word(std::string_view word);

}  // namespace weir::flow::text
