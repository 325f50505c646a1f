#include "runtime/entry/params.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "runtime/entry/flags.h"
#include "runtime/value/helpers.h"
#include "runtime/value/scalar_text.h"

namespace weir::entry {
namespace {

template <typename T>
bool store(void* slot, T value) {
  std::memcpy(slot, &value, sizeof value);
  return true;
}

template <typename T>
bool store_number(void* slot, const std::string& text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && store(slot, value);
}

bool store_decimal(std::string_view type, void* slot, const std::string& text) {
  unsigned precision = 0;
  unsigned scale = 0;
  if (std::sscanf(std::string(type).c_str(), "decimal(%u, %u)", &precision, &scale) != 2 &&
      std::sscanf(std::string(type).c_str(), "decimal(%u,%u)", &precision, &scale) != 2)
    return false;
  weir_i128 value = 0;
  if (weir_parse_decimal(text.data(), text.size(), scale, precision, &value) != 0) return false;
  return precision <= 18 ? store(slot, static_cast<std::int64_t>(value)) : store(slot, value);
}

bool store_duration(void* slot, const std::string& text) {
  bool negative = text.starts_with('-');
  if (auto micros = parse_duration(negative ? text.substr(1) : text))
    return store(slot, negative ? -*micros : *micros);
  std::int64_t micros = 0;
  return value::parse_duration(text, &micros) == 0 && store(slot, micros);
}

bool store_time(void* slot, const std::string& text) {
  std::int64_t micros = 0;
  return value::parse_rfc3339(text.starts_with('@') ? text.substr(1) : text, &micros) == 0 &&
         store(slot, micros);
}

}  // namespace

bool parse_param(std::string_view type, const std::string& text, void* slot) {
  if (type == "bool") return (text == "true" || text == "false") && store<std::uint8_t>(slot, text == "true");
  if (type == "int") return store_number<std::int64_t>(slot, text);
  if (type == "float") {
    double value = 0;
    return store_number<double>(slot, text) &&
           (std::memcpy(&value, slot, sizeof value), std::isfinite(value));
  }
  if (type.starts_with("decimal")) return store_decimal(type, slot, text);
  // A default from the plan is a number of microseconds.
  if (type == "duration") return store_duration(slot, text) || store_number<std::int64_t>(slot, text);
  if (type == "timestamp") return store_time(slot, text) || store_number<std::int64_t>(slot, text);
  return false;
}

Result<Params> Params::make(const exec::Plan& plan,
                            const std::vector<std::pair<std::string, std::string>>& given) {
  Params params;
  for (const exec::ParamPlan& param : plan.params) {
    std::string text = param.default_value;
    for (const auto& [name, value] : given)
      if (name == param.name) text = value;
    params.slots_.push_back(std::make_unique<Slot>());
    std::memset(params.slots_.back()->bytes, 0, sizeof(Slot));
    void* slot = params.slots_.back()->bytes;
    params.strings_.push_back(std::make_unique<std::string>(text));
    const std::string& kept = *params.strings_.back();
    bool fits = param.type == "string" ? store(slot, weir_str{kept.data(), kept.size()})
                                       : parse_param(param.type, text, slot);
    if (!fits)
      return fail(RunError::bad_parameter,
                  fmt::format("parameter {}: \"{}\" is not a {}", param.name, text, param.type));
    params.texts_.push_back(std::move(text));
  }
  return params;
}

std::vector<const void*> Params::slots() const {
  std::vector<const void*> slots;
  for (const auto& slot : slots_) slots.push_back(slot->bytes);
  return slots;
}

}  // namespace weir::entry
