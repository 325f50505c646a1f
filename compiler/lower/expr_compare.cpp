// Comparisons. Strings compare by bytes; two absent values are equal.
#include "compiler/lower/expr.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using flow::Op;
using types::Kind;

namespace {

llvm::Value* compare_numbers(Emitter& e, const Value& a, const Value& b, llvm::CmpInst::Predicate integers,
                             llvm::CmpInst::Predicate floats) {
  if (a.type->kind == Kind::kFloat) return e.ir.CreateFCmp(floats, e.first(a), e.first(b));
  llvm::Value* left = e.first(a);
  llvm::Value* right = e.first(b);
  if (left->getType() != right->getType()) {
    left = wide(e, a);
    right = wide(e, b);
  }
  return e.ir.CreateICmp(integers, left, right);
}

bool is_text(Kind kind) {
  return kind == Kind::kString || kind == Kind::kBytes;
}

llvm::Value* compare_texts(Emitter& e, const Value& a, const Value& b) {
  return e.call("weir_string_compare", e.unit.i32, {e.first(a), e.second(a), e.first(b), e.second(b)});
}

llvm::Value* equal_records(Emitter& e, const Value& a, const Value& b) {
  llvm::Value* result = e.ir.getTrue();
  for (std::size_t i = 0; i < a.type->fields.size(); ++i) {
    const int index = static_cast<int>(i);
    result = e.ir.CreateAnd(result, equal_values(e, e.field(a, index), e.field(b, index)));
  }
  return result;
}

llvm::Value* equal_optionals(Emitter& e, const Value& a, const Value& b) {
  llvm::Value* has_a = e.present(a);
  llvm::Value* has_b = e.present(b);
  llvm::BasicBlock* both = e.block("both");
  llvm::BasicBlock* join = e.block("join");
  llvm::Value* neither = e.ir.CreateNot(e.ir.CreateOr(has_a, has_b));
  llvm::BasicBlock* before = e.ir.GetInsertBlock();
  e.ir.CreateCondBr(e.ir.CreateAnd(has_a, has_b), both, join);
  e.at(both);
  llvm::Value* same = equal_values(e, e.inner(a), e.inner(b));
  llvm::BasicBlock* from_both = e.ir.GetInsertBlock();
  e.ir.CreateBr(join);
  e.at(join);
  llvm::PHINode* result = e.ir.CreatePHI(e.unit.i1, 2);
  result->addIncoming(neither, before);
  result->addIncoming(same, from_both);
  return result;
}

}  // namespace

llvm::Value* equal_values(Emitter& e, const Value& a, const Value& b) {
  switch (a.type->kind) {
    case Kind::kString:
    case Kind::kBytes:
      return e.ir.CreateICmpNE(
          e.call("weir_string_equal", e.unit.i32, {e.first(a), e.second(a), e.first(b), e.second(b)}),
          e.unit.constant32(0));
    case Kind::kOptional:
      return equal_optionals(e, a, b);
    case Kind::kRecord:
      return equal_records(e, a, b);
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kDecimal:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return compare_numbers(e, a, b, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::FCMP_OEQ);
    case Kind::kList:
    case Kind::kMap:
    case Kind::kError:
    case Kind::kNull:
      break;
  }
  throw Unsupported("a comparison of " + types::to_string(a.type));
}

llvm::Value* less_values(Emitter& e, const Value& a, const Value& b) {
  if (is_text(a.type->kind)) return e.ir.CreateICmpSLT(compare_texts(e, a, b), e.unit.constant32(0));
  if (a.type->kind == Kind::kBool) return e.ir.CreateICmpULT(e.first(a), e.first(b));
  return compare_numbers(e, a, b, llvm::CmpInst::ICMP_SLT, llvm::CmpInst::FCMP_OLT);
}

Value emit_comparison(Emitter& e, const Expr& expr) {
  const Value a = emit(e, *expr.args[0]);
  const Value b = emit(e, *expr.args[1]);
  const auto result = [&](llvm::Value* value) { return Value::scalar(expr.type, value); };
  switch (expr.op) {
    case Op::kEqual:
      return result(equal_values(e, a, b));
    case Op::kNotEqual:
      return result(e.ir.CreateNot(equal_values(e, a, b)));
    case Op::kLess:
      return result(less_values(e, a, b));
    case Op::kGreater:
      return result(less_values(e, b, a));
    // For floats `a <= b` is not `not b < a`: both are false where one is not a number.
    case Op::kLessEqual:
      return result(a.type->kind == Kind::kFloat ? e.ir.CreateFCmpOLE(e.first(a), e.first(b))
                                                 : e.ir.CreateNot(less_values(e, b, a)));
    case Op::kGreaterEqual:
      return result(a.type->kind == Kind::kFloat ? e.ir.CreateFCmpOGE(e.first(a), e.first(b))
                                                 : e.ir.CreateNot(less_values(e, a, b)));
    default:
      throw Unsupported("a comparison");
  }
}

}  // namespace weir::lower
