#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace weir::fuzz {
namespace {

constexpr std::array kWords = {"|>",
                               "where",
                               "select",
                               "extend",
                               "drop",
                               "rename",
                               "flatten",
                               "as",
                               "aggregate",
                               "by",
                               "over",
                               "tumbling",
                               "count()",
                               "sum",
                               "min",
                               "max",
                               "avg",
                               "pipeline",
                               "type",
                               "fn",
                               "param",
                               "source",
                               "stream",
                               "sink",
                               "test",
                               "given",
                               "expect",
                               "accept",
                               "identity",
                               "time",
                               "lateness",
                               "on",
                               "error",
                               "late",
                               "to",
                               "from",
                               "file",
                               "format",
                               "json",
                               "csv",
                               "text",
                               "regex",
                               "int",
                               "float",
                               "decimal(12, 2)",
                               "string",
                               "bool",
                               "duration",
                               "timestamp",
                               "list<",
                               "map<",
                               "?",
                               "??",
                               "?.",
                               "==",
                               "!=",
                               "<=",
                               ">=",
                               "and",
                               "or",
                               "not",
                               "in",
                               "is null",
                               "if",
                               "then",
                               "else",
                               "match",
                               "let",
                               "=>",
                               "=",
                               "null",
                               "true",
                               "0",
                               "1",
                               "-1",
                               "9223372036854775807",
                               "1.5",
                               "1e300",
                               "5s",
                               "10m",
                               "\"\"",
                               "\"a${x}b\"",
                               "r\"(?<a>b)\"",
                               "@2026-01-01T00:00:00Z",
                               "now()",
                               "random()",
                               "try",
                               "(",
                               ")",
                               "[",
                               "]",
                               "{",
                               "}",
                               ",",
                               ":",
                               ".",
                               "..",
                               "div",
                               "%",
                               "+",
                               "-",
                               "*",
                               "/",
                               "`",
                               "\xc3\xa9"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::size_t token_end(std::string_view text, std::size_t at) {
  const char first = text[at];
  std::size_t end = at + 1;
  if (is_word(first)) {
    while (end < text.size() && is_word(text[end])) ++end;
  } else if (is_space(first)) {
    while (end < text.size() && is_space(text[end])) ++end;
  } else if (first == '"') {
    while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
    end = std::min(end + 1, text.size());
  }
  return end;
}

}  // namespace

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = token_end(text, at);
    result.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return result;
}

std::string mutate(std::string_view text, unsigned seed) {
  std::minstd_rand random(seed);
  const auto below = [&](std::size_t limit) {
    return static_cast<std::size_t>(random()) % std::max<std::size_t>(limit, 1);
  };
  std::vector<std::string> list = tokens(text);
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    if (list.empty()) list.emplace_back(" ");
    const std::size_t at = below(list.size());
    const auto place = list.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(6)) {
      case 0:
        list.erase(place);
        break;
      case 1:
        list.insert(place, std::string(list[at]));
        break;
      case 2:
        std::swap(list[at], list[below(list.size())]);
        break;
      case 3:
        list[at] = std::string(list[below(list.size())]);
        break;
      case 4:
        list[at] = kWords[below(kWords.size())];
        break;
      default:
        list.insert(place, std::string(" ") + kWords[below(kWords.size())] + " ");
        break;
    }
  }
  std::string result;
  for (const std::string& token : list) result += token;
  return result;
}

}  // namespace weir::fuzz
