// The loop over the records of a source: framing, decoding, event time and progress, then its consumers.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/stage.h"
#include "compiler/lower/unsupported.h"
#include "runtime/abi/abi.h"

namespace weir::lower {

namespace {

// Indexes into weir_input.
enum Input : unsigned {
  kEnd = 1,
  kData = 0,
  kBase = 2,
  kMaxRecords = 3,
  kLast = 4,
  kProgress = 6,
  kPath = 7,
  kDecoder = 9,
  kNext = 10,
  kRecords = 11
};

struct Names {
  const char* frame;
  const char* decode;
};

Names names_of(const flow::Format& format) {
  if (format.name == "json") return {"weir_frame_json", "weir_decode_json"};
  if (format.name == "csv") return {"weir_frame_csv", "weir_decode_csv"};
  if (format.name == "text") return {"weir_frame_line", "weir_decode_text"};
  if (format.name == "regex") return {"weir_frame_line", "weir_decode_regex"};
  throw Unsupported("the format `" + format.name + "`");
}

class SourceStage {
 public:
  SourceStage(Stages& shared, int index, llvm::Function* function)
      : unit_(shared.unit),
        index_(index),
        node_(shared.graph.node(shared.graph.sources[static_cast<std::size_t>(index)])),
        source_(std::get<flow::Source>(node_.op)),
        stage_(shared, function, node_.span),
        e_(stage_.e) {}

  void run() {
    e_.worker = stage_.e.function->getArg(0);
    stage_.input = stage_.e.function->getArg(1);
    prepare();
    llvm::BasicBlock* head = e_.block("record");
    llvm::BasicBlock* take = e_.block("take");
    llvm::BasicBlock* decode_record = e_.block("decode");
    llvm::BasicBlock* done = e_.block("done");
    e_.ir.CreateBr(head);

    e_.at(head);
    llvm::Value* taken = e_.load(unit_.i64, taken_);
    llvm::Value* enough = e_.ir.CreateICmpUGE(taken, maximum_);
    llvm::Value* stop =
        e_.ir.CreateICmpNE(e_.load(unit_.i32, e_.member(unit_.worker, e_.worker, 2)), unit_.constant32(0));
    e_.branch_unlikely(e_.ir.CreateOr(enough, stop), done, take);

    e_.at(take);
    llvm::Value* found = e_.call(names_of(source_.format).frame, unit_.i32, {cursor_, end_, last_, record_});
    e_.branch_unlikely(e_.ir.CreateICmpEQ(found, unit_.constant32(0)), done, decode_record);

    e_.at(decode_record);
    record(head, taken);

    e_.at(done);
    empty_rings(stage_);
    e_.save(e_.load(unit_.ptr, cursor_), input(kNext));
    e_.save(e_.load(unit_.i64, taken_), input(kRecords));
    e_.ir.CreateRetVoid();
  }

 private:
  llvm::Value* input(unsigned index) { return e_.member(unit_.input, stage_.input, index); }

  void prepare() {
    data_ = e_.load(unit_.ptr, input(kData), "data");
    end_ = e_.load(unit_.ptr, input(kEnd), "end");
    base_ = e_.load(unit_.i64, input(kBase), "base");
    maximum_ = e_.load(unit_.i64, input(kMaxRecords), "maximum");
    last_ = e_.load(unit_.i32, input(kLast), "last");
    progress_ = e_.load(unit_.ptr, input(kProgress), "progress");
    cursor_ = e_.frame(unit_.ptr, "cursor");
    record_ = e_.frame(unit_.str, "text");
    taken_ = e_.frame(unit_.i64, "taken");
    detail_ = e_.frame(16, "detail");
    diverted_ = e_.frame(unit_.i8, "diverted");
    frame_ = e_.frame(layout_of(*source_.declared).size, "row");
    e_.save(e_.call("weir_skip_bom", unit_.ptr, {stage_.input}), cursor_);
    e_.save(unit_.constant(0), taken_);
  }

  // One record, up to the jump back to `head`.
  void record(llvm::BasicBlock* head, llvm::Value* taken) {
    e_.save(e_.ir.CreateAdd(taken, unit_.constant(1)), taken_);
    llvm::Value* counters = e_.load(unit_.ptr, e_.member(unit_.worker, e_.worker, 10), "counters");
    llvm::Value* read =
        e_.offset(counters, sizeof(weir_source_counters) * static_cast<std::uint64_t>(index_));
    e_.save(e_.ir.CreateAdd(e_.load(unit_.i64, read), unit_.constant(1)), read);
    e_.save(e_.load(unit_.ptr, e_.member(unit_.worker, e_.worker, 6)), e_.member(unit_.worker, e_.worker, 4));
    e_.save(e_.ir.getInt8(0), diverted_);

    llvm::Value* text = e_.load(unit_.ptr, e_.member(unit_.str, record_, 0), "record");
    llvm::Value* size = e_.load(unit_.i64, e_.member(unit_.str, record_, 1), "size");
    llvm::Value* position = e_.ir.CreateAdd(base_, e_.ir.CreateSub(e_.ir.CreatePtrToInt(text, unit_.i64),
                                                                   e_.ir.CreatePtrToInt(data_, unit_.i64)));
    stage_.raw = [text, size] { return std::make_pair(text, size); };
    e_.meta = [this, position] {
      const types::TypeRef type = types::meta_record();
      return Value::record(type,
                           {Value::memory(type->fields[0].type, input(kPath)),
                            Value::scalar(type->fields[1].type, position), e_.zero(type->fields[2].type)});
    };

    const Row row{Value::memory(node_.row, frame_), nullptr};
    stage_.guarded(node_.stage, node_.id, row.value, head, detail_, [&] {
      decode(text, size);
      push(row, position);
      e_.ir.CreateBr(head);
    });
  }

