#include "compiler/lower/function.h"

#include <algorithm>
#include <unordered_map>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lower/expr.h"

namespace weir::lower {

using types::Kind;

namespace {

FunctionInfo emit_function(Unit& unit, const flow::Function& source) {
  FunctionInfo info;
  std::vector<llvm::Type*> results = {unit.i32};
  std::vector<llvm::Type*> parameters = {unit.ptr};
  for (llvm::Type* type : unit.leaf_types(*source.result)) results.push_back(type);
  for (const types::TypeRef& type : source.parameter_types) {
    if (type->kind == Kind::kRecord) {
      parameters.push_back(unit.ptr);
    } else {
      for (llvm::Type* leaf : unit.leaf_types(*type)) parameters.push_back(leaf);
    }
  }

  llvm::StructType* result = llvm::StructType::get(unit.context(), results);
  info.function = unit.function("fn." + source.name, llvm::FunctionType::get(result, parameters, false));
  Emitter e(unit, info.function, source.span);
  e.worker = info.function->getArg(0);
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 1; i < info.function->arg_size(); ++i) arguments.push_back(info.function->getArg(i));
  std::size_t next = 0;
  for (std::size_t i = 0; i < source.parameter_types.size(); ++i) {
    const types::TypeRef& type = source.parameter_types[i];
    e.locals.insert_or_assign(static_cast<int>(i), type->kind == Kind::kRecord
                                                       ? Value::memory(type, arguments[next++])
                                                       : e.from_leaves(type, arguments, next));
  }

  ErrorTarget target;
  target.block = e.block("failed");
  llvm::IRBuilder<> failed(target.block);
  target.number = failed.CreatePHI(unit.i32, 0, "point");
  target.number_of = [&](int code, const std::string& message) {
    const std::uint32_t point = unit.point(code, message);
    info.points.push_back(point);
    return point;
  };
  target.number_of_point = [&](const FunctionInfo& callee, llvm::Value* point) {
    info.points.insert(info.points.end(), callee.points.begin(), callee.points.end());
    return point;
  };
  e.errors = &target;
  const Value value = emit(e, *source.body);

  std::vector<llvm::Value*> list;
  e.leaves(value, list);
  llvm::Value* returned = llvm::PoisonValue::get(result);
  returned = e.ir.CreateInsertValue(returned, unit.constant32(0), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    returned = e.ir.CreateInsertValue(returned, list[i], static_cast<unsigned>(i + 1));
  }
  e.ir.CreateRet(returned);

  e.at(target.block);
  if (target.number->getNumIncomingValues() == 0) {
    target.number->eraseFromParent();
    e.ir.CreateUnreachable();
  } else {
    llvm::Value* status = e.ir.CreateAdd(target.number, unit.constant32(1));
    e.ir.CreateRet(e.ir.CreateInsertValue(llvm::Constant::getNullValue(result), status, 0));
  }
  std::sort(info.points.begin(), info.points.end());
  info.points.erase(std::unique(info.points.begin(), info.points.end()), info.points.end());
  return info;
}

// A function of more instructions than this, with all that is copied into it, stays a call. Without a bound a chain of
// functions would be copied again at every link of it.
constexpr unsigned longest_copied = 400;

// The instructions of a function once those that it calls are copied into it; `sizes` has the functions before it.
unsigned size_when_copied(const llvm::Function& function,
                          const std::unordered_map<const llvm::Function*, unsigned>& sizes) {
  unsigned size = function.getInstructionCount();
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr) continue;
      const auto known = sizes.find(call->getCalledFunction());
      if (known != sizes.end() && known->second <= longest_copied) size += known->second;
    }
  }
  return size;
}

}  // namespace

void emit_functions(Unit& unit) {
  std::unordered_map<const llvm::Function*, unsigned> sizes;
  for (const flow::Function& function : unit.program().functions) {
    unit.functions().push_back(emit_function(unit, function));
    llvm::Function* emitted = unit.functions().back().function;
    const unsigned size = size_when_copied(*emitted, sizes);
    sizes.emplace(emitted, size);
    if (size > longest_copied) emitted->addFnAttr(llvm::Attribute::NoInline);
  }
}

}  // namespace weir::lower
