#include "runtime/protocol/manifest.h"

#include <fmt/core.h>

#include "runtime/protocol/manifest_json.h"

namespace weir::protocol {

std::string to_text(const Manifest& manifest) {
  return nlohmann::json(manifest).dump();
}

Result<Manifest> parse_manifest(std::string_view text) {
  try {
    return nlohmann::json::parse(text).get<Manifest>();
  } catch (const nlohmann::json::exception& error) {
    return fail(RunError::payload_invalid, fmt::format("manifest: {}", error.what()));
  }
}

}  // namespace weir::protocol
