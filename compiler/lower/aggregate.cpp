// Aggregates up to the state: the late test, keys and arguments, the exchange, the update of accumulators.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

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

const flow::Aggregate& operation(const Graph& graph, int index) {
  return std::get<flow::Aggregate>(graph.node(graph.operators[static_cast<std::size_t>(index)]).op);
}

// ---- Late records

// Counts the record once, and gives the source row to the consumers of `on late to`.
void divert(Stage& stage, int index, llvm::BasicBlock* after) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  if (stage.elements) {
    // A record is late once for an operator, however many elements it has.
    llvm::Value*& flag = stage.elements->diverted[index];
    if (flag == nullptr) flag = e.frame(unit.i8, "diverted_here");
    llvm::BasicBlock* now = e.block("divert");
    e.ir.CreateCondBr(e.ir.CreateICmpEQ(e.load(unit.i8, flag), e.ir.getInt8(0)), now, after);
    e.at(now);
    e.save(e.ir.getInt8(1), flag);
  }
  const Carried& carried = *stage.carried;
  llvm::Value* counted = e.load(unit.i8, carried.diverted);
  llvm::Value* counters = e.load(unit.ptr, e.member(unit.worker, e.worker, 10), "counters");
  llvm::Value* late =
      e.offset(counters, sizeof(weir_source_counters) * static_cast<std::uint64_t>(carried.source) +
                             offsetof(weir_source_counters, late));
  llvm::Value* first = e.ir.CreateZExt(e.ir.CreateXor(counted, e.ir.getInt8(1)), unit.i64);
  e.save(e.ir.CreateAdd(e.load(unit.i64, late), first), late);
  e.save(e.ir.getInt8(1), carried.diverted);
  if (llvm::Function* function = stage.shared.late[static_cast<std::size_t>(carried.source)]) {
    llvm::Value* behind = e.ir.CreateSub(carried.progress, carried.time);
    e.ir.CreateCall(function, {e.worker, stage.input, carried.frame, behind, carried.position});
  }
  e.ir.CreateBr(after);
}

// ---- Rows for another worker

// Addresses of the strings in an argument record, with whether each is there (null: always).
struct TextPlace {
  std::uint64_t offset = 0;
  Value value;
  llvm::Value* present = nullptr;
};

std::vector<TextPlace> text_places(Emitter& e, const Value& arguments) {
  std::vector<TextPlace> places;
  for (std::size_t i = 0; i < arguments.type->fields.size(); ++i) {
    const Value part = e.field(arguments, static_cast<int>(i));
    const bool optional = part.type->kind == Kind::kOptional;
    const Value value = optional ? e.inner(part) : part;
    const Kind kind = value.type->kind;
    if (kind != Kind::kString && kind != Kind::kBytes) continue;
    places.push_back(
        {field_offset(*arguments.type, static_cast<int>(i)), value, optional ? e.present(part) : nullptr});
  }
  return places;
}

llvm::Value* aligned8(Emitter& e, llvm::Value* size) {
  return e.ir.CreateAnd(e.ir.CreateAdd(size, e.unit.constant(7)), e.unit.constant(-8));
}

