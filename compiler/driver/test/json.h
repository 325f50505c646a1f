// Rows of tests as JSON: what a test gives is written for the program, what the program wrote is read and compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/interp/value.h"
#include "compiler/types/type.h"

namespace weir::driver::test {

// A JSON value that keeps the text of numbers, whose digits matter.
struct Json {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::string text;                // number as written, string decoded, "true", "false"
  std::vector<std::string> names;  // of an object: the keys of its items
  std::vector<Json> items;

  // The value of a key, nullptr if there is none.
  const Json* find(std::string_view name) const;
};

// nullopt if the text is not one JSON value.
std::optional<Json> parse_json(std::string_view text);

// The value as a source with plain codecs reads it: timestamps in RFC 3339, durations as PT90.5S, bytes in base64.
std::string to_json(const interp::Value& value, const types::Type& type);

// Whether the program wrote this value.
bool equal(const Json& written, const interp::Value& value, const types::Type& type);

}  // namespace weir::driver::test
