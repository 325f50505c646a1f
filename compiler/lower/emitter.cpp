#include "compiler/lower/emitter.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using types::Kind;
using types::Type;
using types::TypeRef;

Emitter::Emitter(Unit& u, llvm::Function* f, source::Span span) : unit(u), function(f), ir(u.context()) {
  if (f->getSubprogram() == nullptr) unit.attach_scope(f, span);
  entry_ = llvm::BasicBlock::Create(u.context(), "entry", f);
  llvm::BasicBlock* start = llvm::BasicBlock::Create(u.context(), "start", f);
  ir.SetInsertPoint(entry_);
  ir.SetCurrentDebugLocation(unit.location(f, span));
  ir.CreateBr(start);
  ir.SetInsertPoint(start);
}

llvm::BasicBlock* Emitter::block(const char* name) {
  return llvm::BasicBlock::Create(unit.context(), name, function);
}

void Emitter::line(source::Span span) {
  if (span.is_known()) ir.SetCurrentDebugLocation(unit.location(function, span));
}

llvm::AllocaInst* Emitter::frame(llvm::Type* type, const char* name) {
  llvm::IRBuilder<> entry(entry_, entry_->begin());
  return entry.CreateAlloca(type, nullptr, name);
}

llvm::Value* Emitter::frame(std::uint64_t size, const char* name) {
  llvm::AllocaInst* result = frame(llvm::ArrayType::get(unit.i8, size == 0 ? 1 : size), name);
  result->setAlignment(llvm::Align(16));
  return result;
}

llvm::Value* Emitter::frame_number(const char* name) {
  llvm::AllocaInst* result = frame(unit.i64, name);
  llvm::IRBuilder<>(entry_->getTerminator()).CreateStore(unit.constant(0), result);
  return result;
}

void Emitter::branch_unlikely(llvm::Value* condition, llvm::BasicBlock* unlikely, llvm::BasicBlock* likely) {
  ir.CreateCondBr(condition, unlikely, likely, llvm::MDBuilder(unit.context()).createUnlikelyBranchWeights());
}

// ---- Record errors

void Emitter::fail_if(llvm::Value* condition, int code, const std::string& message) {
  llvm::BasicBlock* good = block("ok");
  if (errors->number != nullptr) {
    errors->number->addIncoming(unit.constant32(errors->number_of(code, message)), ir.GetInsertBlock());
  }
  branch_unlikely(condition, errors->block, good);
  at(good);
}

void Emitter::fail(int code, const std::string& message) {
  fail_if(ir.getTrue(), code, message);
}

void Emitter::fail_with_status(llvm::Value* status, const std::vector<int>& codes, const std::string& what) {
  llvm::BasicBlock* bad = block("failed");
  llvm::BasicBlock* good = block("ok");
  branch_unlikely(ir.CreateICmpNE(status, unit.constant32(0)), bad, good);
  at(bad);
  if (errors->number != nullptr) {
    llvm::Value* number = unit.constant32(errors->number_of(codes.back(), title_of(codes.back()) + what));
    for (std::size_t i = 0; i + 1 < codes.size(); ++i) {
      const std::uint32_t other = errors->number_of(codes[i], title_of(codes[i]) + what);
      number = ir.CreateSelect(ir.CreateICmpEQ(status, unit.constant32(static_cast<std::uint32_t>(codes[i]))),
                               unit.constant32(other), number);
    }
    errors->number->addIncoming(number, ir.GetInsertBlock());
  }
  ir.CreateBr(errors->block);
  at(good);
}

// ---- Values

namespace {

bool has_second(Kind kind) {
  return kind == Kind::kString || kind == Kind::kBytes || kind == Kind::kList || kind == Kind::kMap;
}

}  // namespace

llvm::Value* Emitter::offset(llvm::Value* address, std::uint64_t bytes) {
  return bytes == 0 ? address : ir.CreateConstInBoundsGEP1_64(unit.i8, address, bytes);
}

llvm::Value* Emitter::load(llvm::Type* type, llvm::Value* address, const char* name) {
  // Slots of 128 bits stand at 16-byte borders in frames, but rows of an exchange keep 8 only.
  return ir.CreateAlignedLoad(type, address,
                              llvm::Align(type == unit.i8    ? 1
                                          : type == unit.i32 ? 4
                                                             : 8),
                              name);
}

void Emitter::save(llvm::Value* value, llvm::Value* address) {
  llvm::Type* type = value->getType();
  ir.CreateAlignedStore(value, address, llvm::Align(type == unit.i8 ? 1 : type == unit.i32 ? 4 : 8));
}

llvm::Value* Emitter::member(llvm::StructType* type, llvm::Value* address, unsigned index) {
  return ir.CreateStructGEP(type, address, index);
}

Value Emitter::field(const Value& record, int index) {
  const auto i = static_cast<std::size_t>(index);
  if (!record.in_memory()) return record.parts[i];
  return Value::memory(record.type->fields[i].type,
                       offset(record.address, field_offset(*record.type, index)));
}

