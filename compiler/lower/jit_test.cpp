#include "compiler/lower/jit_test.h"

#include <gtest/gtest.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>

#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>

#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"
#include "compiler/lower/lower.h"
#include "runtime/value/helpers.h"

namespace weir::lower::testing {

namespace {

constexpr std::size_t padding = 64;

// State of one operator.
struct Table {
  std::size_t state_size = 0;
  std::map<std::int64_t, std::map<std::string, std::vector<__int128>>> windows;
  std::deque<std::string> kept;
};

Table* table_of(weir_table* table) {
  return reinterpret_cast<Table*>(table);
}

}  // namespace

struct Runner::State {
  std::string plan;
  nlohmann::json json;
  LLVMOrcLLJITRef jit = nullptr;
  const weir_program_t* program = nullptr;

  weir_worker worker{};
  std::vector<weir_sink_buffer> sinks;
  std::vector<std::string> sink_memory;
  std::vector<weir_exchange_buffer> exchanges;
  std::vector<std::string> exchange_memory;
  std::vector<Table> tables;
  std::vector<weir_table*> table_pointers;
  std::vector<weir_source_counters> counters;
  std::vector<std::uint64_t> operator_rows;
  std::vector<char> scratch = std::vector<char>(1 << 20);
  std::vector<std::unique_ptr<char[]>> large;
  std::vector<weir_split_progress> progress;
  std::vector<Rejection> rejections;
  weir_rejected rejected{};
  std::deque<std::string> texts;

  ~State() {
    if (jit != nullptr) LLVMOrcDisposeLLJIT(jit);
  }

