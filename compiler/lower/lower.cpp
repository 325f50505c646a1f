#include "compiler/lower/lower.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/lower/function.h"
#include "compiler/lower/machine.h"
#include "compiler/lower/plan.h"
#include "compiler/lower/stage.h"
#include "compiler/lower/unsupported.h"
#include "runtime/abi/abi.h"

namespace weir::lower {

namespace {

// An array of pointers as private constant data.
llvm::Constant* table(Unit& unit, const std::vector<llvm::Constant*>& entries) {
  llvm::ArrayType* type = llvm::ArrayType::get(unit.ptr, entries.size());
  return new llvm::GlobalVariable(unit.module(), type, true, llvm::GlobalValue::PrivateLinkage,
                                  llvm::ConstantArray::get(type, entries), "table");
}

// Everything of one program; returns its plan.
std::string emit_program(Unit& unit, const Graph& graph, const Request& request) {
  emit_functions(unit);
  Stages stages{unit, graph, {}, {}, {}, {}, JsonParsers(unit)};
  for (flow::NodeId id : graph.operators) {
    stages.accumulators.emplace_back(std::get<flow::Aggregate>(graph.node(id).op));
  }
  const int operators = static_cast<int>(graph.operators.size());
  for (int i = 0; i < operators; ++i) stages.updates.push_back(declare_update(stages, i));
  declare_side_streams(stages);

  std::vector<llvm::Constant*> source_stages;
  std::vector<llvm::Constant*> source_types;
  std::vector<llvm::Constant*> batch_stages;
  std::vector<llvm::Constant*> close_stages;
  for (std::size_t i = 0; i < graph.sources.size(); ++i) {
    source_stages.push_back(emit_source_stage(stages, static_cast<int>(i)));
    source_types.push_back(unit.descriptor(graph.source(static_cast<int>(i)).declared));
  }
  for (int i = 0; i < operators; ++i) {
    emit_update(stages, i);
    batch_stages.push_back(emit_batch_stage(stages, i));
    close_stages.push_back(emit_close_stage(stages, i));
  }
  emit_side_streams(stages);

  const std::string plan = plan_json({graph, unit, stages.accumulators, request.weir_version, request.report,
                                      request.report_json, request.guarantees, request.cpu});
  llvm::StructType* type = llvm::StructType::get(
      unit.context(),
      {unit.i32, unit.i32, unit.i32, unit.i32, unit.str, unit.ptr, unit.ptr, unit.ptr, unit.ptr});
  const auto count = [&](std::size_t n) { return unit.constant32(static_cast<std::uint32_t>(n)); };
  llvm::Constant* value = llvm::ConstantStruct::get(
      type, {count(WEIR_ABI_VERSION), count(graph.sources.size()), count(graph.operators.size()), count(0),
             unit.text(plan), table(unit, source_stages), table(unit, source_types),
             table(unit, batch_stages), table(unit, close_stages)});
  new llvm::GlobalVariable(unit.module(), type, true, llvm::GlobalValue::ExternalLinkage, value,
                           "weir_program");
  unit.finish();
  return plan;
}

template <typename Use>
std::expected<std::string, std::string> with_program(const Request& request, const Use& use) {
  try {
    Unit unit(*request.program, request.files, request.optimise);
    const Graph graph(*request.program);
    const std::string plan = emit_program(unit, graph, request);
    return use(unit, plan);
  } catch (const Unsupported& missing) {
    return std::unexpected(std::string("not supported by code generation yet: ") + missing.what());
  }
}

}  // namespace

std::expected<std::string, std::string> compile(const Request& request) {
  return with_program(request,
                      [&](Unit& unit, const std::string&) -> std::expected<std::string, std::string> {
                        std::string complaint;
                        llvm::raw_string_ostream out(complaint);
                        if (llvm::verifyModule(unit.module(), &out)) {
                          return std::unexpected("the generated code is not valid: " + complaint);
                        }
                        return emit_machine_code(unit, request);
                      });
}

std::expected<std::string, std::string> plan(const Request& request) {
  return with_program(request, [](Unit&, const std::string& text) -> std::expected<std::string, std::string> {
    return text;
  });
}

}  // namespace weir::lower
