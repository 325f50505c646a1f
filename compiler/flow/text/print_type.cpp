#include "compiler/flow/text/print_type.h"

#include <algorithm>

#include "compiler/flow/text/tokens.h"

namespace weir::flow::text {
namespace {

using types::Kind;
using types::TimeCodec;

std::string codec_text(const TimeCodec& codec) {
  std::string form;
  switch (codec.form) {
    case TimeCodec::Form::kRfc3339:
      break;
    case TimeCodec::Form::kUnixS:
      form = "unix_s";
      break;
    case TimeCodec::Form::kUnixMs:
      form = "unix_ms";
      break;
    case TimeCodec::Form::kUnixUs:
      form = "unix_us";
      break;
    case TimeCodec::Form::kUnixNs:
      form = "unix_ns";
      break;
    case TimeCodec::Form::kPattern:
      form = codec.pattern;
      break;
  }
  std::string out;
  if (codec.form == TimeCodec::Form::kPattern) {
    out = "pattern: " + in_quotes(form);
  } else if (!form.empty()) {
    out = in_quotes(form);
  }
  if (!codec.zone.empty()) out += (out.empty() ? "zone: " : ", zone: ") + in_quotes(codec.zone);
  if (codec.floor) out += out.empty() ? "floor" : ", floor";
  return out.empty() ? "" : "(" + out + ")";
}

}  // namespace

void TypePrinter::declare(const TypeRef& type) {
  if (type == nullptr) return;
  declare(type->element);
  for (const types::Field& field : type->fields) declare(field.type);
  if (type->kind != Kind::kRecord || type->name.empty() || find(*type) != nullptr) return;
  const auto taken = [&](const std::string& label) {
    return std::any_of(declared_.begin(), declared_.end(),
                       [&](const Declared& d) { return d.label == label; });
  };
  std::string label = name(type->name);
  for (int number = 2; taken(label); ++number) label = name(type->name) + "#" + std::to_string(number);
  declared_.push_back({type, label});
}

const TypePrinter::Declared* TypePrinter::find(const types::Type& type) const {
  for (const Declared& declared : declared_) {
    if (types::identical(*declared.type, type)) return &declared;
  }
  return nullptr;
}

std::string TypePrinter::print(const TypeRef& type) const {
  if (type == nullptr) return "error";
  switch (type->kind) {
    case Kind::kError:
      return "error";
    case Kind::kTimestamp:
      return "timestamp" + codec_text(type->codec);
    case Kind::kList:
      return "list<" + print(type->element) + ">";
    case Kind::kMap:
      return "map<string, " + print(type->element) + ">";
    case Kind::kOptional:
      return print(type->element) + "?";
    case Kind::kRecord: {
      const Declared* declared = type->name.empty() ? nullptr : find(*type);
      return declared != nullptr ? declared->label : fields(*type);
    }
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kDecimal:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kDuration:
      return types::to_string(*type);
  }
  return "error";
}

std::string TypePrinter::fields(const types::Type& type) const {
  if (type.fields.empty()) return "{}";
  std::string out = "{ ";
  for (const types::Field& field : type.fields) {
    if (out.size() > 2) out += ", ";
    out += name(field.name) + ": " + print(field.type);
    if (field.wire_name != field.name) out += " as " + in_quotes(field.wire_name);
  }
  return out + " }";
}

std::string TypePrinter::declarations() const {
  std::string out;
  for (const Declared& declared : declared_) {
    out += "type " + declared.label + " = " + fields(*declared.type) + "\n";
  }
  return out;
}

}  // namespace weir::flow::text
