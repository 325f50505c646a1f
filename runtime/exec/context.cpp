#include "runtime/exec/context.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "runtime/value/scratch.h"

namespace weir::exec {
namespace {

constexpr std::uint64_t sink_buffer_size = 64 << 10;
constexpr std::uint64_t exchange_buffer_size = 64 << 10;
constexpr std::uint64_t scratch_size = 64 << 10;
constexpr std::uint32_t code_too_long = 5018;

std::uint32_t first_group_of(std::uint64_t worker, std::uint64_t workers) {
  // The least group that WEIR_OWNER gives to `worker`.
  return static_cast<std::uint32_t>((worker * WEIR_KEY_GROUPS + workers - 1) / workers);
}

weir_str view(const std::string& text) {
  return {text.data(), text.size()};
}
std::string_view view(weir_str text) {
  return {text.data ? text.data : "", text.size};
}

}  // namespace

Context::Context(const Program& program, std::uint32_t index, std::uint32_t count, Fabric& fabric,
                 Board& board, std::vector<std::unique_ptr<outbox::Lane>> lanes, std::vector<View*> views)
    : program_(program), fabric_(fabric), board_(board), lanes_(std::move(lanes)), views_(std::move(views)) {
  const Plan& plan = program.plan;
  std::size_t sinks = plan.sinks.size();
  std::size_t operators = plan.operators.size();
  sinks_.resize(sinks);
  sink_memory_.resize(sinks);
  view_rows_.resize(sinks);
  lane_bytes_.resize(sinks);
  exchanges_.resize(operators * count);
  exchange_memory_.resize(operators * count);
  counters_.resize(plan.sources.size());
  operator_rows_.resize(operators);
  for (std::size_t at = 0; at < operators; ++at) {
    const OperatorPlan& op = plan.operators[at];
    tables_.push_back(std::make_unique<state::Table>(
        state::TableShape{program.operator_ids[at], op.state_size, op.string_offsets, op.window_size,
                          first_group_of(index, count), first_group_of(index + 1, count)}));
    table_handles_.push_back(tables_.back()->handle());
  }
  abi_.index = index;
  abi_.count = count;
  abi_.sinks = sinks_.data();
  abi_.exchanges = exchanges_.data();
  abi_.tables = table_handles_.data();
  abi_.counters = counters_.data();
  abi_.params = program.params.data();
  abi_.operator_rows = operator_rows_.data();
  abi_.texts = program.texts;
  abi_.runtime = this;
  weir_scratch_grow(&abi_, scratch_size);
}

Context::~Context() {
  weir_scratch_free(&abi_);
}

void Context::fail(Status status) {
  abi_.stop = 1;
  board_.fail(std::move(status));
}

void Context::reset_lane_bytes() {
  std::ranges::fill(lane_bytes_, 0);
  most_lane_bytes_ = 0;
}

void Context::drain_sink(std::size_t sink) {
  weir_sink_buffer& buffer = sinks_[sink];
  auto size = static_cast<std::uint64_t>(buffer.cur - buffer.begin);
  if (size == 0) return;
  std::string_view rows(buffer.begin, size);
  if (!failed()) {
    Result<void> written = views_[sink] ? views_[sink]->write(rows) : lanes_[sink]->append(rows, buffer.rows);
    if (!written) fail(std::move(written).error());
  }
  if (views_[sink]) view_rows_[sink] += buffer.rows;
  lane_bytes_[sink] += size;
  most_lane_bytes_ = std::max(most_lane_bytes_, lane_bytes_[sink]);
  buffer.cur = buffer.begin;
  buffer.rows = 0;
}

void Context::drain_sinks() {
  for (std::size_t sink = 0; sink < sinks_.size(); ++sink) drain_sink(sink);
}

char* Context::reserve_sink(std::uint32_t sink, std::uint64_t size) {
  weir_sink_buffer& buffer = sinks_[sink];
  if (static_cast<std::uint64_t>(buffer.end - buffer.cur) >= size) return buffer.cur;
  drain_sink(sink);
  Buffer& memory = sink_memory_[sink];
  if (memory.capacity < size) {
    memory.capacity = std::max(size, sink_buffer_size);
    memory.memory = std::make_unique_for_overwrite<char[]>(memory.capacity);
    buffer.begin = buffer.cur = memory.memory.get();
    buffer.end = buffer.begin + memory.capacity;
  }
  return buffer.cur;
}

bool Context::has_rows(std::size_t operator_index) const {
  for (std::size_t target = 0; target < abi_.count; ++target) {
    const weir_exchange_buffer& buffer = exchanges_[operator_index * abi_.count + target];
    if (buffer.cur != buffer.begin) return true;
  }
  return false;
}

void Context::send_rows(std::size_t operator_index, std::size_t target) {
  std::size_t at = operator_index * abi_.count + target;
  weir_exchange_buffer& buffer = exchanges_[at];
  if (buffer.cur == buffer.begin) return;
  Message message;
  message.kind = Message::Kind::batch;
  message.rows = std::move(exchange_memory_[at].memory);
  message.size = static_cast<std::uint64_t>(buffer.cur - buffer.begin);
  message.count = buffer.rows;
  exchange_memory_[at].capacity = 0;
  buffer = {};
  fabric_.send(abi_.index, target, operator_index, std::move(message));
}

void Context::send_rows(std::size_t operator_index) {
  for (std::size_t target = 0; target < abi_.count; ++target) send_rows(operator_index, target);
}

char* Context::reserve_exchange(std::uint32_t operator_index, std::uint32_t target, std::uint64_t size) {
  std::size_t at = std::size_t{operator_index} * abi_.count + target;
  weir_exchange_buffer& buffer = exchanges_[at];
  if (static_cast<std::uint64_t>(buffer.end - buffer.cur) >= size && buffer.cur) return buffer.cur;
  send_rows(operator_index, target);
  Buffer& memory = exchange_memory_[at];
  if (memory.capacity < size || !memory.memory) {
    memory.capacity = std::max(size, exchange_buffer_size);
    memory.memory = std::make_unique_for_overwrite<char[]>(memory.capacity);
  }
  buffer = {memory.memory.get(), memory.memory.get() + memory.capacity, memory.memory.get(), 0};
  return buffer.cur;
}

const weir_rejected* Context::reject(const weir_input* input, std::uint32_t site_index, std::string_view raw,
                                     weir_str detail) {
  const SitePlan& site = program_.plan.sites[site_index];
  const SourcePlan& source = program_.plan.sources[site.source];
  std::uint32_t code = site.code;
  std::string message = site.message.empty() ? std::string(view(detail)) : site.message;
  bool of_record = input && raw.data() >= input->data && raw.data() <= input->end;
  auto position =
      of_record ? static_cast<std::int64_t>(input->base) + (raw.data() - input->data) : std::int64_t{-1};
  std::string_view path = input ? view(input->path) : std::string_view{};
  if (too_long_ && of_record) {
    code = code_too_long;
    message = "the record is longer than 16 MiB; `raw` has its first bytes";
    raw = *too_long_;
  }
  switch (site.fatal ? ErrorPolicy::fail : source.on_error) {
    case ErrorPolicy::fail:
      abi_.stop = 1;
      board_.fail(RecordFailure{code, site.source, site.stage, std::move(message), std::string(path),
                                position, std::string(raw.substr(0, 64 << 10))});
      return nullptr;
    case ErrorPolicy::drop:
      ++counters_[site.source].dropped;
      return nullptr;
    case ErrorPolicy::to_stream:
      break;
  }
  ++counters_[site.source].rejected;
  rejected_code_ = fmt::format("E{:04}", code);
  rejected_message_ = std::move(message);
  rejected_ = {view(source.name),          view(site.stage), view(rejected_code_),    view(rejected_message_),
               {path.data(), path.size()}, position,         {raw.data(), raw.size()}};
  return &rejected_;
}

}  // namespace weir::exec

using weir::exec::Context;

extern "C" const weir_rejected* weir_reject(weir_worker* worker, const weir_input* input, uint32_t site,
                                            const char* raw, uint64_t raw_size, weir_str detail) {
  return Context::of(worker).reject(input, site, {raw, raw_size}, detail);
}

extern "C" char* weir_sink_reserve(weir_worker* worker, uint32_t sink, uint64_t size) {
  return Context::of(worker).reserve_sink(sink, size);
}

extern "C" char* weir_exchange_reserve(weir_worker* worker, uint32_t operator_index, uint32_t target,
                                       uint64_t size) {
  return Context::of(worker).reserve_exchange(operator_index, target, size);
}