  // Fills the frame, or goes to the current error target with the decoder's code and words.
  void decode(llvm::Value* text, llvm::Value* size) {
    llvm::BasicBlock* good = e_.block("decoded");
    if (source_.format.name == "json" && JsonParsers::predictable(*source_.declared)) {
      llvm::BasicBlock* reference = e_.block("reference");
      predict(text, size, good, reference);
      e_.at(reference);
    }
    const Names names = names_of(source_.format);
    llvm::Value* status = nullptr;
    if (source_.format.name == "json") {
      status = e_.call(names.decode, unit_.i32,
                       {e_.worker, unit_.descriptor(source_.declared), text, size, frame_, detail_});
    } else {
      llvm::Value* decoder = e_.load(unit_.ptr, input(kDecoder), "decoder");
      status = e_.call(names.decode, unit_.i32, {e_.worker, decoder, text, size, frame_, detail_});
    }
    // The sites of a decoder stand one after the other, in the order of their codes.
    const std::uint32_t first = e_.errors->number_of(5001, "");
    for (int code = 5002; code <= 5019; ++code) e_.errors->number_of(code, "");
    llvm::BasicBlock* bad = e_.block("undecodable");
    e_.branch_unlikely(e_.ir.CreateICmpNE(status, unit_.constant32(0)), bad, good);
    e_.at(bad);
    e_.errors->number->addIncoming(e_.ir.CreateAdd(status, unit_.constant32(first - 5001u)), bad);
    e_.ir.CreateBr(e_.errors->block);
    e_.at(good);
  }

  // The generated parser: `good` when it has read the whole text.
  void predict(llvm::Value* text, llvm::Value* size, llvm::BasicBlock* good, llvm::BasicBlock* reference) {
    llvm::Value* end = e_.ir.CreateInBoundsGEP(unit_.i8, text, size);
    llvm::Function* parser = stage_.shared.parsers.parser(source_.declared, node_.span);
    llvm::Value* begin = e_.call("weir_skip_space", unit_.ptr, {text, end});
    llvm::Value* read = e_.ir.CreateCall(parser, {e_.worker, begin, end, frame_});
    llvm::BasicBlock* rest = e_.block("rest");
    e_.branch_unlikely(e_.ir.CreateIsNull(read), reference, rest);
    e_.at(rest);
    llvm::Value* behind = e_.call("weir_skip_space", unit_.ptr, {read, end});
    e_.branch_unlikely(e_.ir.CreateICmpNE(behind, end), reference, good);
  }

  void push(Row row, llvm::Value* position) {
    Carried carried;
    carried.source = index_;
    carried.frame = frame_;
    carried.position = position;
    carried.diverted = diverted_;
    e_.row = &row.value;
    if (source_.time != nullptr) {
      // An error from here on has no words of a decoder.
      e_.ir.CreateStore(llvm::Constant::getNullValue(unit_.str), detail_);
      row.time = e_.first(emit(e_, *source_.time));
      llvm::Value* latest = e_.load(unit_.i64, progress_, "latest");
      carried.progress =
          e_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, latest, unit_.constant(source_.lateness));
      carried.time = row.time;
      e_.save(e_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, latest, row.time), progress_);
    }
    stage_.carried = carried;
    stage_.consumers(node_.id, row);
  }

  Unit& unit_;
  int index_;
  const flow::Node& node_;
  const flow::Source& source_;
  Stage stage_;
  Emitter& e_;
  llvm::Value* data_ = nullptr;
  llvm::Value* end_ = nullptr;
  llvm::Value* base_ = nullptr;
  llvm::Value* maximum_ = nullptr;
  llvm::Value* last_ = nullptr;
  llvm::Value* progress_ = nullptr;
  llvm::Value* cursor_ = nullptr;
  llvm::Value* record_ = nullptr;
  llvm::Value* taken_ = nullptr;
  llvm::Value* detail_ = nullptr;
  llvm::Value* diverted_ = nullptr;
  llvm::Value* frame_ = nullptr;
};

}  // namespace

llvm::Function* emit_source_stage(Stages& shared, int index) {
  Unit& unit = shared.unit;
  const flow::Node& node = shared.graph.node(shared.graph.sources[static_cast<std::size_t>(index)]);
  llvm::Function* function = unit.function(
      "source." + node.stream, llvm::FunctionType::get(unit.void_type, {unit.ptr, unit.ptr}, false));
  SourceStage(shared, index, function).run();
  return function;
}

}  // namespace weir::lower
