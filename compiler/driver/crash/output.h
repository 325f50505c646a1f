// What a run published, and how two runs differ: the multiset of rows per sink (the equality of the guarantees:
// names, number and borders of files and the order of rows are not compared).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weir::driver::crash {

using Rows = std::map<std::string, std::uint64_t>;  // a row's bytes -> how often
using Output = std::map<std::string, Rows>;         // by sink

// Reads DIR/SINK/* for each sink. A leading dot or underscore is never data. Of CSV files the first record is the
// header. A missing folder is a sink without rows.
Output read_output(const std::string& folder, const std::vector<std::string>& sinks);

// Empty when equal, else one short text: which sink, how many rows are missing or too much, one example of each.
std::string difference(const Output& expected, const Output& found);

std::uint64_t row_count(const Output& output);

}  // namespace weir::driver::crash
