#include "runtime/entry/fake_program.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "runtime/state/table_layout.h"
#include "runtime/value/helpers.h"

namespace weir::entry::fake {
namespace {

constexpr std::uint32_t sink_evens = 0;
constexpr std::uint32_t sink_sums = 1;
constexpr std::uint32_t sink_letters = 2;
constexpr std::uint32_t sink_late = 3;
constexpr std::uint32_t sink_rejected = 4;
const char* const sink_names[] = {"evens", "sums", "letters", "late", "rejected"};

struct Record {
  std::string_view key;
  std::int64_t time = 0;
  std::int64_t number = 0;
};

std::optional<Record> parse(std::string_view line) {
  Record record;
  std::size_t first = line.find(' ');
  std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || first == 0) return std::nullopt;
  record.key = line.substr(0, first);
  auto number = [&](std::string_view text, std::int64_t& out) {
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
  };
  if (!number(line.substr(first + 1, second - first - 1), record.time)) return std::nullopt;
  if (!number(line.substr(second + 1), record.number)) return std::nullopt;
  return record;
}

std::int64_t window_start(std::int64_t time, std::int64_t size) {
  std::int64_t rest = time % size;
  return time - (rest < 0 ? rest + size : rest);
}

std::string even_row(const Record& record) {
  return fmt::format("{} {}\n", record.key, record.number);
}
std::string late_row(const Record& record) {
  return fmt::format("{}@{}\n", record.key, record.time);
}
std::string sum_row(std::string_view key, std::int64_t start, std::int64_t count, std::int64_t sum,
                    std::string_view greatest) {
  return fmt::format("{} {} {} {} {}\n", key, start, count, sum, greatest);
}
std::string letter_row(std::string_view key, std::int64_t start, std::int64_t count, std::int64_t sum) {
  return fmt::format("{} {} {} {}\n", key, start, count, sum);
}
bool greater(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() > b.size() : a > b;
}

void emit(weir_worker* worker, std::uint32_t sink, const std::string& row) {
  weir_sink_buffer& buffer = worker->sinks[sink];
  if (static_cast<std::size_t>(buffer.end - buffer.cur) < row.size())
    weir_sink_reserve(worker, sink, row.size());
  std::memcpy(buffer.cur, row.data(), row.size());
  buffer.cur += row.size();
  ++buffer.rows;
}

struct Sums {
  std::int64_t count;
  std::int64_t sum;
  weir_str greatest;
};

struct Letters {
  std::int64_t count;
  std::int64_t sum;
};

struct Argument {
  std::int64_t number;
};

void update(weir_worker* worker, std::uint32_t op, const weir_exchange_row& row, const char* key,
            std::int64_t number) {
  void* slot = weir_table_upsert(worker->tables[op], row.window_start, row.hash, key, row.key_size);
  ++worker->operator_rows[op];
  if (op == 1) {
    auto* letters = static_cast<Letters*>(slot);
    ++letters->count;
    letters->sum += number;
    return;
  }
  auto* sums = static_cast<Sums*>(slot);
  ++sums->count;
  sums->sum += number;
  std::string text = std::to_string(number);
  if (!sums->greatest.data || greater(text, {sums->greatest.data, sums->greatest.size}))
    sums->greatest = weir_table_keep(worker->tables[op], text.data(), text.size());
}

void apply(weir_worker* worker, std::uint32_t op, std::int64_t start, std::string_view key,
           std::int64_t number) {
  weir_exchange_row row{};
  row.key_size = static_cast<std::uint32_t>(key.size());
  row.hash = weir_hash(key.data(), key.size());
  row.window_start = start;
  if (worker->count == 1) {
    update(worker, op, row, key.data(), number);
    return;
  }
  std::uint32_t target = WEIR_OWNER(WEIR_KEY_GROUP(row.hash), worker->count);
  row.args_offset = static_cast<std::uint32_t>((sizeof row + key.size() + 7) & ~std::size_t{7});
  row.size = row.args_offset + static_cast<std::uint32_t>(sizeof(Argument));
  char* at = weir_exchange_reserve(worker, op, target, row.size);
  weir_exchange_buffer& buffer = worker->exchanges[op * worker->count + target];
  std::memset(at, 0, row.size);
  std::memcpy(at, &row, sizeof row);
  std::memcpy(at + sizeof row, key.data(), key.size());
  Argument argument{number};
  std::memcpy(at + row.args_offset, &argument, sizeof argument);
  buffer.cur = at + row.size;
  ++buffer.rows;
}

void batch(std::uint32_t op, weir_worker* worker, const char* rows, std::uint64_t size, std::uint64_t) {
  for (const char* at = rows; at < rows + size;) {
    weir_exchange_row row;
    std::memcpy(&row, at, sizeof row);
    Argument argument;
    std::memcpy(&argument, at + row.args_offset, sizeof argument);
    update(worker, op, row, at + sizeof row, argument.number);
    at += row.size;
  }
}

std::int64_t lateness_of_test = 5;  // of the program under test; one at a time

void handle(weir_worker* worker, weir_input* input, std::string_view line) {
  auto record = parse(line);
  if (!record) {
    const weir_rejected* rejected = weir_reject(worker, input, input->source, line.data(), line.size(), {});
    if (rejected)
      emit(worker, sink_rejected,
           fmt::format("{} {}\n", std::string_view(rejected->code.data, rejected->code.size),
                       std::string_view(rejected->raw.data, rejected->raw.size)));
    return;
  }
  std::int64_t carried = input->progress->max_time == std::numeric_limits<std::int64_t>::min()
                             ? input->progress->max_time
                             : input->progress->max_time - lateness_of_test;
  input->progress->max_time = std::max(input->progress->max_time, record->time);
  if (input->source == 0 && record->number % 2 == 0) emit(worker, sink_evens, even_row(*record));
  std::int64_t start = window_start(record->time, sums_window);
  if (start + sums_window <= carried) {
    ++worker->counters[input->source].late;
    emit(worker, sink_late, late_row(*record));
    return;
  }
  apply(worker, 0, start, record->key, record->number);
}

void read(weir_worker* worker, weir_input* input) {
  const char* at = input->data;
  while (input->records < input->max_records && !worker->stop) {
    const char* newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(input->end - at)));
    if (!newline && (!input->last || at == input->end)) break;
    const char* end = newline ? newline : input->end;
    std::string_view line(at, static_cast<std::size_t>(end - at));
    at = newline ? newline + 1 : input->end;
    if (!line.empty()) {
      ++input->records;
      handle(worker, input, line);
    }
    input->next = at;
  }
}

