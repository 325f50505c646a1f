#include "compiler/lower/text_out.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <nlohmann/json.hpp>

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"
#include "runtime/value/helpers.h"

namespace weir::lower {

using types::Kind;
using types::Type;

namespace {

const std::string& wire_name(const types::Field& field) {
  return field.wire_name.empty() ? field.name : field.wire_name;
}

std::string key_text(const types::Field& field) {
  return nlohmann::json(wire_name(field)).dump() + ":";
}

// Room for a scalar that is no text; 0 for others.
std::uint64_t scalar_room(const Type& type) {
  switch (type.kind) {
    case Kind::kBool:
      return 8;
    case Kind::kInt:
      return WEIR_MAX_INT;
    case Kind::kDecimal:
      return WEIR_MAX_DECIMAL;
    case Kind::kFloat:
      return WEIR_MAX_FLOAT;
    case Kind::kTimestamp:
      return WEIR_MAX_TIMESTAMP + 2;
    case Kind::kDuration:
      return WEIR_MAX_DURATION + 2;
    default:
      return 0;
  }
}

// Adds up constant and running parts of a bound.
class Bound {
 public:
  explicit Bound(Emitter& e) : e_(e) {}

  void add(std::uint64_t bytes) { fixed_ += bytes; }
  void add(llvm::Value* bytes) { running_ = running_ == nullptr ? bytes : e_.ir.CreateAdd(running_, bytes); }
  void add(llvm::Value* bytes, std::uint64_t factor, std::uint64_t more) {
    add(e_.ir.CreateMul(bytes, e_.unit.constant(static_cast<std::int64_t>(factor))));
    add(more);
  }
  llvm::Value* value() {
    llvm::Value* constant = e_.unit.constant(static_cast<std::int64_t>(fixed_));
    return running_ == nullptr ? constant : e_.ir.CreateAdd(running_, constant);
  }

 private:
  Emitter& e_;
  std::uint64_t fixed_ = 0;
  llvm::Value* running_ = nullptr;
};

void bound_json(Emitter& e, const Value& value, Bound& bound) {
  const Type& type = *value.type;
  switch (type.kind) {
    case Kind::kString:
      return bound.add(e.second(value), 6, 32);
    case Kind::kBytes:
      return bound.add(e.second(value), 2, 16);
    case Kind::kOptional:
      bound.add(4);
      return bound_json(e, e.inner(value), bound);  // an absent value has zero bytes
    case Kind::kRecord:
      bound.add(2);
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        bound.add(key_text(type.fields[i]).size() + 1);
        bound_json(e, e.field(value, static_cast<int>(i)), bound);
      }
      return;
    case Kind::kList:
    case Kind::kMap:
      return bound.add(e.call("weir_json_bound", e.unit.i64, {e.unit.descriptor(value.type), e.slot(value)}));
    default:
      return bound.add(scalar_room(type));
  }
}

// Writes constant text as late as possible, so that neighbours become one copy.
class Writer {
 public:
  Writer(Emitter& e, llvm::Value* at) : e_(e), at_(at) {}

  void text(const std::string& text) { pending_ += text; }

  llvm::Value* end() {
    flush();
    return at_;
  }

  void json(const Value& value) {
    switch (value.type->kind) {
      case Kind::kRecord:
        return record(value);
      case Kind::kOptional:
        return optional(value, "null", [&](const Value& inner) { json(inner); });
      case Kind::kString:
        return call("weir_put_json_string", {e_.first(value), e_.second(value)});
      case Kind::kBytes:
      case Kind::kTimestamp:
      case Kind::kDuration:
        text("\"");
        scalar(value);
        return text("\"");
      case Kind::kList:
      case Kind::kMap:
        flush();
        at_ = e_.call("weir_put_json", e_.unit.ptr, {at_, e_.unit.descriptor(value.type), e_.slot(value)});
        if (may_have_no_text(*value.type)) refuse_null();
        return;
      default:
        return scalar(value);
    }
  }

  void csv(const Value& value) {
    switch (value.type->kind) {
      case Kind::kRecord:
        for (std::size_t i = 0; i < value.type->fields.size(); ++i) {
          if (i > 0) text(",");
          csv(e_.field(value, static_cast<int>(i)));
        }
        return;
      case Kind::kOptional:
        return optional(value, std::string(commas(*value.type->element), ','),
                        [&](const Value& inner) { csv(inner); });
      case Kind::kString:
        return call("weir_put_csv_string", {e_.first(value), e_.second(value)});
      case Kind::kList:
      case Kind::kMap:
        throw Unsupported("a list or map in CSV");
      default:
        return scalar(value);
    }
  }

 private:
  // Separators inside a value's columns.
  static std::size_t commas(const Type& type) {
    if (type.kind == Kind::kOptional) return commas(*type.element);
    if (type.kind != Kind::kRecord || type.fields.empty()) return 0;
    std::size_t count = type.fields.size() - 1;
    for (const types::Field& field : type.fields) count += commas(*field.type);
    return count;
  }

  void flush() {
    if (pending_.empty()) return;
    e_.ir.CreateMemCpy(at_, llvm::Align(1), e_.unit.bytes(pending_), llvm::Align(1), pending_.size());
    at_ = e_.offset(at_, pending_.size());
    pending_.clear();
  }

