// The pass between lexer and parser: reports what is no token of the language, and turns what is clearly meant as
// something else (`&&`, 'text', `|> filter`) into that, so that the parser goes on as if it had been written.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/parse/tokens.h"

namespace weir::parse {

// Also gives each `let` its `in` and each arm of a `match` its arrow, which the grammar tells apart by kind.
void repair(std::vector<Token>& tokens, source::FileId file, std::string_view text,
            diagnostics::Diagnostics& out);

}  // namespace weir::parse
