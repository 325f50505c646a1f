// Mutates a text by its tokens, so that more of what the fuzzer tries gets past the lexer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir::fuzz {

// Words, numbers, strings, runs of spaces, and single other characters, in order; joined again they are the text.
std::vector<std::string> tokens(std::string_view text);

// One to four changes: delete, duplicate, swap, replace by another token of the text or by one of the language's own.
// The same text and seed give the same result.
std::string mutate(std::string_view text, unsigned seed);

}  // namespace weir::fuzz
