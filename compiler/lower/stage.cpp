#include "compiler/lower/stage.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/text_out.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::NodeId;
using types::Kind;

Stage::Stage(Stages& s, llvm::Function* function, source::Span span)
    : shared(s), unit(s.unit), graph(s.graph), e(s.unit, function, span) {}

void Stage::consumers(NodeId id, const Row& row) {
  for (NodeId consumer : graph.consumers[static_cast<std::size_t>(id)]) branch(id, consumer, row);
}

void Stage::branch(NodeId from, NodeId to, const Row& row) {
  if (!elements || graph.consumers[static_cast<std::size_t>(from)].size() == 1) return node(to, row);
  // Where the stream divides, each branch fails by itself.
  llvm::Value*& failed = elements->branches[{from, to}];
  if (failed == nullptr) failed = e.frame(unit.i8, "failed");
  llvm::BasicBlock* enter = e.block("branch");
  llvm::BasicBlock* after = e.block("branch_done");
  e.ir.CreateCondBr(e.ir.CreateICmpEQ(e.load(unit.i8, failed), e.ir.getInt8(0)), enter, after);
  e.at(enter);
  elements->path.push_back(failed);
  node(to, row);
  elements->path.pop_back();
  e.ir.CreateBr(after);
  e.at(after);
}

void Stage::node(NodeId id, const Row& row) {
  const flow::Node& n = graph.node(id);
  e.line(n.span);
  llvm::BasicBlock* after = e.block("next");
  e.row = &row.value;
  guarded(n.stage, id, row.value, after, nullptr, [&] {
    if (const auto* op = std::get_if<flow::Where>(&n.op)) {
      where(n, *op, row, after);
    } else if (const auto* project_op = std::get_if<flow::Project>(&n.op)) {
      project(n, *project_op, row, after);
    } else if (const auto* flatten_op = std::get_if<flow::Flatten>(&n.op)) {
      flatten(n, *flatten_op, row, after);
    } else if (const auto* aggregate = std::get_if<flow::Aggregate>(&n.op)) {
      emit_aggregate(*this, n, *aggregate, row, after);
    } else if (const auto* sink = std::get_if<flow::Sink>(&n.op)) {
      emit_sink(*this, n, *sink, row);
      e.ir.CreateBr(after);
    } else {
      throw Unsupported("a source as a consumer");
    }
  });
  e.at(after);
}

void Stage::where(const flow::Node& n, const flow::Where& op, const Row& row, llvm::BasicBlock* after) {
  llvm::BasicBlock* pass = e.block("pass");
  e.ir.CreateCondBr(e.first(emit(e, *op.condition)), pass, after);
  e.at(pass);
  consumers(n.id, row);
  e.ir.CreateBr(after);
}

void Stage::project(const flow::Node& n, const flow::Project& op, const Row& row, llvm::BasicBlock* after) {
  std::vector<Value> values;
  for (const flow::ExprRef& value : op.values) values.push_back(emit(e, *value));
  consumers(n.id, {Value::record(n.row, std::move(values)), row.time});
  e.ir.CreateBr(after);
}

void Stage::flatten(const flow::Node& n, const flow::Flatten& op, const Row& row, llvm::BasicBlock* after) {
  const Value list = e.loaded(emit(e, *op.value));
  if (elements) {
    each_element(n, list, row);
    e.ir.CreateBr(after);
    return;
  }
  // The flags are known after the loops are emitted, and cleared before them.
  llvm::BasicBlock* clear = e.block("clear");
  llvm::BasicBlock* begin = e.block("elements");
  e.ir.CreateBr(clear);
  e.at(begin);
  elements.emplace();
  llvm::Value* failed = e.frame(unit.i8, "failed");
  elements->path.push_back(failed);
  if (can_fail(n.id)) {
    elements->look = true;
    each_element(n, list, row);
    report_failures();
    elements->look = false;
    elements->looked = true;
  }
  each_element(n, list, row);
  e.ir.CreateBr(after);

  e.at(clear);
  e.save(e.ir.getInt8(0), failed);
  for (const auto& [edge, flag] : elements->branches) e.save(e.ir.getInt8(0), flag);
  for (const auto& [index, flag] : elements->diverted) e.save(e.ir.getInt8(0), flag);
  for (const Failure& failure : elements->failures) e.save(e.ir.getInt32(0), failure.number);
  e.ir.CreateBr(begin);
  elements.reset();
}

