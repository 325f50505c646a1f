// Lists and maps. Lambdas are emitted in place, as the body of a loop.
#include <llvm/IR/Constants.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/intrinsic.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::Expr;
using types::Kind;
using types::TypeRef;

namespace {

std::uint64_t element_size(const types::Type& type) {
  return type.kind == Kind::kMap ? map_entry_layout(type).size : layout_of(*type.element).size;
}

llvm::Value* element_address(Emitter& e, llvm::Value* data, llvm::Value* index, std::uint64_t size) {
  return e.ir.CreateInBoundsGEP(e.unit.i8, data,
                                e.ir.CreateMul(index, e.unit.constant(static_cast<std::int64_t>(size))));
}

// The lambda's body with its parameters bound.
Value apply(Emitter& e, const Expr& lambda, const std::vector<Value>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    e.locals.insert_or_assign(lambda.locals[i], arguments[i]);
  return emit(e, *lambda.args[0]);
}

Value length(Emitter& e, const Expr& expr) {
  return Value::scalar(expr.type, e.second(emit(e, *expr.args[0])));
}

// at(list, index), from 0: 5013 outside.
Value at(Emitter& e, const Expr& expr) {
  const Value list = emit(e, *expr.args[0]);
  llvm::Value* index = e.first(emit(e, *expr.args[1]));
  e.line(expr.span);
  e.fail_if(e.ir.CreateICmpUGE(index, e.second(list)), 5013, message_of(5013, expr));
  return Value::memory(expr.type, element_address(e, e.first(list), index, element_size(*list.type)));
}

// get(map, key) -> T?
Value get(Emitter& e, const Expr& expr) {
  const Value map = emit(e, *expr.args[0]);
  const Value key = emit(e, *expr.args[1]);
  e.line(expr.span);
  llvm::Value* found = e.call(
      "weir_map_find", e.unit.ptr,
      {e.first(map), e.second(map), e.unit.constant32(static_cast<std::uint32_t>(element_size(*map.type))),
       e.unit.constant32(static_cast<std::uint32_t>(map_value_offset(*map.type))), e.first(key),
       e.second(key)});
  if (map.type->element->kind == Kind::kOptional) {
    return e.choose(
        expr.type, e.ir.CreateIsNull(found), [&] { return e.absent(expr.type); },
        [&] { return e.loaded(Value::memory(expr.type, found)); });
  }
  return e.choose(
      expr.type, e.ir.CreateIsNull(found), [&] { return e.absent(expr.type); },
      [&] { return e.some(expr.type, e.loaded(Value::memory(map.type->element, found))); });
}

Value first_or_last(Emitter& e, const Expr& expr, bool last) {
  const Value list = emit(e, *expr.args[0]);
  llvm::Value* count = e.second(list);
  llvm::Value* index =
      last ? e.ir.CreateSub(count, e.unit.constant(1)) : static_cast<llvm::Value*>(e.unit.constant(0));
  const TypeRef& element = list.type->element;
  return e.choose(
      expr.type, e.ir.CreateICmpEQ(count, e.unit.constant(0)), [&] { return e.absent(expr.type); },
      [&] {
        const Value value = e.loaded(
            Value::memory(element, element_address(e, e.first(list), index, element_size(*list.type))));
        return element->kind == Kind::kOptional ? value : e.some(expr.type, value);
      });
}

Value first(Emitter& e, const Expr& expr) {
  return first_or_last(e, expr, false);
}
Value last(Emitter& e, const Expr& expr) {
  return first_or_last(e, expr, true);
}

Value contains(Emitter& e, const Expr& expr) {
  const Value list = emit(e, *expr.args[0]);
  const Value wanted = emit(e, *expr.args[1]);
  e.line(expr.span);
  if (list.type->kind == Kind::kMap) {
    llvm::Value* found = e.call("weir_map_find", e.unit.ptr,
                                {e.first(list), e.second(list),
                                 e.unit.constant32(static_cast<std::uint32_t>(element_size(*list.type))),
                                 e.unit.constant32(static_cast<std::uint32_t>(map_value_offset(*list.type))),
                                 e.first(wanted), e.second(wanted)});
    return Value::scalar(expr.type, e.ir.CreateIsNotNull(found));
  }
  llvm::Value* result = e.frame(e.unit.i8, "found");
  e.save(e.ir.getInt8(0), result);
  llvm::Value* data = e.first(list);
  e.loop(e.second(list), [&](llvm::Value* index) {
    const Value element =
        Value::memory(list.type->element, element_address(e, data, index, element_size(*list.type)));
    llvm::Value* same = e.ir.CreateZExt(equal_values(e, element, wanted), e.unit.i8);
    e.save(e.ir.CreateOr(e.load(e.unit.i8, result), same), result);
  });
  return Value::scalar(expr.type, e.ir.CreateICmpNE(e.load(e.unit.i8, result), e.ir.getInt8(0)));
}

// The arguments of a function that takes a list and a lambda over one element.
struct Each {
  Value list;
  const Expr* lambda;
  llvm::Value* data;
  llvm::Value* count;
  std::uint64_t size;
};

Each each(Emitter& e, const Expr& expr) {
  const Value list = emit(e, *expr.args[0]);
  e.line(expr.span);
  return {list, expr.args[1].get(), e.first(list), e.second(list), element_size(*list.type)};
}

Value element_of(Emitter& e, const Each& over, llvm::Value* index) {
  return Value::memory(over.list.type->element, element_address(e, over.data, index, over.size));
}

// map(list, x => y): every element is evaluated, in order.
Value map(Emitter& e, const Expr& expr) {
  const Each over = each(e, expr);
  const TypeRef& type = expr.type->element;
  const std::uint64_t size = layout_of(*type).size;
  llvm::Value* out = e.scratch(e.ir.CreateMul(over.count, e.unit.constant(static_cast<std::int64_t>(size))));
  e.loop(over.count, [&](llvm::Value* index) {
    e.store(apply(e, *over.lambda, {element_of(e, over, index)}), element_address(e, out, index, size));
  });
  return Value::scalar(expr.type, out, over.count);
}

Value filter(Emitter& e, const Expr& expr) {
  const Each over = each(e, expr);
  llvm::Value* out =
      e.scratch(e.ir.CreateMul(over.count, e.unit.constant(static_cast<std::int64_t>(over.size))));
  llvm::Value* kept = e.frame(e.unit.i64, "kept");
  e.save(e.unit.constant(0), kept);
  e.loop(over.count, [&](llvm::Value* index) {
    const Value element = element_of(e, over, index);
    llvm::Value* keep = e.first(apply(e, *over.lambda, {element}));
    llvm::BasicBlock* copy = e.block("keep");
    llvm::BasicBlock* after = e.block("filtered");
    e.ir.CreateCondBr(keep, copy, after);
    e.at(copy);
    llvm::Value* place = e.load(e.unit.i64, kept);
    e.store(element, element_address(e, out, place, over.size));
    e.save(e.ir.CreateAdd(place, e.unit.constant(1)), kept);
    e.ir.CreateBr(after);
    e.at(after);
  });
  return Value::scalar(expr.type, out, e.load(e.unit.i64, kept));
}

// any, all, count over a condition. Every element is evaluated, so that an error does not depend on the others.
template <typename Combine>
llvm::Value* accumulate(Emitter& e, const Expr& expr, std::int64_t start, const Combine& combine) {
  const Each over = each(e, expr);
  llvm::Value* result = e.frame(e.unit.i64, "result");
  e.save(e.unit.constant(start), result);
  e.loop(over.count, [&](llvm::Value* index) {
    llvm::Value* holds =
        e.ir.CreateZExt(e.first(apply(e, *over.lambda, {element_of(e, over, index)})), e.unit.i64);
    e.save(combine(e.load(e.unit.i64, result), holds), result);
  });
  return e.load(e.unit.i64, result);
}

Value any(Emitter& e, const Expr& expr) {
  llvm::Value* result =
      accumulate(e, expr, 0, [&](llvm::Value* a, llvm::Value* b) { return e.ir.CreateOr(a, b); });
  return Value::scalar(expr.type, e.ir.CreateICmpNE(result, e.unit.constant(0)));
}

Value all(Emitter& e, const Expr& expr) {
  llvm::Value* result =
      accumulate(e, expr, 1, [&](llvm::Value* a, llvm::Value* b) { return e.ir.CreateAnd(a, b); });
  return Value::scalar(expr.type, e.ir.CreateICmpNE(result, e.unit.constant(0)));
}

// keys(map), values(map): in the order of the keys' bytes.
Value column(Emitter& e, const Expr& expr, bool keys) {
  const Value map = emit(e, *expr.args[0]);
  e.line(expr.span);
  const TypeRef& type = expr.type->element;
  const std::uint64_t size = layout_of(*type).size;
  llvm::Value* data = e.first(map);
  llvm::Value* count = e.second(map);
  llvm::Value* out = e.scratch(e.ir.CreateMul(count, e.unit.constant(static_cast<std::int64_t>(size))));
  const std::uint64_t offset = keys ? 0 : map_value_offset(*map.type);
  e.loop(count, [&](llvm::Value* index) {
    llvm::Value* entry = element_address(e, data, index, element_size(*map.type));
    e.store(e.loaded(Value::memory(type, e.offset(entry, offset))), element_address(e, out, index, size));
  });
  return Value::scalar(expr.type, out, count);
}

Value keys(Emitter& e, const Expr& expr) {
  return column(e, expr, true);
}
Value values(Emitter& e, const Expr& expr) {
  return column(e, expr, false);
}

}  // namespace

const Intrinsics& list_intrinsics() {
  static const Intrinsics table = {
      {"at", at},         {"get", get},     {"has", contains}, {"contains", contains}, {"length", length},
      {"map", map},       {"any", any},     {"all", all},      {"filter", filter},     {"keys", keys},
      {"values", values}, {"first", first}, {"last", last},
  };
  return table;
}

}  // namespace weir::lower