  weir_str keep(std::string text) {
    texts.push_back(std::move(text));
    return {texts.back().data(), texts.back().size()};
  }
};

namespace {

Runner::State* state_of(weir_worker* worker);

const weir_rejected* test_reject(weir_worker* worker, const weir_input* input, std::uint32_t site,
                                 const char* raw, std::uint64_t size, weir_str detail);
char* test_sink_reserve(weir_worker* worker, std::uint32_t sink, std::uint64_t size);
char* test_exchange_reserve(weir_worker* worker, std::uint32_t op, std::uint32_t target, std::uint64_t size);
char* test_scratch_grow(weir_worker* worker, std::uint64_t size);

void* test_upsert(weir_table* table, std::int64_t start, std::uint64_t hash, const char* key,
                  std::uint64_t size) {
  EXPECT_EQ(hash, weir_hash(key, size));
  Table& t = *table_of(table);
  auto& row = t.windows[start][std::string(key, size)];
  if (row.empty()) row.resize(t.state_size / 16 + 1);
  return row.data();
}

void test_prefetch(weir_table*, std::int64_t, std::uint64_t) {}

weir_str test_keep(weir_table* table, const char* data, std::uint64_t size) {
  Table& t = *table_of(table);
  t.kept.emplace_back(data, size);
  return {t.kept.back().data(), t.kept.back().size()};
}

struct Symbol {
  const char* name;
  void* address;
};

template <typename Function>
void* address_of(Function* function) {
  void* result = nullptr;
  static_assert(sizeof(function) == sizeof(result));
  std::memcpy(&result, &function, sizeof(result));
  return result;
}

std::vector<Symbol> symbols() {
#define WEIR_SYMBOL(name) {#name, address_of(&name)}
  return {
      {"weir_reject", address_of(&test_reject)},
      {"weir_sink_reserve", address_of(&test_sink_reserve)},
      {"weir_exchange_reserve", address_of(&test_exchange_reserve)},
      {"weir_scratch_grow", address_of(&test_scratch_grow)},
      {"weir_table_upsert", address_of(&test_upsert)},
      {"weir_table_prefetch", address_of(&test_prefetch)},
      {"weir_table_prefetch_row", address_of(&test_prefetch)},
      {"weir_table_keep", address_of(&test_keep)},
      {"memcpy", address_of(&memcpy)},
      {"memset", address_of(&memset)},
      {"fmod", address_of(static_cast<double (*)(double, double)>(&fmod))},
      WEIR_SYMBOL(weir_frame_json),
      WEIR_SYMBOL(weir_frame_line),
      WEIR_SYMBOL(weir_frame_csv),
      WEIR_SYMBOL(weir_skip_bom),
      WEIR_SYMBOL(weir_decode_json),
      WEIR_SYMBOL(weir_put_bool),
      WEIR_SYMBOL(weir_put_int),
      WEIR_SYMBOL(weir_put_decimal64),
      WEIR_SYMBOL(weir_put_decimal128),
      WEIR_SYMBOL(weir_put_float),
      WEIR_SYMBOL(weir_put_timestamp),
      WEIR_SYMBOL(weir_put_duration),
      WEIR_SYMBOL(weir_put_base64),
      WEIR_SYMBOL(weir_put_json_string),
      WEIR_SYMBOL(weir_put_csv_string),
      WEIR_SYMBOL(weir_json_bound),
      WEIR_SYMBOL(weir_put_json),
      WEIR_SYMBOL(weir_key_put_bool),
      WEIR_SYMBOL(weir_key_put_int),
      WEIR_SYMBOL(weir_key_put_i128),
      WEIR_SYMBOL(weir_key_put_string),
      WEIR_SYMBOL(weir_key_get_bool),
      WEIR_SYMBOL(weir_key_get_int),
      WEIR_SYMBOL(weir_key_get_i128),
      WEIR_SYMBOL(weir_key_get_string),
      WEIR_SYMBOL(weir_key_size),
      WEIR_SYMBOL(weir_key_put),
      WEIR_SYMBOL(weir_key_get),
      WEIR_SYMBOL(weir_hash),
      WEIR_SYMBOL(weir_string_equal),
      WEIR_SYMBOL(weir_string_compare),
      WEIR_SYMBOL(weir_scratch_take),
      WEIR_SYMBOL(weir_string_concat),
      WEIR_SYMBOL(weir_map_find),
      WEIR_SYMBOL(weir_decimal_check),
      WEIR_SYMBOL(weir_decimal_divide),
      WEIR_SYMBOL(weir_decimal_multiply),
      WEIR_SYMBOL(weir_decimal_round),
      WEIR_SYMBOL(weir_decimal_rescale),
      WEIR_SYMBOL(weir_decimal_to_float),
      WEIR_SYMBOL(weir_decimal_to_int),
      WEIR_SYMBOL(weir_float_to_decimal),
      WEIR_SYMBOL(weir_parse_decimal),
      WEIR_SYMBOL(weir_sum256_add),
      WEIR_SYMBOL(weir_sum256_get),
      WEIR_SYMBOL(weir_sum_to_int),
      WEIR_SYMBOL(weir_avg_int),
      WEIR_SYMBOL(weir_avg_i128),
      WEIR_SYMBOL(weir_avg_i256),
      WEIR_SYMBOL(weir_window_start),
      WEIR_SYMBOL(weir_time_check),
      WEIR_SYMBOL(weir_skip_space),
      WEIR_SYMBOL(weir_skip_value),
      WEIR_SYMBOL(weir_read_string),
      WEIR_SYMBOL(weir_read_int),
      WEIR_SYMBOL(weir_read_decimal),
      WEIR_SYMBOL(weir_read_float),
      WEIR_SYMBOL(weir_read_bool),
      WEIR_SYMBOL(weir_read_timestamp),
      WEIR_SYMBOL(weir_read_unix_time),
      WEIR_SYMBOL(memcmp),
      {"bcmp", address_of(&memcmp)},
  };
#undef WEIR_SYMBOL
}

// Loads the object; the address of `weir_program`.
const weir_program_t* load(LLVMOrcLLJITRef& jit, const std::string& object) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  const auto check = [](LLVMErrorRef error) {
    if (error == nullptr) return true;
    char* message = LLVMGetErrorMessage(error);
    ADD_FAILURE() << message;
    LLVMDisposeErrorMessage(message);
    return false;
  };
  if (!check(LLVMOrcCreateLLJIT(&jit, nullptr))) return nullptr;
  std::vector<LLVMOrcCSymbolMapPair> pairs;
  for (const Symbol& symbol : symbols()) {
    LLVMOrcCSymbolMapPair pair{};
    pair.Name = LLVMOrcLLJITMangleAndIntern(jit, symbol.name);
    pair.Sym.Address = reinterpret_cast<std::uint64_t>(symbol.address);
    pair.Sym.Flags.GenericFlags = LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable;
    pairs.push_back(pair);
  }
  LLVMOrcJITDylibRef library = LLVMOrcLLJITGetMainJITDylib(jit);
  if (!check(LLVMOrcJITDylibDefine(library, LLVMOrcAbsoluteSymbols(pairs.data(), pairs.size()))))
    return nullptr;
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data(), object.size(), "program");
  if (!check(LLVMOrcLLJITAddObjectFile(jit, library, buffer))) return nullptr;
  LLVMOrcExecutorAddress address = 0;
  if (!check(LLVMOrcLLJITLookup(jit, &address, "weir_program"))) return nullptr;
  return reinterpret_cast<const weir_program_t*>(address);
}