void Stage::each_element(const flow::Node& n, const Value& list, const Row& row) {
  const bool is_map = list.type->kind == Kind::kMap;
  const types::TypeRef& element = n.row->fields.back().type;
  const std::uint64_t size = is_map ? map_entry_layout(*list.type).size : layout_of(*list.type->element).size;
  e.loop(list.second, [&](llvm::Value* index) {
    llvm::BasicBlock* enter = e.block("element");
    llvm::BasicBlock* done = e.block("element_done");
    e.ir.CreateCondBr(e.ir.CreateICmpEQ(e.load(unit.i8, elements->path.back()), e.ir.getInt8(0)), enter,
                      done);
    e.at(enter);
    llvm::Value* at = e.ir.CreateInBoundsGEP(
        unit.i8, list.first, e.ir.CreateMul(index, unit.constant(static_cast<std::int64_t>(size))));
    std::vector<Value> parts;
    for (std::size_t i = 0; i + 1 < n.row->fields.size(); ++i)
      parts.push_back(e.field(row.value, static_cast<int>(i)));
    // A map's entry has the layout of { key, value }.
    parts.push_back(Value::memory(element, at));
    consumers(n.id, {Value::record(n.row, std::move(parts)), row.time});
    e.ir.CreateBr(done);
    e.at(done);
  });
}

bool Stage::can_fail(NodeId id) const {
  const auto fails = [&](const flow::ExprRef& expr) {
    return expr != nullptr && flow::fallible(*expr, graph.program);
  };
  for (NodeId consumer : graph.consumers[static_cast<std::size_t>(id)]) {
    const flow::Node& n = graph.node(consumer);
    if (const auto* where_op = std::get_if<flow::Where>(&n.op)) {
      if (fails(where_op->condition)) return true;
    } else if (const auto* project_op = std::get_if<flow::Project>(&n.op)) {
      if (std::any_of(project_op->values.begin(), project_op->values.end(), fails)) return true;
    } else if (const auto* flatten_op = std::get_if<flow::Flatten>(&n.op)) {
      if (fails(flatten_op->value)) return true;
    } else if (const auto* aggregate = std::get_if<flow::Aggregate>(&n.op)) {
      if (aggregate->window) return true;  // it may lie outside of time
      for (const flow::Key& key : aggregate->keys) {
        if (fails(key.value)) return true;
      }
      for (const flow::Aggregation& aggregation : aggregate->aggregations) {
        if (fails(aggregation.where) || fails(aggregation.argument)) return true;
      }
      continue;
    } else if (std::holds_alternative<flow::Sink>(n.op) && may_have_no_text(*n.row)) {
      return true;
    }
    if (can_fail(consumer)) return true;
  }
  return false;
}

// ---- Record errors

std::uint32_t Stage::site(NodeId node, const std::string& stage, int code, const std::string& message) {
  return unit.site({code, stage, message, graph.policy[static_cast<std::size_t>(node)], of_errors});
}

void Stage::guarded(const std::string& stage, NodeId node, const Value& row, llvm::BasicBlock* resume,
                    llvm::Value* detail, const std::function<void()>& body) {
  ErrorTarget target;
  target.block = e.block("reject");
  llvm::IRBuilder<> head(target.block);
  target.number = head.CreatePHI(unit.i32, 0, "site");
  target.number_of = [&](int code, const std::string& message) { return site(node, stage, code, message); };
  target.number_of_point = [&](const FunctionInfo& callee, llvm::Value* point) -> llvm::Value* {
    std::vector<std::uint32_t> table(callee.points.back() + 1, 0);
    for (std::uint32_t p : callee.points)
      table[p] = site(node, stage, unit.points()[p].code, unit.points()[p].message);
    llvm::Constant* data = llvm::ConstantDataArray::get(unit.context(), table);
    auto* variable = new llvm::GlobalVariable(unit.module(), data->getType(), true,
                                              llvm::GlobalValue::PrivateLinkage, data, "sites");
    llvm::Value* address = e.ir.CreateInBoundsGEP(unit.i32, variable, e.ir.CreateZExt(point, unit.i64));
    return e.load(unit.i32, address);
  };
  ErrorTarget* outer = e.errors;
  const Value* outer_row = e.row;
  e.errors = &target;
  const int order = elements ? elements->nodes++ : 0;
  body();
  e.errors = outer;
  e.row = outer_row;

  if (target.number->getNumIncomingValues() == 0) {
    target.block->eraseFromParent();
    return;
  }
  llvm::BasicBlock* here = e.ir.GetInsertBlock();
  e.at(target.block);
  if (elements && elements->look) {
    note({.node = node, .order = order, .path = elements->path}, row, target.number);
    e.ir.CreateBr(resume);
  } else if (elements && !elements->looked) {
    // The flow says that nothing can fail here. If it errs, nothing wrong is published.
    target.number->eraseFromParent();
    e.ir.CreateIntrinsic(unit.void_type, llvm::Intrinsic::trap, {});
    e.ir.CreateUnreachable();
  } else if (elements) {
    target.number->eraseFromParent();
    e.ir.CreateBr(resume);
  } else {
    report(node, target.number, shown(row), detail, resume);
  }
  e.at(here);
}

