// One stage function: rows are pushed through the operators below a source, a close of windows, a rejected or a late
// record, down to sinks and aggregates. Everything is emitted in place, each node once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lower/accumulators.h"
#include "compiler/lower/emitter.h"
#include "compiler/lower/graph.h"
#include "compiler/lower/json_parser.h"

namespace weir::lower {

// What all stages of a program share. Functions of rejected and late streams and of state updates are declared before
// any stage is emitted.
struct Stages {
  Unit& unit;
  const Graph& graph;
  std::vector<Accumulators> accumulators;  // by operator
  std::vector<llvm::Function*> updates;    // by operator
  std::vector<llvm::Function*> rejected;   // by node of a rejected stream; null elsewhere
  std::vector<llvm::Function*> late;       // by source; null: late records are only counted
  JsonParsers parsers{unit};
};

struct Row {
  Value value;
  llvm::Value* time = nullptr;  // event time; null: untimed
};

// What a record of a source carries through its stage.
struct Carried {
  int source = 0;
  llvm::Value* progress = nullptr;  // carried progress before this record; null: the source is untimed
  llvm::Value* frame = nullptr;     // the source row
  llvm::Value* time = nullptr;
  llvm::Value* position = nullptr;
  llvm::Value* diverted = nullptr;  // address of an i8: this record was counted as late
};

// An error that the first pass over the elements of a record may find at one node: the first element's.
struct Failure {
  flow::NodeId node = 0;
  int order = 0;                     // of the nodes, as they are emitted: those above come before
  std::vector<llvm::Value*> path;    // the branches that the node is in, outermost first: their `failed`
  llvm::Value* number = nullptr;     // address of an i32: the site + 1, or 0
  llvm::Value* text = nullptr;       // of a derived row: address of where it stands as JSON,
  llvm::Value* text_size = nullptr;  // and of its size
};

// Below a `flatten`: the elements of one record, taken in a loop. An element's error is the whole record's: the stream in
// which it fails has no row of the record. So where something below can fail, a first pass over all elements only looks
// for errors; then those count that no error further up makes void; and a second pass emits.
struct Elements {
  bool look = false;               // this is the pass that emits nothing
  bool looked = false;             // there was one: what fails now was reported or is void
  std::vector<llvm::Value*> path;  // addresses of an i8: the branches that we are in are over for the record
  std::vector<Failure> failures;
  int nodes = 0;  // emitted so far
  std::map<std::pair<flow::NodeId, flow::NodeId>, llvm::Value*>
      branches;  // by edge of the graph: its `failed`
  std::map<int, llvm::Value*>
      diverted;  // by operator, address of an i8: the record was diverted there as late
};

// Rows on their way to the state of one operator: a ring of the newest ones. A row waits a few records, so that the
// memory it needs is near when its turn comes. Updates commute; the ring is empty when the stage returns.
struct Waiting {
  int index = 0;  // of the operator
  llvm::Value* ring = nullptr;
  llvm::Value* taken = nullptr;  // address of an i64: rows that went in
};

class Stage {
 public:
  Stage(Stages& shared, llvm::Function* function, source::Span span);

  Stages& shared;
  Unit& unit;
  const Graph& graph;
  Emitter e;
  llvm::Value* input = nullptr;    // weir_input, or a null pointer
  std::optional<Carried> carried;  // in the stage of a source
  // The record as read (pointer, size); null: a derived row is shown as JSON.
  std::function<std::pair<llvm::Value*, llvm::Value*>()> raw;
  std::optional<Elements> elements;  // below a flatten
  std::vector<Waiting> waiting;      // to be emptied by empty_rings
  bool of_errors = false;            // rows come from a rejected stream: its errors end the run

  // Pushes the row through every consumer of `node`, one after the other.
  void consumers(flow::NodeId node, const Row& row);

  // Emits `body`; a record error in it is reported for `stage` and continues at `resume`. `row` is what a derived row is
  // shown as. `detail`: address of a weir_str with the decoder's words, or null.
  void guarded(const std::string& stage, flow::NodeId node, const Value& row, llvm::BasicBlock* resume,
               llvm::Value* detail, const std::function<void()>& body);

  // The site of a record error of `node` in `stage`.
  std::uint32_t site(flow::NodeId node, const std::string& stage, int code, const std::string& message);

 private:
  void node(flow::NodeId id, const Row& row);
  void where(const flow::Node& node, const flow::Where& op, const Row& row, llvm::BasicBlock* after);
  void project(const flow::Node& node, const flow::Project& op, const Row& row, llvm::BasicBlock* after);
  void flatten(const flow::Node& node, const flow::Flatten& op, const Row& row, llvm::BasicBlock* after);
  void each_element(const flow::Node& node, const Value& list, const Row& row);
  void branch(flow::NodeId from, flow::NodeId to, const Row& row);
  bool can_fail(flow::NodeId node) const;  // it or what is below it, up to state and sinks
  // What is shown of a record that fails, as text and size.
  std::pair<llvm::Value*, llvm::Value*> shown(const Value& row);
  void note(Failure failure, const Value& row, llvm::Value* number);
  void report_failures();
  // Leaves for `resume`. `detail` may be null.
  void report(flow::NodeId node, llvm::Value* number, std::pair<llvm::Value*, llvm::Value*> shown,
              llvm::Value* detail, llvm::BasicBlock* resume);
};

// aggregate.cpp
void emit_aggregate(Stage& stage, const flow::Node& node, const flow::Aggregate& op, const Row& row,
                    llvm::BasicBlock* after);
// Applies the rows that wait.
void empty_rings(Stage& stage);
llvm::Function* declare_update(Stages& shared, int index);
void emit_update(Stages& shared, int index);
llvm::Function* emit_batch_stage(Stages& shared, int index);
// aggregate_close.cpp
llvm::Function* emit_close_stage(Stages& shared, int index);
// source_stage.cpp
llvm::Function* emit_source_stage(Stages& shared, int index);
// side_streams.cpp: the consumers of rejected and late records, as functions.
void declare_side_streams(Stages& shared);
void emit_side_streams(Stages& shared);
// sink.cpp
void emit_sink(Stage& stage, const flow::Node& node, const flow::Sink& op, const Row& row);

}  // namespace weir::lower
