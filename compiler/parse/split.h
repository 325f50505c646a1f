// Cuts the token list at top-level declarations, so that each is parsed on its own: a broken one hides no other, and a
// changed one can be parsed alone. Checks brackets and the documented limits on the way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/parse/parse.h"
#include "compiler/parse/tokens.h"

namespace weir::parse {

// One declaration: the visible tokens in order, by index into the list of all tokens.
struct Chunk {
  std::vector<std::uint32_t> tokens;
  bool quiet = false;  // something was reported that makes further complaints about its syntax guesswork
  bool skip = false;   // not to be parsed: beyond a limit, or no declaration
};

// May change kinds (a misspelt declaration word) and hide tokens (a bracket that closes nothing).
std::vector<Chunk> split(std::vector<Token>& tokens, source::FileId file, std::string_view text,
                         const Limits& limits, diagnostics::Diagnostics& out);

// The same checks for a text that is a single expression: one chunk.
Chunk whole(std::vector<Token>& tokens, source::FileId file, std::string_view text, const Limits& limits,
            diagnostics::Diagnostics& out);

}  // namespace weir::parse
