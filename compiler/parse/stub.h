// A declaration of which no more than its kind and name are known, so that uses of the name are not errors, too.
#pragma once

#include "compiler/ast/declarations.h"
#include "compiler/ast/tree.h"
#include "compiler/parse/split.h"
#include "compiler/source/files.h"

namespace weir::parse {

// nullptr if the chunk has no name. The result is marked `broken`.
ast::Decl* stub(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
                ast::Tree& tree);

}  // namespace weir::parse
