#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/base/status.h"
#include "runtime/exec/board.h"
#include "runtime/exec/inbox.h"
#include "runtime/exec/plan.h"
#include "runtime/exec/source.h"
#include "runtime/outbox/sink.h"
#include "runtime/state/table.h"

namespace weir::exec {

/// A built program as the runtime uses it; outlives every run.
struct Program {
  const weir_program_t* code = nullptr;
  Plan plan;
  std::vector<const void*> params;  // slots, by param
  const weir_text_tables* texts = nullptr;
  std::vector<std::uint32_t> operator_ids;         // of state rows, by operator; dealt once per lineage
  std::map<std::string, std::string> environment;  // pinned versions and parameters, for the manifest
};

/// What generated code sees of its worker (`weir_worker`), and the buffers behind it. One thread, except where the board
/// is told of failures.
class Context {
 public:
  /// `lanes` and `views` are by sink; exactly one of each pair is set.
  Context(const Program& program, std::uint32_t index, std::uint32_t count, Fabric& fabric, Board& board,
          std::vector<std::unique_ptr<outbox::Lane>> lanes, std::vector<View*> views);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  weir_worker* abi() { return &abi_; }
  static Context& of(weir_worker* worker) { return *static_cast<Context*>(worker->runtime); }

  /// The buffer's rows go to the lane or the view.
  void drain_sink(std::size_t sink);
  void drain_sinks();
  /// The buffer becomes a message to `target`.
  void send_rows(std::size_t operator_index, std::size_t target);
  void send_rows(std::size_t operator_index);
  bool has_rows(std::size_t operator_index) const;

  char* reserve_sink(std::uint32_t sink, std::uint64_t size);
  char* reserve_exchange(std::uint32_t operator_index, std::uint32_t target, std::uint64_t size);
  const weir_rejected* reject(const weir_input* input, std::uint32_t site, std::string_view raw,
                              weir_str detail);
  /// While set, a rejected record is one that is too long, whatever the decoder says.
  /// The next record is longer than the limit and begins so; null: it is not.
  void set_too_long(std::optional<std::string_view> head) { too_long_ = head; }

  /// A run error: the worker leaves its stage, the attempt ends.
  void fail(Status status);
  bool failed() const { return abi_.stop != 0; }

  state::Table& table(std::size_t operator_index) { return *tables_[operator_index]; }
  outbox::Lane* lane(std::size_t sink) { return lanes_[sink].get(); }
  const std::vector<weir_source_counters>& counters() const { return counters_; }
  const std::vector<std::uint64_t>& operator_rows() const { return operator_rows_; }
  const std::vector<std::uint64_t>& view_rows() const { return view_rows_; }
  /// Bytes that lanes took since the last call of reset_lane_bytes; the most of any lane.
  std::uint64_t lane_bytes() const { return most_lane_bytes_; }
  void reset_lane_bytes();

 private:
  struct Buffer {
    std::unique_ptr<char[]> memory;
    std::uint64_t capacity = 0;
  };

  const Program& program_;
  Fabric& fabric_;
  Board& board_;
  std::vector<std::unique_ptr<outbox::Lane>> lanes_;
  std::vector<View*> views_;
  std::vector<std::unique_ptr<state::Table>> tables_;

  weir_worker abi_{};
  std::vector<weir_sink_buffer> sinks_;
  std::vector<Buffer> sink_memory_;
  std::vector<weir_exchange_buffer> exchanges_;
  std::vector<Buffer> exchange_memory_;
  std::vector<weir_table*> table_handles_;
  std::vector<weir_source_counters> counters_;
  std::vector<std::uint64_t> operator_rows_;
  std::vector<std::uint64_t> view_rows_;
  std::vector<std::uint64_t> lane_bytes_;
  std::uint64_t most_lane_bytes_ = 0;
  std::optional<std::string_view> too_long_;
  weir_rejected rejected_{};
  std::string rejected_code_;
  std::string rejected_message_;
};

}  // namespace weir::exec
