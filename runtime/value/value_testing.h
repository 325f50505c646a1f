// Types, frames and a worker for tests of this folder. Types live as long as the process.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runtime/abi/abi.h"
#include "runtime/value/scratch.h"

namespace weir::value::testing {

class Worker {
 public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() { weir_scratch_free(&worker_); }
  weir_worker* get() { return &worker_; }
  void reset() { worker_.scratch.cur = worker_.scratch.begin; }

 private:
  weir_worker worker_ = {};
};

inline weir_type* make_type(weir_kind kind, std::uint32_t size, std::uint32_t align) {
  static std::deque<weir_type> types;
  types.push_back({});
  weir_type* type = &types.back();
  type->kind = static_cast<std::uint8_t>(kind);
  type->size = size;
  type->align = align;
  return type;
}

inline const weir_type* bool_type() {
  return make_type(WEIR_BOOL, 1, 1);
}
inline const weir_type* int_type() {
  return make_type(WEIR_INT, 8, 8);
}
inline const weir_type* float_type() {
  return make_type(WEIR_FLOAT, 8, 8);
}
inline const weir_type* string_type() {
  return make_type(WEIR_STRING, 16, 8);
}
inline const weir_type* bytes_type() {
  return make_type(WEIR_BYTES, 16, 8);
}
inline const weir_type* duration_type() {
  return make_type(WEIR_DURATION, 8, 8);
}
inline const weir_type* decimal_type(int precision, int scale) {
  const bool wide = precision > 18;
  weir_type* type = make_type(WEIR_DECIMAL, wide ? 16 : 8, wide ? 16 : 8);
  type->precision = static_cast<std::uint8_t>(precision);
  type->scale = static_cast<std::uint8_t>(scale);
  return type;
}
inline const weir_type* timestamp_type(weir_time_codec codec = WEIR_TIME_RFC3339, bool floor = false,
                                       std::uint32_t pattern = 0) {
  weir_type* type = make_type(WEIR_TIMESTAMP, 8, 8);
  type->time_codec = static_cast<std::uint8_t>(codec);
  type->time_floor = floor ? 1 : 0;
  type->pattern_id = pattern;
  return type;
}
inline std::uint32_t round_up(std::uint32_t size, std::uint32_t align) {
  return (size + align - 1) / align * align;
}
inline const weir_type* optional(const weir_type* inner) {
  weir_type* type = make_type(WEIR_OPTIONAL, round_up(inner->size + 1, inner->align), inner->align);
  type->element = inner;
  return type;
}
inline const weir_type* list(const weir_type* element) {
  weir_type* type = make_type(WEIR_LIST, 16, 8);
  type->element = element;
  type->element_size = element->size;
  return type;
}
inline const weir_type* map(const weir_type* value) {
  weir_type* type = make_type(WEIR_MAP, 16, 8);
  type->element = value;
  type->value_offset = round_up(16, value->align);
  type->element_size = round_up(type->value_offset + value->size, value->align > 8 ? value->align : 8);
  return type;
}

// A record type, field by field.
class Record {
 public:
  Record() : type_(make_type(WEIR_RECORD, 0, 1)) {}
  Record& add(const char* name, const weir_type* type) { return add(name, name, type); }
  Record& add(const char* name, const char* wire_name, const weir_type* type) {
    static std::deque<std::vector<weir_field>> fields;
    if (fields_ == nullptr) {
      fields.emplace_back();
      fields_ = &fields.back();
    }
    const std::uint32_t offset = round_up(end_, type->align);
    fields_->push_back({text(name), text(wire_name), offset, 0, type});
    end_ = offset + type->size;
    type_->fields = fields_->data();
    type_->field_count = static_cast<std::uint32_t>(fields_->size());
    type_->align = type->align > type_->align ? type->align : type_->align;
    type_->size = round_up(end_, type_->align);
    return *this;
  }
  const weir_type* type() const { return type_; }

 private:
  static weir_str text(const char* name) {
    static std::deque<std::string> names;
    names.emplace_back(name);
    return {names.back().data(), names.back().size()};
  }
  weir_type* type_;
  std::vector<weir_field>* fields_ = nullptr;
  std::uint32_t end_ = 0;
};

}  // namespace weir::value::testing