void send(Stage& stage, int index, const KeyBytes& key, llvm::Value* hash, llvm::Value* start,
          const Value& arguments, llvm::Value* workers) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  const std::uint64_t header = sizeof(weir_exchange_row);
  const std::uint64_t arguments_size = layout_of(*arguments.type).size;
  llvm::Value* arguments_at =
      e.ir.CreateAdd(aligned8(e, key.size), unit.constant(static_cast<std::int64_t>(header)));
  llvm::Value* texts_at =
      e.ir.CreateAdd(arguments_at, unit.constant(static_cast<std::int64_t>(align_up(arguments_size, 8))));
  llvm::Value* size = texts_at;
  const std::vector<TextPlace> texts = text_places(e, arguments);
  for (const TextPlace& text : texts) size = e.ir.CreateAdd(size, e.second(text.value));
  size = aligned8(e, size);

  llvm::Value* group = e.ir.CreateLShr(hash, 54);
  llvm::Value* owner = e.ir.CreateLShr(e.ir.CreateMul(group, e.ir.CreateZExt(workers, unit.i64)), 10);
  llvm::Value* exchanges = e.load(unit.ptr, e.member(unit.worker, e.worker, 8), "exchanges");
  llvm::Value* place =
      e.ir.CreateAdd(e.ir.CreateMul(e.ir.CreateZExt(workers, unit.i64), unit.constant(index)), owner);
  llvm::Value* buffer = e.ir.CreateInBoundsGEP(unit.buffer, exchanges, place);
  llvm::Value* current = e.load(unit.ptr, e.member(unit.buffer, buffer, 0), "current");
  llvm::Value* end = e.load(unit.ptr, e.member(unit.buffer, buffer, 1), "end");
  llvm::Value* room =
      e.ir.CreateSub(e.ir.CreatePtrToInt(end, unit.i64), e.ir.CreatePtrToInt(current, unit.i64));
  llvm::BasicBlock* grow = e.block("grow");
  llvm::BasicBlock* write = e.block("write");
  llvm::BasicBlock* before = e.ir.GetInsertBlock();
  e.branch_unlikely(e.ir.CreateICmpULT(room, size), grow, write);
  e.at(grow);
  llvm::Value* fresh = e.call("weir_exchange_reserve", unit.ptr,
                              {e.worker, unit.constant32(static_cast<std::uint32_t>(index)),
                               e.ir.CreateTrunc(owner, unit.i32), size});
  e.ir.CreateBr(write);
  e.at(write);
  llvm::PHINode* row = e.ir.CreatePHI(unit.ptr, 2, "row");
  row->addIncoming(current, before);
  row->addIncoming(fresh, grow);

  const auto narrow32 = [&](llvm::Value* value) { return e.ir.CreateTrunc(value, unit.i32); };
  e.save(narrow32(size), e.offset(row, offsetof(weir_exchange_row, size)));
  e.save(narrow32(key.size), e.offset(row, offsetof(weir_exchange_row, key_size)));
  e.save(hash, e.offset(row, offsetof(weir_exchange_row, hash)));
  e.save(start, e.offset(row, offsetof(weir_exchange_row, window_start)));
  e.save(narrow32(arguments_at), e.offset(row, offsetof(weir_exchange_row, args_offset)));
  e.save(unit.constant32(0), e.offset(row, offsetof(weir_exchange_row, reserved)));
  e.ir.CreateMemCpy(e.offset(row, header), llvm::Align(8), key.data, llvm::Align(1), key.size);
  llvm::Value* slots = e.ir.CreateInBoundsGEP(unit.i8, row, arguments_at);
  e.store(arguments, slots);
  llvm::Value* at = texts_at;
  for (const TextPlace& text : texts) {
    llvm::Value* bytes = e.second(text.value);
    e.ir.CreateMemCpy(e.ir.CreateInBoundsGEP(unit.i8, row, at), llvm::Align(1), e.first(text.value),
                      llvm::Align(1), bytes);
    e.save(at, e.offset(slots, text.offset));  // an offset from the row's begin instead of a pointer
    at = e.ir.CreateAdd(at, bytes);
  }
  e.save(e.ir.CreateInBoundsGEP(unit.i8, row, size), e.member(unit.buffer, buffer, 0));
  llvm::Value* rows = e.member(unit.buffer, buffer, 3);
  e.save(e.ir.CreateAdd(e.load(unit.i64, rows), unit.constant(1)), rows);
}

// ---- Updates

// The code of an update stands where most rows come by, and once more for everyone else.
enum class Path { kHot, kCold };

llvm::Value* table_of(Emitter& e, int index) {
  llvm::Value* tables = e.load(e.unit.ptr, e.member(e.unit.worker, e.worker, 9), "tables");
  return e.load(e.unit.ptr, e.offset(tables, 8u * static_cast<std::uint64_t>(index)), "table");
}

void apply(Stages& shared, Emitter& e, int index, llvm::Value* start, llvm::Value* hash, llvm::Value* key,
           llvm::Value* key_size, const Value& arguments, Path path) {
  std::vector<llvm::Value*> args = {e.worker, table_of(e, index), start, hash, key, key_size};
  e.leaves(arguments, args);
  llvm::CallInst* call = e.ir.CreateCall(shared.updates[static_cast<std::size_t>(index)], args);
  call->addFnAttr(path == Path::kHot ? llvm::Attribute::AlwaysInline : llvm::Attribute::NoInline);
}