llvm::Value* Emitter::present(const Value& optional) {
  if (!optional.in_memory()) return optional.first;
  llvm::Value* byte = load(unit.i8, offset(optional.address, presence_offset(*optional.type)), "present");
  return ir.CreateICmpNE(byte, llvm::ConstantInt::get(unit.i8, 0));
}

Value Emitter::inner(const Value& optional) {
  if (!optional.in_memory()) return optional.parts[0];
  return Value::memory(optional.type->element, optional.address);
}

llvm::Value* Emitter::first(const Value& value) {
  if (value.type->kind == Kind::kOptional) return present(value);
  if (!value.in_memory()) return value.first;
  if (value.type->kind == Kind::kBool) {
    return ir.CreateICmpNE(load(unit.i8, value.address), llvm::ConstantInt::get(unit.i8, 0));
  }
  return load(unit.register_type(*value.type), value.address);
}

llvm::Value* Emitter::second(const Value& value) {
  if (!value.in_memory()) return value.second;
  return load(unit.i64, offset(value.address, 8));
}

Value Emitter::zero(const TypeRef& type) {
  if (type->kind == Kind::kRecord) {
    std::vector<Value> parts;
    for (const types::Field& part : type->fields) parts.push_back(zero(part.type));
    return Value::record(type, std::move(parts));
  }
  if (type->kind == Kind::kOptional) return Value::optional(type, zero(type->element), ir.getFalse());
  llvm::Value* register_zero = llvm::Constant::getNullValue(unit.register_type(*type));
  return Value::scalar(type, register_zero, has_second(type->kind) ? unit.constant(0) : nullptr);
}

Value Emitter::loaded(const Value& value) {
  switch (value.type->kind) {
    case Kind::kRecord: {
      std::vector<Value> parts;
      for (std::size_t i = 0; i < value.type->fields.size(); ++i) {
        parts.push_back(loaded(field(value, static_cast<int>(i))));
      }
      return Value::record(value.type, std::move(parts));
    }
    case Kind::kOptional:
      return Value::optional(value.type, loaded(inner(value)), present(value));
    default:
      if (!value.in_memory()) return value;
      return Value::scalar(value.type, first(value), has_second(value.type->kind) ? second(value) : nullptr);
  }
}

Value Emitter::absent(const TypeRef& optional) {
  return zero(optional);
}

Value Emitter::some(const TypeRef& optional, const Value& value) {
  return Value::optional(optional, value, ir.getTrue());
}

void Emitter::leaves(const Value& value, std::vector<llvm::Value*>& out) {
  switch (value.type->kind) {
    case Kind::kRecord:
      for (std::size_t i = 0; i < value.type->fields.size(); ++i)
        leaves(field(value, static_cast<int>(i)), out);
      return;
    case Kind::kOptional:
      leaves(inner(value), out);
      out.push_back(present(value));
      return;
    default:
      out.push_back(first(value));
      if (has_second(value.type->kind)) out.push_back(second(value));
  }
}

Value Emitter::from_leaves(const TypeRef& type, const std::vector<llvm::Value*>& list, std::size_t& next) {
  switch (type->kind) {
    case Kind::kRecord: {
      std::vector<Value> parts;
      for (const types::Field& part : type->fields) parts.push_back(from_leaves(part.type, list, next));
      return Value::record(type, std::move(parts));
    }
    case Kind::kOptional: {
      Value value = from_leaves(type->element, list, next);
      return Value::optional(type, std::move(value), list[next++]);
    }
    default: {
      llvm::Value* one = list[next++];
      return Value::scalar(type, one, has_second(type->kind) ? list[next++] : nullptr);
    }
  }
}

Value Emitter::merge(const TypeRef& type, const Value& a, llvm::BasicBlock* from_a, const Value& b,
                     llvm::BasicBlock* from_b) {
  std::vector<llvm::Value*> of_a;
  std::vector<llvm::Value*> of_b;
  llvm::BasicBlock* here = ir.GetInsertBlock();
  at(from_a);
  ir.SetInsertPoint(from_a->getTerminator());
  leaves(a, of_a);
  ir.SetInsertPoint(from_b->getTerminator());
  leaves(b, of_b);
  at(here);
  std::vector<llvm::Value*> merged;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    llvm::PHINode* phi = ir.CreatePHI(of_a[i]->getType(), 2);
    phi->addIncoming(of_a[i], from_a);
    phi->addIncoming(of_b[i], from_b);
    merged.push_back(phi);
  }
  std::size_t next = 0;
  return from_leaves(type, merged, next);
}

