#include "compiler/interp/value.h"

#include "compiler/flow/text/tokens.h"

namespace weir::interp {
namespace {

using types::Kind;

template <class T>
int order(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

std::string scalar_text(const Value& value, const types::Type& type) {
  if (const auto* truth = std::get_if<bool>(&value.data)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value.data)) return flow::text::float_digits(*number);
  if (const auto* number = std::get_if<Int128>(&value.data)) {
    return flow::text::decimal_digits(*number, type.scale);
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) return flow::text::in_quotes(*text);
  const std::int64_t number = value.integer();
  if (type.kind == Kind::kTimestamp)
    return "@" + flow::text::timestamp_text(number).value_or(std::to_string(number));
  return std::to_string(number) + (type.kind == Kind::kDuration ? "us" : "");
}

}  // namespace

Value value_of(flow::Literal literal) {
  return std::visit([](auto&& value) { return Value{std::forward<decltype(value)>(value)}; },
                    std::move(literal.value));
}

Value list_of(Values values) {
  return {std::make_shared<const Values>(std::move(values))};
}
Value map_of(Entries entries) {
  return {std::make_shared<const Entries>(std::move(entries))};
}

bool equal(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const auto* left = std::get_if<std::shared_ptr<const Values>>(&a.data)) {
    const Values& right = b.values();
    if ((*left)->size() != right.size()) return false;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!equal((**left)[i], right[i])) return false;
    }
    return true;
  }
  if (const auto* left = std::get_if<std::shared_ptr<const Entries>>(&a.data)) {
    const Entries& right = b.entries();
    if ((*left)->size() != right.size()) return false;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if ((**left)[i].first != right[i].first || !equal((**left)[i].second, right[i].second)) return false;
    }
    return true;
  }
  return compare(a, b) == 0;
}

int compare(const Value& a, const Value& b) {
  if (const auto* x = std::get_if<double>(&a.data)) {
    const double y = b.floating();
    if (*x != *x || y != y) return 2;
    return order(*x, y);
  }
  if (const auto* x = std::get_if<std::string>(&a.data)) {
    const int result = x->compare(b.text());  // char_traits<char> compares as unsigned bytes
    return result < 0 ? -1 : (result > 0 ? 1 : 0);
  }
  if (const auto* x = std::get_if<std::int64_t>(&a.data)) return order(*x, b.integer());
  if (const auto* x = std::get_if<Int128>(&a.data)) return order(*x, b.decimal());
  if (const auto* x = std::get_if<bool>(&a.data)) return order(*x, b.truth());
  return 0;
}

std::string to_string(const Value& value, const types::Type& type) {
  if (value.absent()) return "null";
  const types::Type& plain = type.kind == Kind::kOptional ? *type.element : type;
  if (plain.kind == Kind::kRecord) {
    std::string out = "{";
    for (std::size_t i = 0; i < plain.fields.size(); ++i) {
      out += (i > 0 ? ", " : " ") + plain.fields[i].name + ": " +
             to_string(value.values()[i], *plain.fields[i].type);
    }
    return out + " }";
  }
  if (plain.kind == Kind::kList) {
    std::string out = "[";
    for (const Value& element : value.values()) {
      out += (out.size() > 1 ? ", " : "") + to_string(element, *plain.element);
    }
    return out + "]";
  }
  if (plain.kind == Kind::kMap) {
    std::string out = "{";
    for (const auto& [key, element] : value.entries()) {
      out += (out.size() > 1 ? ", \"" : "\"") + key + "\": " + to_string(element, *plain.element);
    }
    return out + "}";
  }
  return scalar_text(value, plain);
}

}  // namespace weir::interp