// ---- The ring of rows that wait. An entry: window start, hash, size of the key, the key, the arguments.
constexpr std::uint64_t ring_size = 8;     // a power of two
constexpr std::uint64_t longest_key = 64;  // of a row that may wait
constexpr std::uint64_t key_at = 32;
constexpr std::uint64_t arguments_at = key_at + longest_key;

std::uint64_t entry_size(const Accumulators& layout) {
  return align_up(arguments_at + layout_of(*layout.arguments).size, 16);
}

llvm::Value* entry_at(Emitter& e, const Waiting& waiting, const Accumulators& layout, llvm::Value* number) {
  llvm::Value* place = e.ir.CreateAnd(number, e.unit.constant(ring_size - 1));
  return e.ir.CreateInBoundsGEP(
      e.unit.i8, waiting.ring,
      e.ir.CreateMul(place, e.unit.constant(static_cast<std::int64_t>(entry_size(layout)))));
}

void apply_entry(Stages& shared, Emitter& e, const Waiting& waiting, llvm::Value* entry, Path path) {
  const Accumulators& layout = shared.accumulators[static_cast<std::size_t>(waiting.index)];
  apply(shared, e, waiting.index, e.load(e.unit.i64, entry), e.load(e.unit.i64, e.offset(entry, 8)),
        e.offset(entry, key_at), e.load(e.unit.i64, e.offset(entry, 16)),
        e.loaded(Value::memory(layout.arguments, e.offset(entry, arguments_at))), path);
}

// Puts the row into the ring; the oldest one leaves it.
void wait(Stage& stage, int index, llvm::Value* start, llvm::Value* hash, const KeyBytes& key,
          const Value& arguments) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  const Accumulators& layout = stage.shared.accumulators[static_cast<std::size_t>(index)];
  const Waiting waiting{index, e.frame(ring_size * entry_size(layout), "ring"), e.frame_number("ring_taken")};
  stage.waiting.push_back(waiting);

  llvm::Value* taken = e.load(unit.i64, waiting.taken);
  llvm::Value* entry = entry_at(e, waiting, layout, taken);
  llvm::BasicBlock* full = e.block("ring_full");
  llvm::BasicBlock* put = e.block("ring_put");
  e.ir.CreateCondBr(e.ir.CreateICmpUGE(taken, unit.constant(ring_size)), full, put);
  e.at(full);
  apply_entry(stage.shared, e, waiting, entry, Path::kHot);
  llvm::Value* middle = entry_at(e, waiting, layout, e.ir.CreateAdd(taken, unit.constant(ring_size / 2)));
  e.call("weir_table_prefetch_row", unit.void_type,
         {table_of(e, index), e.load(unit.i64, middle), e.load(unit.i64, e.offset(middle, 8))});
  e.ir.CreateBr(put);
  e.at(put);
  e.save(start, entry);
  e.save(hash, e.offset(entry, 8));
  e.save(key.size, e.offset(entry, 16));
  e.ir.CreateMemCpy(e.offset(entry, key_at), llvm::Align(16), key.data, llvm::Align(1), key.size);
  e.store(arguments, e.offset(entry, arguments_at));
  e.save(e.ir.CreateAdd(taken, unit.constant(1)), waiting.taken);
  e.call("weir_table_prefetch", unit.void_type, {table_of(e, index), start, hash});
}

bool has_text(const types::Type& type) {
  if (type.kind == Kind::kOptional) return has_text(*type.element);
  if (type.kind == Kind::kString || type.kind == Kind::kBytes) return true;
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const types::Field& field) { return has_text(*field.type); });
}

llvm::Value* sum_added(Emitter& e, llvm::Value* sum, llvm::Value* number, llvm::Value* active) {
  llvm::Value* added = number->getType() == e.unit.i128 ? number : e.ir.CreateSExt(number, e.unit.i128);
  if (active != nullptr) added = e.ir.CreateSelect(active, added, e.unit.constant128(0));
  return e.ir.CreateAdd(sum, added);
}

void add_count(Emitter& e, llvm::Value* address, llvm::Value* active) {
  llvm::Value* one =
      active == nullptr ? static_cast<llvm::Value*>(e.unit.constant(1)) : e.ir.CreateZExt(active, e.unit.i64);
  e.save(e.ir.CreateAdd(e.load(e.unit.i64, address), one), address);
}

