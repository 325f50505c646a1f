// Calls: native functions of the library through the convention of abi.h, and functions of the program.
#include <llvm/IR/Constants.h>

#include "compiler/catalog/functions.h"
#include "compiler/lower/expr.h"
#include "compiler/lower/intrinsic.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using types::Kind;

namespace {

void pass_argument(Emitter& e, const Value& value, std::vector<llvm::Value*>& args) {
  switch (value.type->kind) {
    case Kind::kBool:
      args.push_back(e.ir.CreateZExt(e.first(value), e.unit.i32));
      return;
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
      args.push_back(e.first(value));
      args.push_back(e.second(value));
      return;
    case Kind::kOptional:
    case Kind::kRecord:
      args.push_back(e.slot(value));
      return;
    default:
      args.push_back(e.first(value));
  }
}

}  // namespace

Value call_native(Emitter& e, const Expr& expr, const char* symbol, const std::vector<int>& fails,
                  const std::unordered_map<std::size_t, int>& constants) {
  std::vector<llvm::Value*> args = {e.worker, nullptr};
  std::vector<Value> values(expr.args.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!constants.contains(i)) values[i] = emit(e, *expr.args[i]);
  }
  e.line(expr.span);
  llvm::Value* slot = e.frame(layout_of(*expr.type).size, "result");
  args[1] = slot;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto constant = constants.find(i);
    if (constant == constants.end()) {
      pass_argument(e, values[i], args);
    } else if (constant->second >= 0) {
      args.push_back(e.unit.constant32(static_cast<std::uint32_t>(constant->second)));
    }
  }
  const bool fallible = !fails.empty();
  llvm::Value* status = e.call(symbol, fallible ? e.unit.i32 : e.unit.void_type, args);
  if (fallible) e.fail_with_status(status, fails, quoted(expr));
  return e.loaded(Value::memory(expr.type, slot));
}

Value emit_call(Emitter& e, const Expr& expr) {
  std::vector<types::TypeRef> types;
  for (const flow::ExprRef& arg : expr.args) types.push_back(arg->type);
  const catalog::Signature* signature = catalog::Functions::library().overload(expr.name, types);
  if (signature != nullptr && signature->implementation == catalog::Implementation::native) {
    return call_native(e, expr, signature->symbol.c_str(), signature->fails);
  }
  Value result;
  if (emit_intrinsic(e, expr, result)) return result;
  throw Unsupported("the function `" + expr.name + "`");
}

Value emit_call_function(Emitter& e, const Expr& expr) {
  const FunctionInfo& callee = e.unit.functions()[static_cast<std::size_t>(expr.index)];
  std::vector<llvm::Value*> args = {e.worker};
  std::vector<Value> values;
  for (const flow::ExprRef& arg : expr.args) values.push_back(emit(e, *arg));
  for (const Value& value : values) {
    if (value.type->kind == Kind::kRecord) {
      args.push_back(e.slot(value));
    } else {
      e.leaves(value, args);
    }
  }
  e.line(expr.span);
  llvm::CallInst* returned = e.ir.CreateCall(callee.function->getFunctionType(), callee.function, args);
  if (!callee.points.empty()) {
    llvm::Value* status = e.ir.CreateExtractValue(returned, 0);  // 0, or a point + 1
    llvm::BasicBlock* bad = e.block("failed");
    llvm::BasicBlock* good = e.block("ok");
    e.branch_unlikely(e.ir.CreateICmpNE(status, e.unit.constant32(0)), bad, good);
    e.at(bad);
    if (e.errors->number != nullptr) {
      llvm::Value* number = e.errors->number_of_point(callee, e.ir.CreateSub(status, e.unit.constant32(1)));
      e.errors->number->addIncoming(number, e.ir.GetInsertBlock());
    }
    e.ir.CreateBr(e.errors->block);
    e.at(good);
  }
  std::vector<llvm::Value*> list;
  const unsigned count = llvm::cast<llvm::StructType>(returned->getType())->getNumElements();
  for (unsigned i = 1; i < count; ++i) list.push_back(e.ir.CreateExtractValue(returned, i));
  std::size_t next = 0;
  return e.from_leaves(expr.type, list, next);
}

}  // namespace weir::lower
