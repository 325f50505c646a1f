#include "runtime/connectors/file/output_names.h"

#include <fmt/core.h>

#include <charconv>
#include <vector>

namespace weir::connectors::file {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <typename T>
bool parse_number(std::string_view text, T& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::string to_text(const OutputName& name) {
  return fmt::format("{}-{}-{}-{}-{:06}.{}", name.sink, name.lineage8, name.generation, name.lane,
                     name.counter, name.extension);
}

std::optional<OutputName> parse_output_name(std::string_view text) {
  std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  auto parts = split(text.substr(0, dot), '-');
  if (parts.size() != 5) return std::nullopt;
  OutputName name;
  name.sink = parts[0];
  name.lineage8 = parts[1];
  name.extension = text.substr(dot + 1);
  if (!parse_number(parts[2], name.generation) || !parse_number(parts[3], name.lane) ||
      !parse_number(parts[4], name.counter))
    return std::nullopt;
  bool known = name.extension == "ndjson" || name.extension == "csv";
  bool hexadecimal =
      name.lineage8.size() == 8 && name.lineage8.find_first_not_of("0123456789abcdef") == std::string::npos;
  // Signs and leading zeros are read as numbers, but never written.
  if (!known || !hexadecimal || name.sink.empty() || to_text(name) != text) return std::nullopt;
  return name;
}

}  // namespace weir::connectors::file