  void call(const char* helper, std::vector<llvm::Value*> args) {
    flush();
    args.insert(args.begin(), at_);
    at_ = e_.call(helper, e_.unit.ptr, args);
  }

  void refuse_null() { e_.fail_if(e_.ir.CreateIsNull(at_), 5014, title_of(5014)); }

  void scalar(const Value& value) {
    const Type& type = *value.type;
    switch (type.kind) {
      case Kind::kBool:
        return call("weir_put_bool", {e_.ir.CreateZExt(e_.first(value), e_.unit.i32)});
      case Kind::kInt:
        return call("weir_put_int", {e_.first(value)});
      case Kind::kFloat:
        call("weir_put_float", {e_.first(value)});
        return refuse_null();
      case Kind::kDecimal:
        return call(is_wide(type) ? "weir_put_decimal128" : "weir_put_decimal64",
                    {e_.first(value), e_.unit.constant32(static_cast<std::uint32_t>(type.scale))});
      case Kind::kTimestamp:
        return call("weir_put_timestamp", {e_.first(value)});
      case Kind::kDuration:
        return call("weir_put_duration", {e_.first(value)});
      case Kind::kBytes:
        return call("weir_put_base64", {e_.first(value), e_.second(value)});
      default:
        throw Unsupported("text of " + types::to_string(type));
    }
  }

  void record(const Value& value) {
    text("{");
    for (std::size_t i = 0; i < value.type->fields.size(); ++i) {
      if (i > 0) text(",");
      text(key_text(value.type->fields[i]));
      json(e_.field(value, static_cast<int>(i)));
    }
    text("}");
  }

  void optional(const Value& value, const std::string& absent,
                const std::function<void(const Value&)>& write) {
    flush();
    llvm::BasicBlock* yes = e_.block("present");
    llvm::BasicBlock* no = e_.block("absent");
    llvm::BasicBlock* join = e_.block("join");
    llvm::Value* begin = at_;
    e_.ir.CreateCondBr(e_.present(value), yes, no);
    e_.at(yes);
    write(e_.inner(value));
    flush();
    llvm::Value* end_yes = at_;
    llvm::BasicBlock* from_yes = e_.ir.GetInsertBlock();
    e_.ir.CreateBr(join);
    e_.at(no);
    at_ = begin;
    text(absent);
    flush();
    llvm::Value* end_no = at_;
    e_.ir.CreateBr(join);
    e_.at(join);
    llvm::PHINode* merged = e_.ir.CreatePHI(e_.unit.ptr, 2);
    merged->addIncoming(end_yes, from_yes);
    merged->addIncoming(end_no, no);
    at_ = merged;
  }

  Emitter& e_;
  llvm::Value* at_;
  std::string pending_;
};

void bound_csv(Emitter& e, const Value& value, Bound& bound) {
  const Type& type = *value.type;
  switch (type.kind) {
    case Kind::kString:
    case Kind::kBytes:
      return bound.add(e.second(value), 2, 32);
    case Kind::kOptional:
      return bound_csv(e, e.inner(value), bound);
    case Kind::kRecord:
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        bound.add(1);
        bound_csv(e, e.field(value, static_cast<int>(i)), bound);
      }
      return;
    default:
      return bound.add(scalar_room(type));
  }
}

void collect_columns(const Type& type, const std::string& prefix, std::vector<std::string>& columns) {
  if (type.kind == Kind::kOptional) return collect_columns(*type.element, prefix, columns);
  if (type.kind != Kind::kRecord) {
    columns.push_back(prefix);
    return;
  }
  for (const types::Field& field : type.fields) {
    collect_columns(*field.type, prefix.empty() ? wire_name(field) : prefix + "." + wire_name(field),
                    columns);
  }
}

}  // namespace

bool may_have_no_text(const Type& type) {
  if (type.kind == Kind::kFloat) return true;
  if (type.element != nullptr && may_have_no_text(*type.element)) return true;
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const types::Field& field) { return may_have_no_text(*field.type); });
}

llvm::Value* json_bound(Emitter& e, const Value& value) {
  Bound bound(e);
  bound_json(e, value, bound);
  return bound.value();
}

llvm::Value* csv_bound(Emitter& e, const Value& row) {
  Bound bound(e);
  bound_csv(e, row, bound);
  return bound.value();
}

llvm::Value* put_json(Emitter& e, llvm::Value* at, const Value& value) {
  Writer writer(e, at);
  writer.json(value);
  return writer.end();
}

llvm::Value* put_csv(Emitter& e, llvm::Value* at, const Value& row) {
  Writer writer(e, at);
  writer.csv(row);
  return writer.end();
}

std::string csv_header(const Type& row) {
  std::vector<std::string> columns;
  collect_columns(row, "", columns);
  std::string line;
  for (const std::string& column : columns) {
    if (!line.empty()) line += ",";
    if (column.find_first_of(",\"\r\n") == std::string::npos && !column.empty()) {
      line += column;
      continue;
    }
    line += '"';
    for (char c : column) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + "\n";
}

}  // namespace weir::lower
