#include "compiler/driver/crash/output.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace weir::driver::crash {
namespace {

// Rows of one file. A line break inside a quoted CSV field belongs to its row.
void read_file(const std::filesystem::path& path, Rows& rows) {
  std::ifstream file(path, std::ios::binary);
  const bool csv = path.extension() == ".csv";
  bool header = csv;
  std::string row;
  std::string line;
  bool quoted = false;
  while (std::getline(file, line)) {
    row += row.empty() ? line : "\n" + line;
    if (csv) {
      for (char c : line) quoted = quoted != (c == '"');
    }
    if (quoted) continue;
    if (!header) ++rows[row];
    header = false;
    row.clear();
  }
  if (!row.empty()) ++rows[row];
}

std::string shortened(const std::string& row) {
  constexpr std::size_t kLimit = 160;
  return row.size() <= kLimit ? row : row.substr(0, kLimit) + "…";
}

// Rows that `a` has more often than `b`: how many, and the first of them.
std::pair<std::uint64_t, std::string> surplus(const Rows& a, const Rows& b) {
  std::uint64_t count = 0;
  std::string example;
  for (const auto& [row, times] : a) {
    const auto other = b.find(row);
    const std::uint64_t there = other == b.end() ? 0 : other->second;
    if (times <= there) continue;
    if (count == 0) example = row;
    count += times - there;
  }
  return {count, example};
}

}  // namespace

Output read_output(const std::string& folder, const std::vector<std::string>& sinks) {
  Output output;
  for (const std::string& sink : sinks) {
    Rows& rows = output[sink];
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(folder) / sink, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with('.') || name.starts_with('_') || !entry.is_regular_file()) continue;
      read_file(entry.path(), rows);
    }
  }
  return output;
}

std::string difference(const Output& expected, const Output& found) {
  std::string text;
  for (const auto& [sink, rows] : expected) {
    const auto other = found.find(sink);
    static const Rows kNone;
    const Rows& got = other == found.end() ? kNone : other->second;
    const auto [missing, lost] = surplus(rows, got);
    const auto [extra, added] = surplus(got, rows);
    if (missing > 0)
      text += fmt::format("sink {}: {} rows are missing, as {}; ", sink, missing, shortened(lost));
    if (extra > 0) text += fmt::format("sink {}: {} rows too many, as {}; ", sink, extra, shortened(added));
  }
  return text;
}

std::uint64_t row_count(const Output& output) {
  std::uint64_t count = 0;
  for (const auto& [sink, rows] : output) {
    for (const auto& [row, times] : rows) count += times;
  }
  return count;
}

}  // namespace weir::driver::crash