void add_sum(Emitter& e, const Accumulator& part, llvm::Value* accumulators, const Value& value,
             llvm::Value* active) {
  llvm::Value* address = e.offset(accumulators, part.value);
  if (part.sum == Accumulator::Sum::k128) {
    e.save(sum_added(e, e.load(e.unit.i128, address), e.first(value), active), address);
    return;
  }
  llvm::Value* number = wide(e, value);
  if (active != nullptr) number = e.ir.CreateSelect(active, number, e.unit.constant128(0));
  e.call("weir_sum256_add", e.unit.void_type, {address, number});
}

// Floats order totally by their bits here, so that the result never depends on the order of rows.
llvm::Value* extreme_order(Emitter& e, llvm::Value* number) {
  llvm::Value* bits = e.ir.CreateBitCast(number, e.unit.i64);
  llvm::Value* flip = e.ir.CreateLShr(e.ir.CreateAShr(bits, 63), 1);
  return e.ir.CreateXor(bits, flip);
}

void keep_extreme(Emitter& e, const Accumulator& part, llvm::Value* accumulators, llvm::Value* table,
                  const Value& value, llvm::Value* active, bool smallest) {
  const TypeRef kept = types::optional(value.type);
  llvm::Value* address = e.offset(accumulators, part.value);
  const Value current = Value::memory(kept, address);
  llvm::BasicBlock* replace = e.block("replace");
  llvm::BasicBlock* after = e.block("kept");
  if (active != nullptr) {
    llvm::BasicBlock* consider = e.block("consider");
    e.ir.CreateCondBr(active, consider, after);
    e.at(consider);
  }
  llvm::BasicBlock* compare = e.block("compare");
  e.ir.CreateCondBr(e.present(current), compare, replace);
  e.at(compare);
  const Value old = e.loaded(e.inner(current));
  llvm::Value* better = nullptr;
  if (value.type->kind == Kind::kFloat) {
    llvm::Value* a = extreme_order(e, e.first(value));
    llvm::Value* b = extreme_order(e, e.first(old));
    better = smallest ? e.ir.CreateICmpSLT(a, b) : e.ir.CreateICmpSGT(a, b);
  } else {
    better = smallest ? less_values(e, value, old) : less_values(e, old, value);
  }
  e.ir.CreateCondBr(better, replace, after);
  e.at(replace);
  Value fresh = value;
  if (value.type->kind == Kind::kString || value.type->kind == Kind::kBytes) {
    llvm::Value* own = e.call("weir_table_keep", e.unit.str, {table, e.first(value), e.second(value)});
    fresh = Value::scalar(value.type, e.ir.CreateExtractValue(own, 0), e.ir.CreateExtractValue(own, 1));
  }
  e.store(e.some(kept, fresh), address);
  e.ir.CreateBr(after);
  e.at(after);
}

void update(Emitter& e, const Aggregation& aggregation, const Accumulator& part, llvm::Value* accumulators,
            llvm::Value* table, const Value& arguments) {
  llvm::Value* active = nullptr;
  Value value;
  if (part.argument >= 0) {
    value = e.field(arguments, part.argument);
    if (aggregation.where != nullptr) {
      active = e.first(value);  // a bool, or whether the argument is there
      if (aggregation.argument != nullptr) value = e.inner(value);
    }
  }
  switch (aggregation.kind) {
    case AggregateKind::kCount:
      return add_count(e, e.offset(accumulators, part.value), active);
    case AggregateKind::kSum:
      return add_sum(e, part, accumulators, value, active);
    case AggregateKind::kAvg:
      add_sum(e, part, accumulators, value, active);
      return add_count(e, e.offset(accumulators, part.count), active);
    case AggregateKind::kMin:
    case AggregateKind::kMax:
      return keep_extreme(e, part, accumulators, table, value, active,
                          aggregation.kind == AggregateKind::kMin);
  }
}

// What a row brings: keys were evaluated before; conditions and arguments in written order.
Value evaluate_arguments(Emitter& e, const flow::Aggregate& op, const Accumulators& layout) {
  std::vector<Value> parts;
  for (const Aggregation& aggregation : op.aggregations) {
    if (aggregation.where == nullptr) {
      if (aggregation.argument != nullptr) parts.push_back(emit(e, *aggregation.argument));
      continue;
    }
    llvm::Value* condition = e.first(emit(e, *aggregation.where));
    if (aggregation.argument == nullptr) {
      parts.push_back(Value::scalar(types::boolean(), condition));
      continue;
    }
    const TypeRef type = types::optional(aggregation.argument->type);
    parts.push_back(e.choose(
        type, condition, [&] { return e.some(type, emit(e, *aggregation.argument)); },
        [&] { return e.absent(type); }));
  }
  return Value::record(layout.arguments, std::move(parts));
}

}  // namespace

