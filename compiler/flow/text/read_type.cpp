#include "compiler/flow/text/read_type.h"

#include <array>
#include <utility>

namespace weir::flow::text {
namespace {

using Form = types::TimeCodec::Form;

constexpr int kMaxTypeDepth = 200;

constexpr std::array<std::pair<std::string_view, Form>, 4> kForms = {{
    {"unix_s", Form::kUnixS},
    {"unix_ms", Form::kUnixMs},
    {"unix_us", Form::kUnixUs},
    {"unix_ns", Form::kUnixNs},
}};

}  // namespace

std::string TypeReader::read_label() {
  std::string label = cursor_.name();
  if (cursor_.take("#")) label += "#" + std::to_string(cursor_.integer());
  return label;
}

void TypeReader::read_declaration() {
  const std::string label = read_label();
  cursor_.expect("=");
  auto fields = read_fields();
  if (cursor_.failed()) return;
  const std::size_t number = label.find('#');
  declared_[label] = types::record(label.substr(0, number), std::move(fields));
}

std::vector<types::Field> TypeReader::read_fields() {
  std::vector<types::Field> fields;
  cursor_.expect("{");
  while (!cursor_.failed() && !cursor_.take("}")) {
    if (!fields.empty()) cursor_.expect(",");
    types::Field field;
    field.name = cursor_.name();
    cursor_.expect(":");
    field.type = read();
    field.wire_name = cursor_.take_word("as") ? cursor_.quoted() : field.name;
    fields.push_back(std::move(field));
  }
  return fields;
}

TypeRef TypeReader::read() {
  if (++depth_ > kMaxTypeDepth) cursor_.fail("a type is nested too deeply");
  TypeRef type = cursor_.failed() ? types::error() : read_plain();
  while (cursor_.take("?")) type = types::optional(type);
  --depth_;
  return type;
}

TypeRef TypeReader::read_timestamp() {
  types::TimeCodec codec;
  if (!cursor_.take("(")) return types::timestamp();
  while (!cursor_.failed() && !cursor_.take(")")) {
    if (cursor_.take_word("floor")) {
      codec.floor = true;
    } else if (cursor_.take_word("zone")) {
      cursor_.expect(":");
      codec.zone = cursor_.quoted();
    } else if (cursor_.take_word("pattern")) {
      cursor_.expect(":");
      codec.form = Form::kPattern;
      codec.pattern = cursor_.quoted();
    } else {
      const std::string form = cursor_.quoted();
      bool known = false;
      for (const auto& [word, value] : kForms) {
        if (word != form) continue;
        codec.form = value;
        known = true;
      }
      if (!known) cursor_.fail("unknown form of a timestamp");
    }
    cursor_.take(",");
  }
  return types::timestamp(codec);
}

TypeRef TypeReader::read_decimal() {
  cursor_.expect("(");
  const auto precision = cursor_.integer();
  cursor_.expect(",");
  const auto scale = cursor_.integer();
  cursor_.expect(")");
  return types::decimal(static_cast<int>(precision), static_cast<int>(scale));
}

TypeRef TypeReader::read_plain() {
  if (cursor_.sees("{")) return types::record("", read_fields());
  const std::string label = read_label();
  if (const auto found = declared_.find(label); found != declared_.end()) return found->second;
  if (label == "bool") return types::boolean();
  if (label == "int") return types::integer();
  if (label == "float") return types::floating();
  if (label == "string") return types::string();
  if (label == "bytes") return types::bytes();
  if (label == "duration") return types::duration();
  if (label == "null") return types::null();
  if (label == "error") return types::error();
  if (label == "timestamp") return read_timestamp();
  if (label == "decimal") return read_decimal();
  if (label == "list" || label == "map") {
    cursor_.expect("<");
    if (label == "map") {
      cursor_.expect_word("string");
      cursor_.expect(",");
    }
    TypeRef element = read();
    cursor_.expect(">");
    return label == "list" ? types::list(std::move(element)) : types::map(std::move(element));
  }
  cursor_.fail("there is no type `" + label + "`");
  return types::error();
}

}  // namespace weir::flow::text