Value Emitter::choose(const TypeRef& type, llvm::Value* condition, const std::function<Value()>& then,
                      const std::function<Value()>& other) {
  llvm::BasicBlock* yes = block("then");
  llvm::BasicBlock* no = block("else");
  llvm::BasicBlock* join = block("join");
  ir.CreateCondBr(condition, yes, no);
  at(yes);
  const Value a = then();
  llvm::BasicBlock* from_a = ir.GetInsertBlock();
  ir.CreateBr(join);
  at(no);
  const Value b = other();
  llvm::BasicBlock* from_b = ir.GetInsertBlock();
  ir.CreateBr(join);
  at(join);
  return merge(type, a, from_a, b, from_b);
}

void Emitter::store(const Value& value, llvm::Value* address) {
  const Type& type = *value.type;
  if (value.in_memory() && (type.kind == Kind::kRecord || type.kind == Kind::kOptional)) {
    ir.CreateMemCpy(address, llvm::Align(8 < layout_of(type).align ? 8 : layout_of(type).align),
                    value.address, llvm::Align(8 < layout_of(type).align ? 8 : layout_of(type).align),
                    layout_of(type).size);
    return;
  }
  switch (type.kind) {
    case Kind::kRecord: {
      const std::vector<std::uint64_t> offsets = field_offsets(type);
      for (std::size_t i = 0; i < value.parts.size(); ++i) store(value.parts[i], offset(address, offsets[i]));
      return;
    }
    case Kind::kOptional:
      store(value.parts[0], address);
      save(ir.CreateZExt(value.first, unit.i8), offset(address, presence_offset(type)));
      return;
    case Kind::kBool:
      save(ir.CreateZExt(first(value), unit.i8), address);
      return;
    default:
      save(first(value), address);
      if (has_second(type.kind)) save(second(value), offset(address, 8));
  }
}

llvm::Value* Emitter::slot(const Value& value) {
  if (value.in_memory()) return value.address;
  llvm::Value* address = frame(layout_of(*value.type).size, "slot");
  store(value, address);
  return address;
}

// ---- Calls

// C on x86-64 passes a 128-bit integer in two registers, and as a whole in memory where fewer than two of the six are left.
// Clang writes the former as two 64-bit parameters; calls must agree with it, or helpers are never inlined.
llvm::Value* Emitter::call(const char* name, llvm::Type* result, const std::vector<llvm::Value*>& args) {
  constexpr unsigned registers = 6;
  std::vector<llvm::Value*> passed;
  unsigned used = 0;
  for (llvm::Value* arg : args) {
    if (arg->getType() == unit.i128 && used + 2 <= registers) {
      passed.push_back(ir.CreateTrunc(arg, unit.i64));
      passed.push_back(ir.CreateTrunc(ir.CreateLShr(arg, 64), unit.i64));
      used += 2;
      continue;
    }
    passed.push_back(arg);
    if (arg->getType() != unit.f64 && arg->getType() != unit.i128 && used < registers) ++used;
  }
  std::vector<llvm::Type*> parameters;
  for (llvm::Value* arg : passed) parameters.push_back(arg->getType());
  llvm::Type* returned =
      result == unit.i128 ? llvm::StructType::get(unit.context(), {unit.i64, unit.i64}) : result;
  llvm::CallInst* made =
      ir.CreateCall(unit.external(name, llvm::FunctionType::get(returned, parameters, false)), passed);
  if (result != unit.i128) return made;
  llvm::Value* low = ir.CreateZExt(ir.CreateExtractValue(made, 0), unit.i128);
  llvm::Value* high = ir.CreateZExt(ir.CreateExtractValue(made, 1), unit.i128);
  return ir.CreateOr(low, ir.CreateShl(high, 64));
}

llvm::Value* Emitter::scratch(llvm::Value* size) {
  return call("weir_scratch_take", unit.ptr, {worker, size});
}
llvm::Value* Emitter::scratch(std::uint64_t size) {
  return scratch(unit.constant(static_cast<std::int64_t>(size)));
}

void Emitter::loop(llvm::Value* count, const std::function<void(llvm::Value* index)>& body) {
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* head = block("loop");
  llvm::BasicBlock* inside = block("body");
  llvm::BasicBlock* after = block("after");
  ir.CreateBr(head);
  at(head);
  llvm::PHINode* index = ir.CreatePHI(unit.i64, 2, "index");
  index->addIncoming(unit.constant(0), before);
  ir.CreateCondBr(ir.CreateICmpULT(index, count), inside, after);
  at(inside);
  body(index);
  index->addIncoming(ir.CreateNUWAdd(index, unit.constant(1)), ir.GetInsertBlock());
  ir.CreateBr(head);
  at(after);
}

// ---- Messages

const char* title_of(int code) {
  switch (code) {
#define WEIR_RECORD_ERROR(number, identifier, title, explanation) \
  case number:                                                    \
    return title;
#include "runtime/abi/record_errors.def"
#undef WEIR_RECORD_ERROR
    default:
      return "record error";
  }
}

std::string quoted(const flow::Expr& expr) {
  return expr.text.empty() ? "" : ": `" + expr.text + "`";
}

std::string message_of(int code, const flow::Expr& expr) {
  return title_of(code) + quoted(expr);
}

}  // namespace weir::lower
