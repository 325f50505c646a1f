// Emits the code of one LLVM function: values in registers and memory, calls, branches, record errors.
// What is emitted goes to the current insertion point of `ir`. One thread; lives while its function is emitted.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "compiler/flow/flow.h"
#include "compiler/lower/unit.h"
#include "compiler/lower/value.h"

namespace weir::lower {

// Where the code goes when an expression fails. `number` receives a site (in a stage) or a point (in a function of
// the program); null when nobody asks (inside `try`).
struct ErrorTarget {
  llvm::BasicBlock* block = nullptr;
  llvm::PHINode* number = nullptr;
  // Number of an error that stands in this target's code.
  std::function<std::uint32_t(int code, const std::string& message)> number_of;
  // Number for an error that a function of the program returned as a point: a value of the target's numbers.
  std::function<llvm::Value*(const FunctionInfo& callee, llvm::Value* point)> number_of_point;
};

class Emitter {
 public:
  // `function` has no blocks yet, or only those that the caller made.
  Emitter(Unit& unit, llvm::Function* function, source::Span span);

  Unit& unit;
  llvm::Function* function;
  llvm::IRBuilder<> ir;

  // Surroundings of expressions.
  llvm::Value* worker = nullptr;
  const Value* row = nullptr;
  std::unordered_map<int, Value> locals;
  std::function<Value()> meta;  // null where `meta` is not legal
  ErrorTarget* errors = nullptr;

  // ---- Blocks
  llvm::BasicBlock* block(const char* name);
  void at(llvm::BasicBlock* block) { ir.SetInsertPoint(block); }
  void line(source::Span span);
  // Room in the function's frame, made once however often the code at this point runs.
  llvm::AllocaInst* frame(llvm::Type* type, const char* name);
  llvm::Value* frame(std::uint64_t size, const char* name);  // 16-byte aligned bytes
  llvm::Value* frame_number(const char* name);               // an i64 that is 0 when the function begins
  void branch_unlikely(llvm::Value* condition, llvm::BasicBlock* unlikely, llvm::BasicBlock* likely);

  // ---- Record errors. Code continues on the good path.
  void fail_if(llvm::Value* condition, int code, const std::string& message);
  void fail(int code, const std::string& message);  // always; the rest of the block is not reached
  // `status` is 0 or one of `codes`, which only running tells; the message is the code's title and then `what`.
  void fail_with_status(llvm::Value* status, const std::vector<int>& codes, const std::string& what);

  // ---- Values
  Value field(const Value& record, int index);
  llvm::Value* present(const Value& optional);
  Value inner(const Value& optional);      // its value, whether present or not
  llvm::Value* first(const Value& value);  // loads a register from memory
  llvm::Value* second(const Value& value);
  Value zero(const types::TypeRef& type);  // zero bytes
  Value loaded(const Value& value);        // the same value entirely in registers
  Value absent(const types::TypeRef& optional);
  Value some(const types::TypeRef& optional, const Value& value);

  void leaves(const Value& value, std::vector<llvm::Value*>& out);
  Value from_leaves(const types::TypeRef& type, const std::vector<llvm::Value*>& leaves, std::size_t& next);

  // Phi of two values that arrive over two blocks, at the current (empty) block.
  Value merge(const types::TypeRef& type, const Value& a, llvm::BasicBlock* from_a, const Value& b,
              llvm::BasicBlock* from_b);

  // The value of `then` where `condition` holds, else that of `other`; each evaluated in its own branch only.
  Value choose(const types::TypeRef& type, llvm::Value* condition, const std::function<Value()>& then,
               const std::function<Value()>& other);

  void store(const Value& value, llvm::Value* address);
  llvm::Value* slot(const Value& value);  // address of a slot with the value
  llvm::Value* offset(llvm::Value* address, std::uint64_t bytes);
  llvm::Value* load(llvm::Type* type, llvm::Value* address, const char* name = "");
  void save(llvm::Value* value, llvm::Value* address);
  llvm::Value* member(llvm::StructType* type, llvm::Value* address, unsigned index);  // address of it

  // ---- Calls
  llvm::Value* call(const char* name, llvm::Type* result, const std::vector<llvm::Value*>& args);
  // Room in the worker's scratch arena, 16-byte aligned.
  llvm::Value* scratch(llvm::Value* size);
  llvm::Value* scratch(std::uint64_t size);

  // for (index = 0; index < count; ++index) body(index). The code continues after the loop; the returned block is
  // where `break` goes (the continuation).
  void loop(llvm::Value* count, const std::function<void(llvm::Value* index)>& body);

 private:
  llvm::BasicBlock* entry_;
};

// ": `text`" of an expression, or nothing; and "title: `text`" of a record error there.
std::string quoted(const flow::Expr& expr);
// The timestamps that there are, in microseconds.
inline constexpr std::int64_t time_min = -62'135'596'800'000'000;  // 0001-01-01T00:00:00Z
inline constexpr std::int64_t time_max = 253'402'300'799'999'999;  // 9999-12-31T23:59:59.999999Z

std::string message_of(int code, const flow::Expr& expr);
const char* title_of(int code);

}  // namespace weir::lower