void emit_aggregate(Stage& stage, const flow::Node& node, const flow::Aggregate& op, const Row& row,
                    llvm::BasicBlock* after) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  const int index = stage.graph.number[static_cast<std::size_t>(node.id)];
  const Accumulators& layout = stage.shared.accumulators[static_cast<std::size_t>(index)];

  llvm::Value* start = unit.constant(0);
  if (op.window) {
    if (row.time == nullptr) throw Unsupported("a window over rows without time");
    start = e.call("weir_window_start", unit.i64,
                   {row.time, unit.constant(op.window->size), unit.constant(op.window->offset)});
    llvm::Value* end = e.ir.CreateAdd(start, unit.constant(op.window->size));
    if (stage.carried && stage.carried->progress != nullptr) {
      llvm::BasicBlock* late = e.block("late");
      llvm::BasicBlock* in_time = e.block("in_time");
      e.branch_unlikely(e.ir.CreateICmpSLE(end, stage.carried->progress), late, in_time);
      e.at(late);
      if (stage.elements && stage.elements->look)
        e.ir.CreateBr(after);
      else
        divert(stage, index, after);
      e.at(in_time);
    }
    e.line(node.span);
    e.fail_if(e.ir.CreateOr(e.ir.CreateICmpSLT(start, unit.constant(time_min)),
                            e.ir.CreateICmpSGT(end, unit.constant(time_max))),
              5010, "the window begins before the year 0001 or ends after 9999");
  }

  std::vector<Value> keys;
  for (const flow::Key& key : op.keys) keys.push_back(emit(e, *key.value));
  const Value arguments = evaluate_arguments(e, op, layout);
  if (stage.elements && stage.elements->look) {
    e.ir.CreateBr(after);
    return;
  }
  e.line(node.span);
  const KeyBytes key = encode_key(e, keys);
  llvm::Value* hash = e.call("weir_hash", unit.i64, {key.data, key.size});

  llvm::Value* workers = e.load(unit.i32, e.member(unit.worker, e.worker, 1), "workers");
  llvm::BasicBlock* here = e.block("apply");
  llvm::BasicBlock* elsewhere = e.block("send");
  e.ir.CreateCondBr(e.ir.CreateICmpEQ(workers, unit.constant32(1)), here, elsewhere);
  e.at(here);
  // Texts live as long as their record: rows with texts are applied at once, and so are those with long keys.
  const bool may_wait = stage.carried && !has_text(*layout.arguments);
  if (may_wait) {
    llvm::BasicBlock* at_once = e.block("at_once");
    llvm::BasicBlock* later = e.block("later");
    e.branch_unlikely(e.ir.CreateICmpUGT(key.size, unit.constant(longest_key)), at_once, later);
    e.at(later);
    wait(stage, index, start, hash, key, arguments);
    e.ir.CreateBr(after);
    e.at(at_once);
  }
  apply(stage.shared, e, index, start, hash, key.data, key.size, arguments,
        may_wait ? Path::kCold : Path::kHot);
  e.ir.CreateBr(after);
  e.at(elsewhere);
  send(stage, index, key, hash, start, arguments, workers);
  e.ir.CreateBr(after);
}

void empty_rings(Stage& stage) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  for (const Waiting& waiting : stage.waiting) {
    const Accumulators& layout = stage.shared.accumulators[static_cast<std::size_t>(waiting.index)];
    llvm::Value* taken = e.load(unit.i64, waiting.taken);
    llvm::Value* held = e.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, taken, unit.constant(ring_size));
    llvm::Value* first = e.ir.CreateSub(taken, held);
    e.loop(held, [&](llvm::Value* i) {
      apply_entry(stage.shared, e, waiting, entry_at(e, waiting, layout, e.ir.CreateAdd(first, i)),
                  Path::kCold);
    });
  }
}