Runner::State* state_of(weir_worker* worker) {
  return static_cast<Runner::State*>(worker->runtime);
}

const weir_rejected* test_reject(weir_worker* worker, const weir_input* input, std::uint32_t site,
                                 const char* raw, std::uint64_t size, weir_str detail) {
  Runner::State& state = *state_of(worker);
  state.rejections.push_back(
      {site, std::string(raw, size), std::string(detail.data == nullptr ? "" : detail.data, detail.size)});
  const auto& entry = state.json["sites"][site];
  const auto& source = state.json["sources"][entry["source"].get<std::size_t>()];
  if (source["on_error"] == "fail" || entry.value("fatal", false)) {
    worker->stop = 1;
    return nullptr;
  }
  if (source["on_error"] == "drop") return nullptr;
  std::string message = entry["message"].get<std::string>();
  if (message.empty()) message = state.rejections.back().detail;
  state.rejected = {state.keep(source["name"]),
                    state.keep(entry["stage"]),
                    state.keep("E" + std::to_string(entry["code"].get<int>())),
                    state.keep(message),
                    input == nullptr ? state.keep("") : input->path,
                    0,
                    state.keep(std::string(raw, size))};
  return &state.rejected;
}

char* test_sink_reserve(weir_worker* worker, std::uint32_t sink, std::uint64_t size) {
  Runner::State& state = *state_of(worker);
  std::string& memory = state.sink_memory[sink];
  weir_sink_buffer& buffer = state.sinks[sink];
  const auto used = static_cast<std::size_t>(buffer.cur - buffer.begin);
  memory.resize(used);
  memory.resize(used + size + 100);
  buffer = {memory.data() + used, memory.data() + memory.size(), memory.data(), buffer.rows};
  return buffer.cur;
}

char* test_exchange_reserve(weir_worker* worker, std::uint32_t op, std::uint32_t target, std::uint64_t size) {
  Runner::State& state = *state_of(worker);
  const std::size_t index = op * worker->count + target;
  std::string& memory = state.exchange_memory[index];
  weir_exchange_buffer& buffer = state.exchanges[index];
  const auto used = static_cast<std::size_t>(buffer.cur - buffer.begin);
  memory.resize(used + size + 100);
  buffer = {memory.data() + used, memory.data() + memory.size(), memory.data(), buffer.rows};
  return buffer.cur;
}

char* test_scratch_grow(weir_worker* worker, std::uint64_t size) {
  Runner::State& state = *state_of(worker);
  state.large.push_back(std::make_unique<char[]>(size + 64));
  return state.large.back().get();
}

}  // namespace

