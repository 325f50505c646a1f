// A Weir value while code is emitted: where its parts are. Plain data, cheap to copy.
//
// Either in memory (`address` of a slot as laid out in abi.h, read when a part is needed), or in registers:
//   bool                                  `first` (i1)
//   int timestamp duration float decimal  `first`
//   string bytes list map                 `first` (pointer), `second` (i64: bytes or elements)
//   record                                `parts`, one per field
//   T?                                    `parts[0]` the value, `first` (i1) whether it is present
#pragma once

#include <vector>

#include <llvm/IR/Value.h>

#include "compiler/types/type.h"

namespace weir::lower {

struct Value {
  types::TypeRef type;
  llvm::Value* address = nullptr;
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
  std::vector<Value> parts;

  bool in_memory() const { return address != nullptr; }

  static Value memory(types::TypeRef type, llvm::Value* address) {
    Value value;
    value.type = std::move(type);
    value.address = address;
    return value;
  }
  static Value scalar(types::TypeRef type, llvm::Value* first, llvm::Value* second = nullptr) {
    Value value;
    value.type = std::move(type);
    value.first = first;
    value.second = second;
    return value;
  }
  static Value record(types::TypeRef type, std::vector<Value> parts) {
    Value value;
    value.type = std::move(type);
    value.parts = std::move(parts);
    return value;
  }
  static Value optional(types::TypeRef type, Value inner, llvm::Value* present) {
    Value value;
    value.type = std::move(type);
    value.first = present;
    value.parts.push_back(std::move(inner));
    return value;
  }
};

}  // namespace weir::lower
