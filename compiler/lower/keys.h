// Canonical key bytes (runtime/value/helpers.h, "Canonical keys") of the values of a `by`.
#pragma once

#include <vector>

#include "compiler/lower/emitter.h"

namespace weir::lower {

struct KeyBytes {
  llvm::Value* data = nullptr;
  llvm::Value* size = nullptr;
};

// Encodes into the function's frame, or into the scratch arena where the size is known at run time only.
KeyBytes encode_key(Emitter& e, const std::vector<Value>& values);

// The values of `types`, read one after the other from `data`. Strings view the key bytes.
std::vector<Value> decode_key(Emitter& e, llvm::Value* data, const std::vector<types::TypeRef>& types);

}  // namespace weir::lower