Runner::Runner(std::string_view text, const Options& options) : state_(std::make_unique<State>()) {
  State& state = *state_;
  auto program = flow::read(text);
  if (!program) {
    ADD_FAILURE() << flow::to_string(program.error());
    return;
  }
  EXPECT_EQ(flow::to_string(flow::verify(*program)), "");
  Request request;
  request.program = &*program;
  request.optimise = options.optimise;
  auto object = compile(request);
  if (!object) {
    ADD_FAILURE() << object.error();
    return;
  }
  state.program = load(state.jit, *object);
  if (state.program == nullptr) return;
  state.plan.assign(state.program->plan.data, state.program->plan.size);
  state.json = nlohmann::json::parse(state.plan);

  const std::size_t operators = state.program->operator_count;
  const std::size_t sinks = state.json["sinks"].size();
  state.sinks.resize(sinks);
  state.sink_memory.resize(sinks);
  state.exchanges.resize(operators * options.workers);
  state.exchange_memory.resize(operators * options.workers);
  state.tables.resize(operators);
  for (std::size_t i = 0; i < operators; ++i)
    state.tables[i].state_size = state.json["operators"][i]["state_size"];
  for (Table& table : state.tables) state.table_pointers.push_back(reinterpret_cast<weir_table*>(&table));
  state.counters.resize(state.program->source_count);
  state.operator_rows.resize(operators);
  state.progress.assign(state.program->source_count, {INT64_MIN});
  weir_worker& worker = state.worker;
  worker.count = options.workers;
  worker.scratch = {state.scratch.data(), state.scratch.data() + state.scratch.size(), state.scratch.data()};
  worker.sinks = state.sinks.data();
  worker.exchanges = state.exchanges.data();
  worker.tables = state.table_pointers.data();
  worker.counters = state.counters.data();
  worker.operator_rows = state.operator_rows.data();
  worker.runtime = &state;
}

Runner::~Runner() = default;

void Runner::feed(int index, std::string text) {
  State& state = *state_;
  if (state.program == nullptr) return;
  const std::size_t size = text.size();
  text.resize(size + padding);
  weir_input input{};
  input.data = text.data();
  input.end = text.data() + size;
  input.max_records = 1'000'000;
  input.last = 1;
  input.source = static_cast<std::uint32_t>(index);
  input.progress = &state.progress[static_cast<std::size_t>(index)];
  input.path = {"input", 5};
  state.program->source_stages[index](&state.worker, &input);
  if (state.worker.stop == 0) EXPECT_EQ(input.next, input.end);
}

void Runner::close() {
  State& state = *state_;
  if (state.program == nullptr) return;
  for (std::size_t op = 0; op < state.program->operator_count; ++op) {
    for (std::size_t target = 0; target < state.worker.count; ++target) {
      weir_exchange_buffer& buffer = state.exchanges[op * state.worker.count + target];
      const std::string rows(
          buffer.begin, buffer.begin == nullptr ? 0 : static_cast<std::size_t>(buffer.cur - buffer.begin));
      state.program->batch_stages[op](&state.worker, rows.data(), rows.size(), buffer.rows);
      buffer.cur = buffer.begin;
      buffer.rows = 0;
    }
    for (auto& [start, groups] : state.tables[op].windows) {
      std::vector<weir_state_row> rows;
      for (auto& [key, row] : groups) rows.push_back({key.data(), key.size(), row.data()});
      state.program->close_stages[op](&state.worker, start, rows.data(), rows.size());
    }
    state.tables[op].windows.clear();
  }
}

std::vector<std::string> Runner::sink(int index) const {
  const weir_sink_buffer& buffer = state_->sinks[static_cast<std::size_t>(index)];
  std::vector<std::string> lines;
  if (buffer.begin == nullptr) return lines;
  std::string line;
  for (const char* p = buffer.begin; p < buffer.cur; ++p) {
    if (*p == '\n') {
      lines.push_back(std::move(line));
      line.clear();
    } else {
      line += *p;
    }
  }
  EXPECT_EQ(line, "");
  EXPECT_EQ(lines.size(), buffer.rows);
  return lines;
}

const std::vector<Rejection>& Runner::rejections() const {
  return state_->rejections;
}
const std::string& Runner::plan() const {
  return state_->plan;
}
weir_source_counters Runner::counters(int source) const {
  return state_->counters[static_cast<std::size_t>(source)];
}
bool Runner::stopped() const {
  return state_->worker.stop != 0;
}

std::string Runner::site(const Rejection& rejection) const {
  const auto& entry = state_->json["sites"][rejection.site];
  return std::to_string(entry["code"].get<int>()) + " " + entry["stage"].get<std::string>() + ": " +
         (entry["message"].get<std::string>().empty() ? rejection.detail
                                                      : entry["message"].get<std::string>());
}

}  // namespace weir::lower::testing
