// Strings without their end, before all other repairs: each is reported and becomes one token up to the end of its line,
// less the brackets there that close what was open before it, so that what surrounds the string can be read.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/parse/tokens.h"

namespace weir::parse {

// Such a token is a BAD_STRING; the builder makes an error node of it. The list stays lossless.
void end_strings(std::vector<Token>& tokens, source::FileId file, std::string_view text,
                 diagnostics::Diagnostics& out);

}  // namespace weir::parse