void close_sums(weir_worker* worker, std::int64_t start, const weir_state_row* rows, std::uint64_t count) {
  for (std::uint64_t at = 0; at < count; ++at) {
    const auto* sums = static_cast<const Sums*>(rows[at].accumulators);
    std::string_view key(rows[at].key, rows[at].key_size);
    emit(worker, sink_sums,
         sum_row(key, start, sums->count, sums->sum, {sums->greatest.data, sums->greatest.size}));
    apply(worker, 1, window_start(start + sums_window - 1, letters_window), key.substr(0, 1), sums->sum);
  }
}

void close_letters(weir_worker* worker, std::int64_t start, const weir_state_row* rows, std::uint64_t count) {
  for (std::uint64_t at = 0; at < count; ++at) {
    const auto* letters = static_cast<const Letters*>(rows[at].accumulators);
    emit(worker, sink_letters,
         letter_row({rows[at].key, rows[at].key_size}, start, letters->count, letters->sum));
  }
}

const weir_source_stage source_stages[] = {read, read};
const weir_type no_type{};
const weir_type* const source_types[] = {&no_type, &no_type};
const weir_batch_stage batch_stages[] = {[](weir_worker* worker, const char* rows, std::uint64_t size,
                                            std::uint64_t count) { batch(0, worker, rows, size, count); },
                                         [](weir_worker* worker, const char* rows, std::uint64_t size,
                                            std::uint64_t count) { batch(1, worker, rows, size, count); }};
const weir_close_stage close_stages[] = {close_sums, close_letters};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

}  // namespace

std::string plan_text(const PlanText& plan) {
  lateness_of_test = plan.lateness;
  std::string sources;
  for (const auto& [name, pattern] : {std::pair{"a", plan.pattern_a}, std::pair{"b", plan.pattern_b}})
    sources += fmt::format(
        R"({}{{"name":"{}","connector":"file","path":"{}","format":"json","files":"{}","follow":{},"timed":true,)"
        R"("lateness":{},"on_error":"{}","on_error_to":"rejected","fingerprint":"f"}})",
        sources.empty() ? "" : ",", name, pattern, plan.files, plan.follow, plan.lateness, plan.on_error);
  std::string sinks;
  for (const char* sink : sink_names)
    sinks += fmt::format(
        R"({}{{"name":"{}","connector":"{}","path":"{}/{}","format":"json","roll_size":2000,"roll_every":60000000}})",
        sinks.empty() ? "" : ",", sink, plan.view && sink == sink_names[0] ? "stdout" : "file", plan.out,
        sink);
  return fmt::format(
      R"({{"abi":1,"weir":"test","pipeline":"fake","fingerprint":"p","checkpoint":{{"every":1000000,"dir":"state","keep":3}},)"
      R"("sources":[{}],"operators":[)"
      R"({{"name":"sums","kind":"aggregate","window":{{"size":10,"offset":0}},"inputs":[{{"source":0}},{{"source":1}}],)"
      R"("state_size":32,"strings":[16],"fingerprint":"s"}},)"
      R"({{"name":"letters","kind":"aggregate","window":{{"size":30,"offset":0}},"inputs":[{{"operator":0}}],)"
      R"("state_size":16,"strings":[],"fingerprint":"l"}}],"sinks":[{}],)"
      R"("sites":[{{"code":5001,"stage":"a","message":"not a record","source":0}},)"
      R"({{"code":5001,"stage":"b","message":"not a record","source":1}}]}})",
      sources, sinks);
}

