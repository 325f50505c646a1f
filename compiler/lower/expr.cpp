#include "compiler/lower/expr.h"

#include <llvm/IR/Constants.h>

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using flow::Op;
using types::Kind;

namespace {

Value emit_literal(Emitter& e, const Expr& expr) {
  const types::Type& type = *expr.type;
  const auto& value = expr.literal.value;
  if (std::holds_alternative<std::monostate>(value)) return e.zero(expr.type);
  switch (type.kind) {
    case Kind::kBool:
      return Value::scalar(expr.type, e.ir.getInt1(std::get<bool>(value)));
    case Kind::kInt:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return Value::scalar(expr.type, e.unit.constant(std::get<std::int64_t>(value)));
    case Kind::kFloat:
      return Value::scalar(expr.type, llvm::ConstantFP::get(e.unit.f64, std::get<double>(value)));
    case Kind::kDecimal: {
      llvm::ConstantInt* wide_value = e.unit.constant128(std::get<flow::Int128>(value));
      return narrow(e, expr.type, wide_value);
    }
    case Kind::kString:
    case Kind::kBytes: {
      const auto& text = std::get<std::string>(value);
      return Value::scalar(expr.type, e.unit.bytes(text),
                           e.unit.constant(static_cast<std::int64_t>(text.size())));
    }
    default:
      throw Unsupported("a literal of type " + types::to_string(type));
  }
}

Value emit_list(Emitter& e, const Expr& expr) {
  const types::TypeRef& element = expr.type->element;
  const std::uint64_t size = layout_of(*element).size;
  std::vector<Value> values;
  for (const flow::ExprRef& arg : expr.args) values.push_back(emit(e, *arg));
  if (values.empty()) return e.zero(expr.type);
  llvm::Value* memory = e.scratch(size * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) e.store(values[i], e.offset(memory, i * size));
  return Value::scalar(expr.type, memory, e.unit.constant(static_cast<std::int64_t>(values.size())));
}

Value emit_if(Emitter& e, const Expr& expr) {
  llvm::Value* condition = e.first(emit(e, *expr.args[0]));
  return e.choose(
      expr.type, condition, [&] { return emit(e, *expr.args[1]); }, [&] { return emit(e, *expr.args[2]); });
}

Value emit_logic(Emitter& e, const Expr& expr) {
  llvm::Value* left = e.first(emit(e, *expr.args[0]));
  const bool conjunction = expr.op == Op::kAnd;
  const Value known = Value::scalar(expr.type, e.ir.getInt1(!conjunction));
  const auto right = [&] { return emit(e, *expr.args[1]); };
  const auto decided = [&] { return known; };
  return conjunction ? e.choose(expr.type, left, right, decided) : e.choose(expr.type, left, decided, right);
}

Value emit_coalesce(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  const bool still_optional = expr.type->kind == Kind::kOptional;
  return e.choose(
      expr.type, e.present(value),
      [&] {
        return still_optional ? Value::optional(expr.type, e.inner(value), e.ir.getTrue()) : e.inner(value);
      },
      [&] { return emit(e, *expr.args[1]); });
}

Value emit_try(Emitter& e, const Expr& expr) {
  const Expr& tried = *expr.args[0];
  ErrorTarget target;
  target.block = e.block("caught");
  ErrorTarget* outer = e.errors;
  e.errors = &target;
  const Value value = emit(e, tried);
  e.errors = outer;

  llvm::BasicBlock* join = e.block("join");
  llvm::BasicBlock* good = e.ir.GetInsertBlock();
  e.ir.CreateBr(join);
  e.at(target.block);
  e.ir.CreateBr(join);
  e.at(join);
  const bool flat = tried.type->kind == Kind::kOptional;
  return e.merge(expr.type, flat ? value : e.some(expr.type, value), good, e.absent(expr.type), target.block);
}

Value emit_let(Emitter& e, const Expr& expr) {
  e.locals.insert_or_assign(expr.index, emit(e, *expr.args[0]));
  return emit(e, *expr.args[1]);
}

Value emit_record(Emitter& e, const Expr& expr) {
  std::vector<Value> parts;
  for (const flow::ExprRef& arg : expr.args) parts.push_back(emit(e, *arg));
  return Value::record(expr.type, std::move(parts));
}

Value emit_local(Emitter& e, const Expr& expr) {
  const auto found = e.locals.find(expr.index);
  if (found == e.locals.end()) throw Unsupported("a local without a value");
  return found->second;
}

Value emit_param(Emitter& e, const Expr& expr) {
  llvm::Value* params = e.load(e.unit.ptr, e.member(e.unit.worker, e.worker, 11), "params");
  llvm::Value* slot =
      e.load(e.unit.ptr, e.offset(params, 8u * static_cast<std::uint64_t>(expr.index)), "param");
  return Value::memory(expr.type, slot);
}

}  // namespace

Value emit(Emitter& e, const Expr& expr) {
  e.line(expr.span);
  switch (expr.op) {
    case Op::kLiteral:
      return emit_literal(e, expr);
    case Op::kRow:
      if (e.row == nullptr) throw Unsupported("a row in a function");
      return *e.row;
    case Op::kLocal:
      return emit_local(e, expr);
    case Op::kParam:
      return emit_param(e, expr);
    case Op::kMeta:
      if (!e.meta) throw Unsupported("`meta` behind a stateful operator");
      return e.meta();
    case Op::kField:
      return e.field(emit(e, *expr.args[0]), expr.index);
    case Op::kRecord:
      return emit_record(e, expr);
    case Op::kList:
      return emit_list(e, expr);
    case Op::kIf:
      return emit_if(e, expr);
    case Op::kLet:
      return emit_let(e, expr);
    case Op::kLambda:
      throw Unsupported("a lambda outside a call");
    case Op::kAnd:
    case Op::kOr:
      return emit_logic(e, expr);
    case Op::kNot:
      return Value::scalar(expr.type, e.ir.CreateNot(e.first(emit(e, *expr.args[0]))));
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
      return emit_comparison(e, expr);
    case Op::kNegate:
      return emit_negate(e, expr);
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
      return emit_arithmetic(e, expr);
    case Op::kConvert:
      return emit_convert(e, expr);
    case Op::kIsNull:
      return Value::scalar(expr.type, e.ir.CreateNot(e.present(emit(e, *expr.args[0]))));
    case Op::kUnwrap:
      return e.inner(emit(e, *expr.args[0]));
    case Op::kCoalesce:
      return emit_coalesce(e, expr);
    case Op::kTry:
      return emit_try(e, expr);
    case Op::kCall:
      return emit_call(e, expr);
    case Op::kCallFunction:
      return emit_call_function(e, expr);
    case Op::kCapture:
      throw Unsupported("`capture`");
  }
  throw Unsupported("an expression");
}

}  // namespace weir::lower
