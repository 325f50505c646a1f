#include "runtime/connectors/file/file_order.h"

#include <algorithm>

namespace weir::connectors::file {
namespace {

struct Name {
  std::string_view base;
  std::string_view number;  // without leading zeros; of a rotated file
  bool rotated = false;
};

Name split_name(std::string_view path) {
  std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot + 1 == path.size() || dot == 0) return {path, {}, false};
  std::string_view digits = path.substr(dot + 1);
  if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) return {path, {}, false};
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return {path.substr(0, dot), digits, true};
}

}  // namespace

bool read_before(std::string_view a, std::string_view b) {
  Name left = split_name(a);
  Name right = split_name(b);
  if (left.base != right.base) return left.base < right.base;
  if (left.rotated != right.rotated) return left.rotated;
  if (left.number.size() != right.number.size()) return left.number.size() > right.number.size();
  if (left.number != right.number) return left.number > right.number;
  return a < b;
}

}  // namespace weir::connectors::file
