// What a plan's texts were compiled to at start: its regexes and time patterns, by index. Constant afterwards, shared by
// all workers.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "runtime/abi/abi.h"

namespace weir::value {

struct TimePatternText {
  std::string pattern;
  std::string zone;  // IANA name; empty when the pattern has %z
};

// weir_worker.texts is its get(). The error names the text and what is wrong with it.
std::expected<std::shared_ptr<const weir_text_tables>, std::string> make_text_tables(
    const std::vector<std::string>& regexes, const std::vector<TimePatternText>& time_patterns);

}  // namespace weir::value
