#include "runtime/value/text_tables.h"

#include <cstring>

#include "runtime/value/helpers.h"
#include "runtime/value/regex.h"
#include "runtime/value/text.h"
#include "runtime/value/text_tables_access.h"
#include "runtime/value/time_pattern.h"

struct weir_text_tables {
  std::vector<std::unique_ptr<weir::value::Regex>> regexes;
  std::vector<std::unique_ptr<weir::value::TimePattern>> times;
};

namespace weir::value {

std::expected<std::shared_ptr<const weir_text_tables>, std::string> make_text_tables(
    const std::vector<std::string>& regexes, const std::vector<TimePatternText>& time_patterns) {
  auto tables = std::make_shared<weir_text_tables>();
  for (const std::string& pattern : regexes) {
    auto regex = Regex::make(pattern);
    if (!regex) {
      return std::unexpected("regex \"" + pattern + "\": " + regex.error());
    }
    tables->regexes.push_back(std::move(*regex));
  }
  for (const TimePatternText& text : time_patterns) {
    auto pattern = TimePattern::make(text.pattern, text.zone);
    if (!pattern) {
      return std::unexpected("time pattern \"" + text.pattern + "\": " + pattern.error());
    }
    tables->times.push_back(std::move(*pattern));
  }
  return tables;
}

const Regex& regex_of(const weir_text_tables& tables, std::uint32_t index) {
  return *tables.regexes[index];
}

namespace {

std::uint64_t put_problem(const std::string& problem, char* text, std::uint64_t capacity) {
  const std::uint64_t size = problem.size() < capacity ? problem.size() : capacity;
  std::memcpy(text, problem.data(), size);
  return size;
}

weir_str copied(weir_worker* worker, std::string_view text) {
  auto* out = static_cast<char*>(weir_scratch_take(worker, text.size()));
  if (!text.empty()) {
    std::memcpy(out, text.data(), text.size());
  }
  return {out, text.size()};
}

}  // namespace

}  // namespace weir::value

extern "C" {

int32_t weir_regex_matches(const struct weir_text_tables* texts, uint32_t regex, const char* data,
                           uint64_t size) {
  std::string_view whole;
  return texts->regexes[regex]->find({data, size}, 0, &whole, 0) ? 1 : 0;
}

int32_t weir_regex_extract(const struct weir_text_tables* texts, uint32_t regex, const char* data,
                           uint64_t size, uint32_t group, weir_str* result) {
  const weir::value::Regex& compiled = *texts->regexes[regex];
  std::string_view groups[64];
  if (group > compiled.groups().size() || !compiled.find({data, size}, 0, groups, group + 1) ||
      groups[group].data() == nullptr) {
    *result = {nullptr, 0};
    return 0;
  }
  *result = {groups[group].data(), groups[group].size()};
  return 1;
}

void weir_regex_replace(weir_worker* worker, uint32_t regex, const char* data, uint64_t size, const char* to,
                        uint64_t to_size, weir_str* result) {
  const weir::value::Regex& compiled = *worker->texts->regexes[regex];
  data = data == nullptr ? "" : data;
  const std::string_view text(data, size);
  const std::string_view replacement(to, to_size);
  std::string out;
  std::string_view groups[10];
  std::size_t at = 0;
  std::size_t copied_to = 0;
  while (at <= size &&
         compiled.find(text, at, groups, compiled.groups().size() < 10 ? compiled.groups().size() + 1 : 10)) {
    const auto begin = static_cast<std::size_t>(groups[0].data() - data);
    // An empty match right behind another match is none.
    const bool counts = !groups[0].empty() || begin != copied_to || begin == 0;
    out.append(text, copied_to, begin - copied_to);
    for (std::size_t i = 0; counts && i < replacement.size(); ++i) {
      if (replacement[i] != '$' || i + 1 == replacement.size()) {
        out += replacement[i];
        continue;
      }
      const char next = replacement[++i];
      if (next >= '0' && next <= '9') {
        const auto group = static_cast<std::size_t>(next - '0');
        if (group <= compiled.groups().size()) {
          out += groups[group];
        }
      } else {
        if (next != '$') {
          out += '$';
        }
        out += next;
      }
    }
    copied_to = begin + groups[0].size();
    if (!groups[0].empty()) {
      at = copied_to;
      continue;
    }
    // An empty match: go on behind the next character, which stays.
    at = copied_to + 1;
    while (at < size && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
      ++at;
    }
  }
  out.append(text, copied_to < size ? copied_to : size);
  *result = weir::value::copied(worker, out);
}

int32_t weir_time_parse(const struct weir_text_tables* texts, uint32_t pattern, const char* data,
                        uint64_t size, int64_t* result) {
  return texts->times[pattern]->parse({data, size}, result);
}

void weir_time_format(weir_worker* worker, uint32_t pattern, int64_t time, weir_str* result) {
  std::string out;
  worker->texts->times[pattern]->format(time, out);
  *result = weir::value::copied(worker, out);
}

weir_str weir_time_pattern_text(const struct weir_text_tables* texts, uint32_t pattern) {
  const std::string& text = texts->times[pattern]->text();
  return {text.data(), text.size()};
}

uint64_t weir_regex_problem(const char* pattern, uint64_t size, char* text, uint64_t capacity) {
  const auto regex = weir::value::Regex::make(std::string(pattern, size));
  return regex ? 0 : weir::value::put_problem(regex.error(), text, capacity);
}

uint64_t weir_time_pattern_problem(const char* pattern, uint64_t size, const char* zone, uint64_t zone_size,
                                   int32_t reading, char* text, uint64_t capacity) {
  const std::string where = zone_size == 0 ? "UTC" : std::string(zone, zone_size);
  return weir::value::put_problem(
      weir::value::TimePattern::check(std::string(pattern, size), where, reading != 0), text, capacity);
}

}  // extern "C"
