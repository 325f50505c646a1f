// Rejected and late records: their consumers as functions of their own, off the path of good records.
#include <llvm/IR/Constants.h>

#include "compiler/lower/stage.h"

namespace weir::lower {

using flow::NodeId;

namespace {

// (worker, input, weir_rejected): the struct has the layout of the row.
void emit_rejected(Stages& shared, NodeId id) {
  const flow::Node& node = shared.graph.node(id);
  llvm::Function* function = shared.rejected[static_cast<std::size_t>(id)];
  Stage stage(shared, function, node.span);
  stage.e.worker = function->getArg(0);
  stage.input = function->getArg(1);
  stage.of_errors = true;
  stage.consumers(id, {Value::memory(node.row, function->getArg(2)), nullptr});
  stage.e.ir.CreateRetVoid();
}

// (worker, input, source row, behind, position)
void emit_late(Stages& shared, int source) {
  const flow::Node& node = shared.graph.node(shared.graph.late[static_cast<std::size_t>(source)]);
  llvm::Function* function = shared.late[static_cast<std::size_t>(source)];
  Stage stage(shared, function, node.span);
  Emitter& e = stage.e;
  e.worker = function->getArg(0);
  stage.input = function->getArg(1);
  const std::vector<types::Field>& fields = node.row->fields;  // record, behind, meta { path, position }
  const types::TypeRef& meta = fields[2].type;
  llvm::Value* path = e.member(stage.unit.input, stage.input, 7);
  Value row = Value::record(
      node.row,
      {Value::memory(fields[0].type, function->getArg(2)), Value::scalar(fields[1].type, function->getArg(3)),
       Value::record(meta, {Value::memory(meta->fields[0].type, path),
                            Value::scalar(meta->fields[1].type, function->getArg(4))})});
  stage.consumers(node.id, {std::move(row), nullptr});
  e.ir.CreateRetVoid();
}

}  // namespace

void declare_side_streams(Stages& shared) {
  Unit& unit = shared.unit;
  const Graph& graph = shared.graph;
  shared.rejected.assign(graph.program.nodes.size(), nullptr);
  shared.late.assign(graph.sources.size(), nullptr);
  const auto declare = [&](const std::string& name, std::vector<llvm::Type*> parameters) {
    llvm::Function* function =
        unit.function(name, llvm::FunctionType::get(unit.void_type, parameters, false));
    function->addFnAttr(llvm::Attribute::Cold);
    function->addFnAttr(llvm::Attribute::NoInline);
    return function;
  };
  for (const flow::Node& node : graph.program.nodes) {
    const auto id = static_cast<std::size_t>(node.id);
    if (!std::holds_alternative<flow::Rejected>(node.op) || graph.consumers[id].empty()) continue;
    shared.rejected[id] = declare("rejected." + node.stream, {unit.ptr, unit.ptr, unit.ptr});
  }
  for (std::size_t i = 0; i < graph.sources.size(); ++i) {
    const NodeId stream = graph.late[i];
    if (stream < 0 || graph.consumers[static_cast<std::size_t>(stream)].empty()) continue;
    shared.late[i] = declare("late." + graph.node(graph.sources[i]).stream,
                             {unit.ptr, unit.ptr, unit.ptr, unit.i64, unit.i64});
  }
}

void emit_side_streams(Stages& shared) {
  for (const flow::Node& node : shared.graph.program.nodes) {
    if (shared.rejected[static_cast<std::size_t>(node.id)] != nullptr) emit_rejected(shared, node.id);
  }
  for (std::size_t i = 0; i < shared.late.size(); ++i) {
    if (shared.late[i] != nullptr) emit_late(shared, static_cast<int>(i));
  }
}

}  // namespace weir::lower
