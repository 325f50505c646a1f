// A sink: the row as text, straight into the lane's buffer.
#include <llvm/IR/Constants.h>

#include "compiler/lower/stage.h"
#include "compiler/lower/text_out.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

void emit_sink(Stage& stage, const flow::Node& node, const flow::Sink& op, const Row& row) {
  Emitter& e = stage.e;
  Unit& unit = stage.unit;
  const int index = stage.graph.number[static_cast<std::size_t>(node.id)];
  const bool json = op.format == "json";
  if (!json && op.format != "csv") throw Unsupported("the sink format `" + op.format + "`");

  const bool look = stage.elements && stage.elements->look;
  if (look) {
    // Only numbers that no text has can fail here.
    llvm::Value* room = e.scratch(json ? json_bound(e, row.value) : csv_bound(e, row.value));
    json ? put_json(e, room, row.value) : put_csv(e, room, row.value);
    return;
  }
  llvm::Value* bound = json ? json_bound(e, row.value) : csv_bound(e, row.value);
  bound = e.ir.CreateAdd(bound, unit.constant(1));
  llvm::Value* sinks = e.load(unit.ptr, e.member(unit.worker, e.worker, 7), "sinks");
  llvm::Value* buffer =
      e.ir.CreateConstInBoundsGEP1_64(unit.buffer, sinks, static_cast<std::uint64_t>(index));
  llvm::Value* current = e.load(unit.ptr, e.member(unit.buffer, buffer, 0), "current");
  llvm::Value* end = e.load(unit.ptr, e.member(unit.buffer, buffer, 1), "end");
  llvm::Value* room =
      e.ir.CreateSub(e.ir.CreatePtrToInt(end, unit.i64), e.ir.CreatePtrToInt(current, unit.i64));
  llvm::BasicBlock* grow = e.block("grow");
  llvm::BasicBlock* write = e.block("write");
  llvm::BasicBlock* before = e.ir.GetInsertBlock();
  e.branch_unlikely(e.ir.CreateICmpULT(room, bound), grow, write);
  e.at(grow);
  llvm::Value* fresh = e.call("weir_sink_reserve", unit.ptr,
                              {e.worker, unit.constant32(static_cast<std::uint32_t>(index)), bound});
  e.ir.CreateBr(write);
  e.at(write);
  llvm::PHINode* at = e.ir.CreatePHI(unit.ptr, 2, "at");
  at->addIncoming(current, before);
  at->addIncoming(fresh, grow);

  // Nothing counts before the cursor moves, so that a row which cannot be written leaves no trace.
  llvm::Value* written = json ? put_json(e, at, row.value) : put_csv(e, at, row.value);
  e.save(e.ir.getInt8('\n'), written);
  e.save(e.offset(written, 1), e.member(unit.buffer, buffer, 0));
  llvm::Value* rows = e.member(unit.buffer, buffer, 3);
  e.save(e.ir.CreateAdd(e.load(unit.i64, rows), unit.constant(1)), rows);
}

}  // namespace weir::lower
