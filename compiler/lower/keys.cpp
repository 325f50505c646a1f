#include "compiler/lower/keys.h"

#include <optional>

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using types::Kind;
using types::Type;
using types::TypeRef;

namespace {

// Bytes that every value of the type takes at most; nothing if that depends on the value.
std::optional<std::uint64_t> fixed_size(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return 1;
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return 8;
    case Kind::kDecimal:
      return is_wide(type) ? 16 : 8;
    case Kind::kOptional:
      if (const auto inner = fixed_size(*type.element)) return 1 + *inner;
      return std::nullopt;
    case Kind::kRecord: {
      std::uint64_t sum = 0;
      for (const types::Field& field : type.fields) {
        const auto part = fixed_size(*field.type);
        if (!part) return std::nullopt;
        sum += *part;
      }
      return sum;
    }
    default:
      return std::nullopt;
  }
}

llvm::Value* size_bound(Emitter& e, const Value& value) {
  const Type& type = *value.type;
  if (const auto fixed = fixed_size(type)) return e.unit.constant(static_cast<std::int64_t>(*fixed));
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBytes:
      return e.ir.CreateAdd(e.second(value), e.unit.constant(4));
    case Kind::kOptional:
      // An absent value has zero bytes, so that its size counts for nothing.
      return e.ir.CreateAdd(size_bound(e, e.inner(value)), e.unit.constant(1));
    case Kind::kRecord: {
      llvm::Value* sum = e.unit.constant(0);
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        sum = e.ir.CreateAdd(sum, size_bound(e, e.field(value, static_cast<int>(i))));
      }
      return sum;
    }
    case Kind::kList:
    case Kind::kMap:
      return e.call("weir_key_size", e.unit.i64, {e.unit.descriptor(value.type), e.slot(value)});
    default:
      throw Unsupported("a key of type " + types::to_string(type));
  }
}

llvm::Value* put(Emitter& e, llvm::Value* at, const Value& value) {
  switch (value.type->kind) {
    case Kind::kBool:
      return e.call("weir_key_put_bool", e.unit.ptr, {at, e.ir.CreateZExt(e.first(value), e.unit.i32)});
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return e.call("weir_key_put_int", e.unit.ptr, {at, e.first(value)});
    case Kind::kDecimal:
      return e.call(is_wide(*value.type) ? "weir_key_put_i128" : "weir_key_put_int", e.unit.ptr,
                    {at, e.first(value)});
    case Kind::kString:
    case Kind::kBytes:
      return e.call("weir_key_put_string", e.unit.ptr, {at, e.first(value), e.second(value)});
    case Kind::kOptional: {
      llvm::Value* present = e.present(value);
      llvm::Value* inside =
          e.call("weir_key_put_bool", e.unit.ptr, {at, e.ir.CreateZExt(present, e.unit.i32)});
      llvm::BasicBlock* yes = e.block("present");
      llvm::BasicBlock* join = e.block("join");
      llvm::BasicBlock* before = e.ir.GetInsertBlock();
      e.ir.CreateCondBr(present, yes, join);
      e.at(yes);
      llvm::Value* end = put(e, inside, e.inner(value));
      llvm::BasicBlock* from_yes = e.ir.GetInsertBlock();
      e.ir.CreateBr(join);
      e.at(join);
      llvm::PHINode* result = e.ir.CreatePHI(e.unit.ptr, 2);
      result->addIncoming(inside, before);
      result->addIncoming(end, from_yes);
      return result;
    }
    case Kind::kRecord:
      for (std::size_t i = 0; i < value.type->fields.size(); ++i) {
        at = put(e, at, e.field(value, static_cast<int>(i)));
      }
      return at;
    case Kind::kList:
    case Kind::kMap:
      return e.call("weir_key_put", e.unit.ptr, {at, e.unit.descriptor(value.type), e.slot(value)});
    default:
      throw Unsupported("a key of type " + types::to_string(value.type));
  }
}

Value get(Emitter& e, llvm::Value*& at, const TypeRef& type) {
  const auto simple = [&](const char* helper, llvm::Type* slot) {
    llvm::Value* memory = e.frame(16, "key");
    at = e.call(helper, e.unit.ptr, {at, memory});
    return e.load(slot, memory);
  };
  switch (type->kind) {
    case Kind::kBool:
      return Value::scalar(type, e.ir.CreateICmpNE(simple("weir_key_get_bool", e.unit.i8), e.ir.getInt8(0)));
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::scalar(type, simple("weir_key_get_int", e.unit.i64));
    case Kind::kDecimal:
      return Value::scalar(type, is_wide(*type) ? simple("weir_key_get_i128", e.unit.i128)
                                                : simple("weir_key_get_int", e.unit.i64));
    case Kind::kString:
    case Kind::kBytes: {
      llvm::Value* memory = e.frame(16, "key");
      at = e.call("weir_key_get_string", e.unit.ptr, {at, memory});
      return e.loaded(Value::memory(type, memory));
    }
    case Kind::kRecord: {
      std::vector<Value> parts;
      for (const types::Field& field : type->fields) parts.push_back(get(e, at, field.type));
      return Value::record(type, std::move(parts));
    }
    case Kind::kOptional:
    case Kind::kList:
    case Kind::kMap: {
      llvm::Value* memory = e.frame(layout_of(*type).size, "key");
      at = e.call("weir_key_get", e.unit.ptr, {e.worker, at, e.unit.descriptor(type), memory});
      return e.loaded(Value::memory(type, memory));
    }
    default:
      throw Unsupported("a key of type " + types::to_string(type));
  }
}

}  // namespace

KeyBytes encode_key(Emitter& e, const std::vector<Value>& values) {
  std::uint64_t fixed = 0;
  llvm::Value* bound = nullptr;
  for (const Value& value : values) {
    if (const auto part = fixed_size(*value.type)) {
      fixed += *part;
    } else {
      llvm::Value* size = size_bound(e, value);
      bound = bound == nullptr ? size : e.ir.CreateAdd(bound, size);
    }
  }
  llvm::Value* data =
      bound == nullptr ? e.frame(fixed, "key")
                       : e.scratch(e.ir.CreateAdd(bound, e.unit.constant(static_cast<std::int64_t>(fixed))));
  llvm::Value* end = data;
  for (const Value& value : values) end = put(e, end, value);
  llvm::Value* size =
      e.ir.CreateSub(e.ir.CreatePtrToInt(end, e.unit.i64), e.ir.CreatePtrToInt(data, e.unit.i64));
  return {data, size};
}

std::vector<Value> decode_key(Emitter& e, llvm::Value* data, const std::vector<TypeRef>& types) {
  std::vector<Value> values;
  for (const TypeRef& type : types) values.push_back(get(e, data, type));
  return values;
}

}  // namespace weir::lower
