#include "compiler/types/type.h"

#include <utility>

namespace weir::types {
namespace {

TypeRef simple(Kind kind) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  return type;
}

TypeRef with_element(Kind kind, TypeRef element) {
  auto type = std::make_shared<Type>();
  type->kind = kind;
  type->element = std::move(element);
  return type;
}

bool compare(const Type& a, const Type& b, bool wire) {
  if (&a == &b) return true;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Kind::kDecimal:
      return a.precision == b.precision && a.scale == b.scale;
    case Kind::kTimestamp:
      return !wire || a.codec == b.codec;
    case Kind::kList:
    case Kind::kMap:
    case Kind::kOptional:
      return compare(*a.element, *b.element, wire);
    case Kind::kRecord: {
      if (a.fields.size() != b.fields.size()) return false;
      if (wire && a.name != b.name) return false;
      for (std::size_t i = 0; i < a.fields.size(); ++i) {
        if (a.fields[i].name != b.fields[i].name) return false;
        if (wire && a.fields[i].wire_name != b.fields[i].wire_name) return false;
        if (!compare(*a.fields[i].type, *b.fields[i].type, wire)) return false;
      }
      return true;
    }
    default:
      return true;
  }
}

TypeRef position_record() {
  return record("", {{"path", "path", string()}, {"position", "position", integer()}});
}

}  // namespace

TypeRef error() {
  return simple(Kind::kError);
}
TypeRef null() {
  return simple(Kind::kNull);
}
TypeRef boolean() {
  return simple(Kind::kBool);
}
TypeRef integer() {
  return simple(Kind::kInt);
}
TypeRef floating() {
  return simple(Kind::kFloat);
}
TypeRef string() {
  return simple(Kind::kString);
}
TypeRef bytes() {
  return simple(Kind::kBytes);
}
TypeRef duration() {
  return simple(Kind::kDuration);
}

TypeRef decimal(int precision, int scale) {
  auto type = std::make_shared<Type>();
  type->kind = Kind::kDecimal;
  type->precision = precision;
  type->scale = scale;
  return type;
}

TypeRef timestamp(TimeCodec codec) {
  auto type = std::make_shared<Type>();
  type->kind = Kind::kTimestamp;
  type->codec = std::move(codec);
  return type;
}

TypeRef list(TypeRef element) {
  return with_element(Kind::kList, std::move(element));
}
TypeRef map(TypeRef value) {
  return with_element(Kind::kMap, std::move(value));
}

TypeRef record(std::string name, std::vector<Field> fields) {
  auto type = std::make_shared<Type>();
  type->kind = Kind::kRecord;
  type->name = std::move(name);
  type->fields = std::move(fields);
  return type;
}

TypeRef optional(TypeRef inner) {
  if (inner->kind == Kind::kOptional || inner->kind == Kind::kNull || inner->kind == Kind::kError)
    return inner;
  return with_element(Kind::kOptional, std::move(inner));
}

bool same(const Type& a, const Type& b) {
  return compare(a, b, false);
}
bool identical(const Type& a, const Type& b) {
  return compare(a, b, true);
}

bool is_optional(const TypeRef& type) {
  return type->kind == Kind::kOptional;
}
TypeRef strip_optional(const TypeRef& type) {
  return is_optional(type) ? type->element : type;
}

const Field* find_field(const Type& record, const std::string& name) {
  for (const Field& field : record.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Kind::kError:
      return "<error>";
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kDecimal:
      return "decimal(" + std::to_string(type.precision) + ", " + std::to_string(type.scale) + ")";
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "bytes";
    case Kind::kTimestamp:
      return "timestamp";
    case Kind::kDuration:
      return "duration";
    case Kind::kList:
      return "list<" + to_string(*type.element) + ">";
    case Kind::kMap:
      return "map<string, " + to_string(*type.element) + ">";
    case Kind::kOptional:
      return to_string(*type.element) + "?";
    case Kind::kRecord: {
      if (!type.name.empty()) return type.name;
      std::string text = "{ ";
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        if (i > 0) text += ", ";
        text += type.fields[i].name + ": " + to_string(*type.fields[i].type);
      }
      return text + " }";
    }
  }
  return "<unknown>";
}

TypeRef window_record() {
  return record("", {{"start", "start", timestamp()}, {"end", "end", timestamp()}});
}

TypeRef meta_record() {
  return record("", {{"path", "path", string()},
                     {"position", "position", integer()},
                     {"received", "received", timestamp()}});
}

TypeRef rejected_record() {
  return record("Rejected", {{"source", "source", string()},
                             {"stage", "stage", string()},
                             {"code", "code", string()},
                             {"message", "message", string()},
                             {"meta", "meta", position_record()},
                             {"raw", "raw", bytes()}});
}

TypeRef late_record(const TypeRef& row) {
  return record(
      "", {{"record", "record", row}, {"behind", "behind", duration()}, {"meta", "meta", position_record()}});
}

}  // namespace weir::types
