// The close of a window: keys out of their canonical bytes, totals out of accumulators, the row on its way.
#include <llvm/IR/Constants.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/keys.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/stage.h"
#include "compiler/lower/unsupported.h"
#include "runtime/abi/abi.h"

namespace weir::lower {

using flow::AggregateKind;
using flow::Aggregation;
using types::Kind;
using types::TypeRef;

namespace {

// The result of a helper that writes 128 bits and returns a status.
llvm::Value* total(Emitter& e, const char* helper, std::vector<llvm::Value*> args,
                   const Aggregation& aggregation) {
  llvm::Value* result = e.frame(16, "total");
  args.push_back(result);
  llvm::Value* status = e.call(helper, e.unit.i32, args);
  const std::string what = aggregation.text.empty() ? aggregation.name : aggregation.text;
  e.fail_if(e.ir.CreateICmpNE(status, e.unit.constant32(0)), 5015,
            std::string(title_of(5015)) + ": `" + what + "`");
  return result;
}

Value finish_sum(Emitter& e, const Aggregation& aggregation, const Accumulator& part,
                 llvm::Value* accumulators) {
  const TypeRef& type = types::strip_optional(aggregation.result);
  llvm::Value* address = e.offset(accumulators, part.value);
  if (type->kind == Kind::kInt || type->kind == Kind::kDuration) {
    llvm::Value* sum = e.load(e.unit.i128, address);
    return Value::scalar(type, e.load(e.unit.i64, total(e, "weir_sum_to_int", {sum}, aggregation)));
  }
  if (part.sum == Accumulator::Sum::k128) return narrow(e, type, e.load(e.unit.i128, address));
  llvm::Value* precision = e.unit.constant32(static_cast<std::uint32_t>(type->precision));
  return narrow(e, type, e.load(e.unit.i128, total(e, "weir_sum256_get", {address, precision}, aggregation)));
}

// count > 0.
Value finish_average(Emitter& e, const Aggregation& aggregation, const Accumulator& part,
                     llvm::Value* accumulators, llvm::Value* count) {
  const TypeRef& type = types::strip_optional(aggregation.result);
  const types::Type& from = argument_type(aggregation);
  llvm::Value* address = e.offset(accumulators, part.value);
  llvm::Value* result = nullptr;
  if (from.kind == Kind::kInt) {
    result = total(e, "weir_avg_int", {e.load(e.unit.i128, address), count}, aggregation);
  } else {
    llvm::Value* from_scale = e.unit.constant32(static_cast<std::uint32_t>(from.scale));
    llvm::Value* to_scale = e.unit.constant32(static_cast<std::uint32_t>(type->scale));
    const bool small = part.sum == Accumulator::Sum::k128;
    result =
        total(e, small ? "weir_avg_i128" : "weir_avg_i256",
              {small ? e.load(e.unit.i128, address) : address, count, from_scale, to_scale}, aggregation);
  }
  return narrow(e, type, e.load(e.unit.i128, result));
}

Value finish(Emitter& e, const Aggregation& aggregation, const Accumulator& part, llvm::Value* accumulators) {
  const bool optional = aggregation.result->kind == Kind::kOptional;
  switch (aggregation.kind) {
    case AggregateKind::kCount:
      return Value::scalar(aggregation.result, e.load(e.unit.i64, e.offset(accumulators, part.value)));
    case AggregateKind::kSum:
      return finish_sum(e, aggregation, part, accumulators);
    case AggregateKind::kAvg: {
      llvm::Value* count = e.load(e.unit.i64, e.offset(accumulators, part.count));
      if (!optional) return finish_average(e, aggregation, part, accumulators, count);
      return e.choose(
          aggregation.result, e.ir.CreateICmpNE(count, e.unit.constant(0)),
          [&] {
            return e.some(aggregation.result, finish_average(e, aggregation, part, accumulators, count));
          },
          [&] { return e.absent(aggregation.result); });
    }
    case AggregateKind::kMin:
    case AggregateKind::kMax: {
      const TypeRef kept = types::optional(aggregation.argument->type);
      const Value value = e.loaded(Value::memory(kept, e.offset(accumulators, part.value)));
      if (!optional) return e.inner(value);
      return Value::optional(aggregation.result, e.inner(value), e.present(value));
    }
  }
  throw Unsupported("an aggregation");
}

}  // namespace

llvm::Function* emit_close_stage(Stages& shared, int index) {
  Unit& unit = shared.unit;
  const flow::Node& node = shared.graph.node(shared.graph.operators[static_cast<std::size_t>(index)]);
  const auto& op = std::get<flow::Aggregate>(node.op);
  const Accumulators& layout = shared.accumulators[static_cast<std::size_t>(index)];
  llvm::Function* function =
      unit.function("close." + shared.graph.operator_name(index),
                    llvm::FunctionType::get(unit.void_type, {unit.ptr, unit.i64, unit.ptr, unit.i64}, false));
  Stage stage(shared, function, node.span);
  Emitter& e = stage.e;
  e.worker = function->getArg(0);
  stage.input = llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(unit.ptr));
  stage.of_errors = shared.graph.of_errors[static_cast<std::size_t>(node.id)];
  llvm::Value* start = function->getArg(1);
  llvm::Value* rows = function->getArg(2);
  llvm::Value* end = nullptr;
  if (op.window) end = e.ir.CreateAdd(start, unit.constant(op.window->size));

  std::vector<TypeRef> key_types;
  for (const flow::Key& key : op.keys) key_types.push_back(key.value->type);

  e.loop(function->getArg(3), [&](llvm::Value* i) {
    llvm::Value* row = e.ir.CreateInBoundsGEP(
        unit.i8, rows, e.ir.CreateMul(i, unit.constant(static_cast<std::int64_t>(sizeof(weir_state_row)))));
    e.save(e.load(unit.ptr, e.member(unit.worker, e.worker, 6)), e.member(unit.worker, e.worker, 4));
    llvm::Value* accumulators = e.load(unit.ptr, e.offset(row, offsetof(weir_state_row, accumulators)));
    std::vector<Value> values = decode_key(e, e.load(unit.ptr, row), key_types);
    std::vector<types::Field> group_fields;
    for (std::size_t k = 0; k < values.size(); ++k) {
      group_fields.push_back({op.keys[k].name, op.keys[k].name, key_types[k]});
    }
    if (op.window) {
      const TypeRef window = types::window_record();
      values.push_back(Value::record(window, {Value::scalar(window->fields[0].type, start),
                                              Value::scalar(window->fields[1].type, end)}));
      group_fields.push_back({"window", "window", window});
    }
    // What a group that fails is shown as.
    const Value group = Value::record(types::record("", std::move(group_fields)), values);

    llvm::BasicBlock* after = e.block("row_done");
    stage.guarded(node.stage, node.id, group, after, nullptr, [&] {
      for (std::size_t k = 0; k < op.aggregations.size(); ++k) {
        e.line(op.aggregations[k].span);
        values.push_back(finish(e, op.aggregations[k], layout.parts[k], accumulators));
      }
      llvm::Value* time = end == nullptr ? nullptr : e.ir.CreateSub(end, unit.constant(1));
      stage.consumers(node.id, {Value::record(node.row, std::move(values)), time});
      e.ir.CreateBr(after);
    });
    e.at(after);
  });
  e.ir.CreateRetVoid();
  return function;
}

}  // namespace weir::lower
