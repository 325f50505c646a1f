#include "runtime/value/pinned.h"

#include <cstdlib>
#include <fstream>

namespace weir::value {

namespace {

// The first line of the zone files' source: "# version 2025b". The folder is chosen as the time library does.
std::string tzdata_version() {
  const char* folder = std::getenv("TZDIR");
  std::ifstream source(std::string(folder != nullptr && *folder != '\0' ? folder : "/usr/share/zoneinfo") +
                       "/tzdata.zi");
  const std::string prefix = "# version ";
  std::string line;
  return std::getline(source, line) && line.starts_with(prefix) ? line.substr(prefix.size()) : "none";
}

}  // namespace

std::map<std::string, std::string> pinned_versions() {
  return {{"tzdata", tzdata_version()}, {"unicode", unicode_version()}};
}

}  // namespace weir::value