llvm::Function* declare_update(Stages& shared, int index) {
  Unit& unit = shared.unit;
  std::vector<llvm::Type*> parameters = {unit.ptr, unit.ptr, unit.i64, unit.i64, unit.ptr, unit.i64};
  const Accumulators& layout = shared.accumulators[static_cast<std::size_t>(index)];
  for (llvm::Type* leaf : unit.leaf_types(*layout.arguments)) parameters.push_back(leaf);
  llvm::Function* function = unit.function("update." + shared.graph.operator_name(index),
                                           llvm::FunctionType::get(unit.void_type, parameters, false));
  return function;
}

// (worker, table, window start, hash, key, key size, arguments…)
void emit_update(Stages& shared, int index) {
  Unit& unit = shared.unit;
  const flow::Aggregate& op = operation(shared.graph, index);
  const Accumulators& layout = shared.accumulators[static_cast<std::size_t>(index)];
  llvm::Function* function = shared.updates[static_cast<std::size_t>(index)];
  Emitter e(unit, function, shared.graph.node(shared.graph.operators[static_cast<std::size_t>(index)]).span);
  e.worker = function->getArg(0);
  llvm::Value* table = function->getArg(1);
  std::vector<llvm::Value*> list;
  for (unsigned i = 6; i < function->arg_size(); ++i) list.push_back(function->getArg(i));
  std::size_t next = 0;
  const Value arguments = e.from_leaves(layout.arguments, list, next);

  llvm::Value* accumulators =
      e.call("weir_table_upsert", unit.ptr,
             {table, function->getArg(2), function->getArg(3), function->getArg(4), function->getArg(5)});
  for (std::size_t i = 0; i < op.aggregations.size(); ++i) {
    e.line(op.aggregations[i].span);
    update(e, op.aggregations[i], layout.parts[i], accumulators, table, arguments);
  }
  llvm::Value* rows = e.offset(e.load(unit.ptr, e.member(unit.worker, e.worker, 12), "rows"),
                               8u * static_cast<std::uint64_t>(index));
  e.save(e.ir.CreateAdd(e.load(unit.i64, rows), unit.constant(1)), rows);
  e.ir.CreateRetVoid();
}

llvm::Function* emit_batch_stage(Stages& shared, int index) {
  Unit& unit = shared.unit;
  const Accumulators& layout = shared.accumulators[static_cast<std::size_t>(index)];
  llvm::Function* function =
      unit.function("batch." + shared.graph.operator_name(index),
                    llvm::FunctionType::get(unit.void_type, {unit.ptr, unit.ptr, unit.i64, unit.i64}, false));
  Emitter e(unit, function, shared.graph.node(shared.graph.operators[static_cast<std::size_t>(index)]).span);
  e.worker = function->getArg(0);
  llvm::Value* cursor = e.frame(unit.ptr, "cursor");
  e.save(function->getArg(1), cursor);
  e.loop(function->getArg(3), [&](llvm::Value*) {
    llvm::Value* row = e.load(unit.ptr, cursor, "row");
    const auto field32 = [&](std::uint64_t at) {
      return e.ir.CreateZExt(e.load(unit.i32, e.offset(row, at)), unit.i64);
    };
    e.save(e.ir.CreateInBoundsGEP(unit.i8, row, field32(offsetof(weir_exchange_row, size))), cursor);
    llvm::Value* slots =
        e.ir.CreateInBoundsGEP(unit.i8, row, field32(offsetof(weir_exchange_row, args_offset)));
    Value arguments = e.loaded(Value::memory(layout.arguments, slots));
    const auto relocate = [&](Value& text) {
      text.first = e.ir.CreateInBoundsGEP(unit.i8, row, e.ir.CreatePtrToInt(text.first, unit.i64));
    };
    for (Value& part : arguments.parts) {
      Value& value = part.type->kind == Kind::kOptional ? part.parts[0] : part;
      if (value.type->kind == Kind::kString || value.type->kind == Kind::kBytes) relocate(value);
    }
    apply(shared, e, index, e.load(unit.i64, e.offset(row, offsetof(weir_exchange_row, window_start))),
          e.load(unit.i64, e.offset(row, offsetof(weir_exchange_row, hash))),
          e.offset(row, sizeof(weir_exchange_row)), field32(offsetof(weir_exchange_row, key_size)), arguments,
          Path::kHot);
  });
  e.ir.CreateRetVoid();
  return function;
}

}  // namespace weir::lower