weir_program_t code(const std::string& plan) {
  weir_program_t program{};
  program.abi_version = WEIR_ABI_VERSION;
  program.source_count = 2;
  program.operator_count = 2;
  program.plan = {plan.data(), plan.size()};
  program.source_stages = source_stages;
  program.source_types = source_types;
  program.batch_stages = batch_stages;
  program.close_stages = close_stages;
  return program;
}

void add_rows(Output& output, const std::string& sink, const std::string& lines) {
  std::stringstream in(lines);
  for (std::string line; std::getline(in, line);) ++output[sink][line + "\n"];
}

Output expected(const std::vector<protocol::SourceState>& sources, std::int64_t lateness) {
  constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();
  struct Sum {
    std::int64_t count = 0;
    std::int64_t sum = 0;
    std::string greatest;
  };
  Output output;
  std::map<std::int64_t, std::map<std::string, Sum>> sums;
  std::int64_t watermark = std::numeric_limits<std::int64_t>::max();
  for (std::size_t source = 0; source < sources.size(); ++source) {
    for (const protocol::SplitPosition& split : sources[source].splits) {
      // With files in order, one split has all files; else each its own.
      std::string text;
      bool in_order = sources[source].splits.size() < sources[source].files.size();
      for (std::size_t file = in_order ? 0 : split.file; file <= split.file; ++file) {
        std::string whole = read_file(sources[source].files[file].path);
        text += file == split.file ? whole.substr(0, split.offset) : whole + "\n";
      }
      std::stringstream in(text);
      std::int64_t carried = no_time;
      for (std::string line; std::getline(in, line);) {
        if (line.empty()) continue;
        auto record = parse(line);
        if (!record) {
          ++output["rejected"]["E5001 " + line + "\n"];
          continue;
        }
        if (source == 0 && record->number % 2 == 0) ++output["evens"][even_row(*record)];
        std::int64_t start = window_start(record->time, sums_window);
        if (start + sums_window <= carried) {
          ++output["late"][late_row(*record)];
        } else {
          Sum& sum = sums[start][std::string(record->key)];
          ++sum.count;
          sum.sum += record->number;
          std::string number = std::to_string(record->number);
          if (sum.greatest.empty() || greater(number, sum.greatest)) sum.greatest = number;
        }
        carried = std::max(carried, record->time - lateness);
      }
      if (!split.ended) watermark = std::min(watermark, carried);
    }
  }
  std::map<std::int64_t, std::map<std::string, Sum>> letters;
  for (const auto& [start, keys] : sums) {
    if (start + sums_window > watermark) continue;
    for (const auto& [key, sum] : keys) {
      ++output["sums"][sum_row(key, start, sum.count, sum.sum, sum.greatest)];
      Sum& letter = letters[window_start(start + sums_window - 1, letters_window)][key.substr(0, 1)];
      ++letter.count;
      letter.sum += sum.sum;
    }
  }
  for (const auto& [start, keys] : letters) {
    if (start + letters_window > watermark) continue;
    for (const auto& [key, letter] : keys)
      ++output["letters"][letter_row(key, start, letter.count, letter.sum)];
  }
  return output;
}

std::string difference(const Output& expected, const Output& actual) {
  for (const char* sink : sink_names) {
    auto rows_of = [&](const Output& output) {
      auto found = output.find(sink);
      return found == output.end() ? std::map<std::string, int>{} : found->second;
    };
    auto wanted = rows_of(expected);
    auto found = rows_of(actual);
    for (const auto& [row, count] : wanted)
      if (found[row] != count)
        return fmt::format("{}: {} times instead of {}: {}", sink, found[row], count, row);
    for (const auto& [row, count] : found)
      if (count != 0 && wanted[row] != count)
        return fmt::format("{}: {} times instead of {}: {}", sink, count, wanted[row], row);
  }
  return {};
}

}  // namespace weir::entry::fake