void Stage::note(Failure failure, const Value& row, llvm::Value* number) {
  failure.number = e.frame(unit.i32, "site_noted");
  llvm::BasicBlock* first = e.block("note");
  llvm::BasicBlock* noted = e.block("noted");
  e.ir.CreateCondBr(e.ir.CreateICmpEQ(e.load(unit.i32, failure.number), e.ir.getInt32(0)), first, noted);
  e.at(first);
  e.save(e.ir.CreateAdd(number, e.ir.getInt32(1)), failure.number);
  if (!raw) {
    const auto [text, size] = shown(row);
    failure.text = e.frame(unit.ptr, "text_noted");
    failure.text_size = e.frame(unit.i64, "size_noted");
    e.save(text, failure.text);
    e.save(size, failure.text_size);
  }
  e.ir.CreateBr(noted);
  e.at(noted);
  elements->failures.push_back(std::move(failure));
}

// An error counts if no branch that its node is in is over by then: by an error at a node above.
void Stage::report_failures() {
  std::sort(elements->failures.begin(), elements->failures.end(),
            [](const Failure& a, const Failure& b) { return a.order < b.order; });
  for (const Failure& failure : elements->failures) {
    llvm::Value* number = e.load(unit.i32, failure.number);
    llvm::Value* counts = e.ir.CreateICmpNE(number, e.ir.getInt32(0));
    for (llvm::Value* failed : failure.path)
      counts = e.ir.CreateAnd(counts, e.ir.CreateICmpEQ(e.load(unit.i8, failed), e.ir.getInt8(0)));
    llvm::BasicBlock* now = e.block("failure");
    llvm::BasicBlock* next = e.block("next_failure");
    e.branch_unlikely(counts, now, next);
    e.at(now);
    e.save(e.ir.getInt8(1), failure.path.back());
    std::pair<llvm::Value*, llvm::Value*> text;
    if (raw)
      text = raw();
    else
      text = {e.load(unit.ptr, failure.text), e.load(unit.i64, failure.text_size)};
    report(failure.node, e.ir.CreateSub(number, e.ir.getInt32(1)), text, nullptr, next);
    e.at(next);
  }
}

std::pair<llvm::Value*, llvm::Value*> Stage::shown(const Value& row) {
  if (raw) return raw();
  llvm::Value* slot = e.slot(row);
  llvm::Constant* type = unit.descriptor(row.type);
  llvm::Value* text = e.scratch(e.call("weir_json_bound", unit.i64, {type, slot}));
  llvm::Value* end = e.call("weir_put_json", unit.ptr, {text, type, slot});
  // A row that JSON cannot show (not a number) is reported without its text.
  llvm::Value* size = e.ir.CreateSub(e.ir.CreatePtrToInt(end, unit.i64), e.ir.CreatePtrToInt(text, unit.i64));
  return {text, e.ir.CreateSelect(e.ir.CreateIsNull(end), unit.constant(0), size)};
}

void Stage::report(NodeId node, llvm::Value* number, std::pair<llvm::Value*, llvm::Value*> text,
                   llvm::Value* detail, llvm::BasicBlock* resume) {
  if (detail == nullptr) {
    detail = e.frame(16, "detail");
    e.ir.CreateStore(llvm::Constant::getNullValue(unit.str), detail);
  }
  llvm::FunctionType* type =
      llvm::FunctionType::get(unit.ptr, {unit.ptr, unit.ptr, unit.i32, unit.ptr, unit.i64, unit.ptr}, false);
  llvm::CallInst* rejected = e.ir.CreateCall(unit.external("weir_reject", type),
                                             {e.worker, input, number, text.first, text.second, detail});
  // The sixth argument is a struct that no longer fits the registers.
  const llvm::Attribute by_value = llvm::Attribute::getWithByValType(unit.context(), unit.str);
  rejected->addParamAttr(5, by_value);
  rejected->addParamAttr(5, llvm::Attribute::getWithAlignment(unit.context(), llvm::Align(8)));
  rejected->addFnAttr(llvm::Attribute::Cold);

  const NodeId stream =
      graph.rejected[static_cast<std::size_t>(graph.policy[static_cast<std::size_t>(node)])];
  llvm::Function* function = stream < 0 ? nullptr : shared.rejected[static_cast<std::size_t>(stream)];
  if (function != nullptr && !of_errors) {
    llvm::BasicBlock* push = e.block("rejected");
    e.ir.CreateCondBr(e.ir.CreateIsNull(rejected), resume, push);
    e.at(push);
    e.ir.CreateCall(function, {e.worker, input, rejected});
  }
  e.ir.CreateBr(resume);
}

}  // namespace weir::lower
