#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::connectors::file {

/// What the name of a published file says.
struct OutputName {
  std::string sink;
  std::string lineage8;  // the first eight digits of the lineage
  std::uint64_t generation = 0;
  std::uint32_t lane = 0;
  std::uint64_t counter = 0;
  std::string extension;
  friend bool operator==(const OutputName&, const OutputName&) = default;
};

/// SINK-LINEAGE8-GENERATION-LANE-COUNTER.EXTENSION, the counter in at least six digits.
std::string to_text(const OutputName& name);
/// Nothing if the text is not such a name to the letter.
std::optional<OutputName> parse_output_name(std::string_view text);

}  // namespace weir::connectors::file
