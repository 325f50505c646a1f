#include "compiler/check/type_expr.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/check/pattern.h"

namespace weir::check {

using diagnostics::Code;
using source::Span;
using types::Kind;

namespace {

const char* const kTypeNames[] = {"bool",  "int",       "float",    "decimal", "string",
                                  "bytes", "timestamp", "duration", "list",    "map"};

bool zone_shaped(const std::string& zone) {
  return !zone.empty() && std::all_of(zone.begin(), zone.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '_' || c == '-' || c == '+';
  });
}

}  // namespace

TypeRef Types::bad(Span span, const std::string& message, const std::string& label) {
  out_.report(Code::bad_type, span, message).label(label);
  return types::error();
}

bool Types::plain(const ast::NamedType& type) {
  if (type.type_args.empty() && type.args.empty()) return true;
  bad(type.span, "`" + type.name.text + "` takes no arguments", "write `" + type.name.text + "` alone");
  return false;
}

TypeRef Types::resolve(const ast::TypeExpr& type, const TypeBindings& variables) {
  switch (type.kind) {
    case ast::TypeExprKind::named:
      return named(ast::as<ast::NamedType>(type), variables);
    case ast::TypeExprKind::optional: {
      const auto& optional = ast::as<ast::OptionalType>(type);
      const TypeRef inner = resolve(*optional.inner, variables);
      if (types::is_optional(inner)) {
        return bad(type.span, "a value is absent or not; `??` says it twice", "one `?` is enough");
      }
      return types::optional(inner);
    }
    case ast::TypeExprKind::function:
      return bad(type.span, "a function is not a value that can be kept",
                 "only parameters of library functions take one");
    case ast::TypeExprKind::error:
      return types::error();
  }
  return types::error();
}

TypeRef Types::named(const ast::NamedType& type, const TypeBindings& variables) {
  const std::string& name = type.name.text;
  if (const auto found = variables.find(name); found != variables.end()) return found->second;
  if (const auto found = symbols_.types.find(name); found != symbols_.types.end()) {
    if (!plain(type)) return types::error();
    if (const auto* decl = ast::try_as<ast::RecordTypeDecl>(found->second)) {
      if (!path_.empty()) path_.back().through = type.span;
      return record(*decl);
    }
    if (found->second->broken) return types::error();  // may well be a record
    out_.report(Code::not_supported_yet, type.span, "an enum as a type is not supported yet")
        .label("`" + name + "` is an enum")
        .also(resolve::name_of(*found->second)->span, "declared here")
        .help("a `string` carries its names meanwhile");
    return types::error();
  }
  if (name == "bool") return plain(type) ? types::boolean() : types::error();
  if (name == "int") return plain(type) ? types::integer() : types::error();
  if (name == "float") return plain(type) ? types::floating() : types::error();
  if (name == "string") return plain(type) ? types::string() : types::error();
  if (name == "bytes") return plain(type) ? types::bytes() : types::error();
  if (name == "duration") return plain(type) ? types::duration() : types::error();
  if (name == "decimal") return decimal(type);
  if (name == "timestamp") return timestamp(type);
  if (name == "list") {
    if (type.type_args.size() != 1 || !type.args.empty()) {
      return bad(type.span, "a list needs the type of its elements", "for example `list<int>`");
    }
    const TypeRef element = resolve(*type.type_args[0], variables);
    return element->kind == Kind::kError ? element : types::list(element);
  }
  if (name == "map") {
    if (type.type_args.size() != 2 || !type.args.empty()) {
      return bad(type.span, "a map needs the types of its keys and values", "for example `map<string, int>`");
    }
    const TypeRef key = resolve(*type.type_args[0], variables);
    const TypeRef value = resolve(*type.type_args[1], variables);
    if (key->kind == Kind::kError || value->kind == Kind::kError) return types::error();
    if (key->kind != Kind::kString) {
      out_.report(Code::bad_type, type.type_args[0]->span, "the keys of a map are strings")
          .label("this is " + types::to_string(key))
          .suggest("use `string`", type.type_args[0]->span, "string");
      return types::error();
    }
    return types::map(value);
  }
  // The rows of error and late streams.
  if (name == "Rejected") return plain(type) ? types::rejected_record() : types::error();
  if (name == "Late") {
    if (type.type_args.size() != 1 || !type.args.empty()) {
      return bad(type.span, "a late record has the type of its source's records",
                 "for example `Late<Order>`");
    }
    const TypeRef row = resolve(*type.type_args[0], variables);
    return row->kind == Kind::kError ? row : types::late_record(row);
  }
  if (name == "json" || name == "date") {
    out_.report(Code::not_supported_yet, type.span, "the type `" + name + "` is not supported yet")
        .label("not in this version")
        .note("the language has it, this compiler does not; nothing is left out silently")
        .help(
            name == "date"
                ? "read it as a `timestamp` with a pattern, `timestamp(\"%Y-%m-%d\", zone: \"UTC\")`, or as "
                  "a `string`"
                : "leave the field out, which is then ignored, or declare what of it is needed as a record");
    return types::error();
  }
  auto& finding = out_.report(Code::unknown_type, type.name.span, "no type is called `" + name + "`")
                      .label("not declared");
  static const std::map<std::string, std::string> foreign = {{"integer", "int"},
                                                             {"long", "int"},
                                                             {"bigint", "int"},
                                                             {"int64", "int"},
                                                             {"i64", "int"},
                                                             {"str", "string"},
                                                             {"text", "string"},
                                                             {"varchar", "string"},
                                                             {"String", "string"},
                                                             {"boolean", "bool"},
                                                             {"double", "float"},
                                                             {"real", "float"},
                                                             {"float64", "float"},
                                                             {"datetime", "timestamp"},
                                                             {"numeric", "decimal(18, 2)"},
                                                             {"array", "list<string>"},
                                                             {"interval", "duration"},
                                                             {"Int", "int"}};
  if (const auto found = foreign.find(name);
      found != foreign.end() && type.args.empty() && type.type_args.empty()) {
    finding.suggest("Weir calls it `" + found->second + "`", type.name.span, found->second);
    return types::error();
  }
  std::vector<std::string> candidates(std::begin(kTypeNames), std::end(kTypeNames));
  if (!type.type_args.empty()) candidates = {"list", "map"};
  for (const auto& [declared, decl] : symbols_.types) {
    const bool open =
        std::any_of(path_.begin(), path_.end(), [&](const Step& step) { return step.decl == decl; });
    if (!open && type.type_args.empty()) candidates.push_back(declared);
  }
  resolve::did_you_mean(finding, type.name.span, name, candidates);
  return types::error();
}

TypeRef Types::decimal(const ast::NamedType& type) {
  const auto number = [&](std::size_t i) -> int {
    const auto* literal = ast::try_as<ast::IntLiteral>(type.args[i].value);
    if (literal == nullptr || !literal->value || *literal->value > 1000) return -1;
    return static_cast<int>(*literal->value);
  };
  if (type.args.size() != 2 || !type.type_args.empty()) {
    return bad(type.span, "a decimal needs its precision and its scale",
               "for example `decimal(12, 2)`: 12 digits, 2 after the point");
  }
  const int precision = number(0);
  const int scale = number(1);
  if (precision < 1 || precision > 38) {
    return bad(type.args[0].span, "the precision of a decimal is a number from 1 to 38", "not in that range");
  }
  if (scale < 0 || scale > precision) {
    return bad(type.args[1].span, "the scale of a decimal is a number from 0 to its precision",
               "not in that range");
  }
  return types::decimal(precision, scale);
}

TypeRef Types::timestamp(const ast::NamedType& type) {
  if (!type.type_args.empty()) {
    return bad(type.span, "`timestamp` takes no types", "for example `timestamp(\"unix_ms\")`");
  }
  if (type.args.empty()) return types::timestamp();
  types::TimeCodec codec;
  const ast::StringLiteral* form = nullptr;
  Span zone_span;
  std::optional<Span> floor_span;
  for (const ast::Arg& arg : type.args) {
    const auto* text = ast::try_as<ast::StringLiteral>(arg.value);
    if (!arg.name) {
      if (text == nullptr || form != nullptr) {
        return bad(arg.span, "a timestamp's codec is one string", "a unit such as \"unix_ms\", or a pattern");
      }
      form = text;
    } else if (arg.name->text == "zone") {
      if (text == nullptr || !zone_shaped(text->value)) {
        return bad(arg.span, "`zone` is the name of a time zone", "for example \"UTC\" or \"Europe/Berlin\"");
      }
      codec.zone = text->value;
      zone_span = arg.span;
    } else if (arg.name->text == "floor") {
      const auto* flag = ast::try_as<ast::BoolLiteral>(arg.value);
      if (flag == nullptr)
        return bad(arg.span, "`floor` is `true` or `false`", "not a constant of that kind");
      codec.floor = flag->value;
      floor_span = arg.span;
    } else {
      auto& finding =
          out_.report(Code::bad_type, arg.name->span, "`timestamp` has no option `" + arg.name->text + "`")
              .label("unknown");
      resolve::did_you_mean(finding, arg.name->span, arg.name->text, {"zone", "floor"});
      return types::error();
    }
  }
  using Form = types::TimeCodec::Form;
  if (form == nullptr)
    return bad(type.span, "a timestamp's options need its codec",
               "write it first: timestamp(\"unix_ns\", floor: true)");
  const std::string& value = form->value;
  if (value == "rfc3339")
    codec.form = Form::kRfc3339;
  else if (value == "unix_s")
    codec.form = Form::kUnixS;
  else if (value == "unix_ms")
    codec.form = Form::kUnixMs;
  else if (value == "unix_us")
    codec.form = Form::kUnixUs;
  else if (value == "unix_ns")
    codec.form = Form::kUnixNs;
  else {
    codec.form = Form::kPattern;
    codec.pattern = value;
    if (value.find('%') == std::string::npos) {
      auto& finding =
          out_.report(Code::bad_type, form->span, "`" + value + "` is neither a unit nor a pattern")
              .label("a pattern has fields such as %Y, %m, %d");
      const std::vector<std::string> units = {"unix_s", "unix_ms", "unix_us", "unix_ns", "rfc3339"};
      const std::vector<std::string_view> views(units.begin(), units.end());
      static const std::map<std::string, std::string> foreign = {
          {"s", "unix_s"},       {"seconds", "unix_s"}, {"sec", "unix_s"},
          {"ms", "unix_ms"},     {"millis", "unix_ms"}, {"milliseconds", "unix_ms"},
          {"us", "unix_us"},     {"micros", "unix_us"}, {"microseconds", "unix_us"},
          {"ns", "unix_ns"},     {"nanos", "unix_ns"},  {"nanoseconds", "unix_ns"},
          {"unix", "unix_s"},    {"epoch", "unix_s"},   {"epoch_ms", "unix_ms"},
          {"iso8601", "rfc3339"}};
      if (const auto found = foreign.find(value); found != foreign.end()) {
        finding.suggest("use \"" + found->second + "\"", form->span, "\"" + found->second + "\"");
      } else {
        finding.help("units are \"unix_s\", \"unix_ms\", \"unix_us\" and \"unix_ns\"");
      }
      return types::error();
    }
    if (const auto problem = time_pattern_problem(value, true)) {
      out_.report(Code::bad_pattern, form->span, problem->message)
          .label("in this pattern")
          .help(problem->help);
      return types::error();
    }
    if (!codec.zone.empty() && !zone_exists(codec.zone)) {
      return bad(zone_span, "there is no time zone of this name",
                 "it is not in the zone files of this machine");
    }
    if (!names_zone(value) && codec.zone.empty()) {
      out_.report(Code::bad_type, form->span, "this pattern names no time zone")
          .label("no %z in it")
          .note("without a zone the same text is another instant on another machine")
          .suggest("say which zone the texts are in", source::after(form->span), ", zone: \"UTC\"");
      return types::error();
    }
    if (names_zone(value) && !codec.zone.empty()) {
      return bad(zone_span, "this pattern reads the zone from the text", "so `zone` must not be given");
    }
  }
  if (codec.form != Form::kPattern && !codec.zone.empty()) {
    return bad(zone_span, "a `zone` belongs to a pattern", "\"" + value + "\" says the instant already");
  }
  if (floor_span && codec.form != Form::kUnixNs) {
    return bad(*floor_span, "`floor` belongs to \"unix_ns\"",
               "\"" + value + "\" has no digits below a microsecond");
  }
  return types::timestamp(codec);
}

void Types::report_cycle(const ast::RecordTypeDecl& decl) {
  const auto from =
      std::find_if(path_.begin(), path_.end(), [&](const Step& step) { return step.decl == &decl; });
  std::string cycle;
  for (auto step = from; step != path_.end(); ++step) cycle += step->decl->name.text + " -> ";
  cycle += decl.name.text;
  auto& finding =
      out_.report(Code::recursive_type, decl.name.span, "the type `" + decl.name.text + "` contains itself")
          .label("a value would never end: " + cycle);
  for (auto step = from; step != path_.end(); ++step) {
    if (step->through.is_known()) {
      const auto next = step + 1;
      const std::string& inner = next == path_.end() ? decl.name.text : next->decl->name.text;
      finding.also(step->through, "`" + step->decl->name.text + "` contains `" + inner + "` here");
    }
  }
  finding.help("keep the key of the other record instead of the record");
}

TypeRef Types::record(const ast::RecordTypeDecl& decl) {
  if (const auto found = done_.find(&decl); found != done_.end()) return found->second;
  const bool inside =
      std::any_of(path_.begin(), path_.end(), [&](const Step& step) { return step.decl == &decl; });
  if (inside) {
    report_cycle(decl);
    return types::error();
  }
  path_.push_back({&decl, {}});
  std::vector<types::Field> fields;
  std::map<std::string, Span> names;
  std::map<std::string, Span> wires;
  for (const ast::FieldDecl& field : decl.fields) {
    if (field.type == nullptr) continue;
    path_.back().through = {};
    const TypeRef type = resolve(*field.type);
    const std::string wire = field.wire ? field.wire->value : field.name.text;
    if (const auto [place, added] = names.emplace(field.name.text, field.name.span); !added) {
      out_.report(Code::duplicate_field, field.name.span,
                  "the field `" + field.name.text + "` stands twice in `" + decl.name.text + "`")
          .label("again here")
          .also(place->second, "first here");
      continue;
    }
    const Span wire_span = field.wire ? field.wire->span : field.name.span;
    if (const auto [place, added] = wires.emplace(wire, wire_span); !added) {
      out_.report(Code::duplicate_field, wire_span,
                  "two fields of `" + decl.name.text + "` are read from \"" + wire + "\"")
          .label("again here")
          .also(place->second, "first here");
    }
    fields.push_back({field.name.text, wire, type});
  }
  if (decl.rest) {
    out_.report(Code::not_supported_yet, decl.rest->span, "keeping unknown fields is not supported yet")
        .label("not in this version")
        .note("unknown fields are ignored")
        .help("declare the fields that are needed");
  }
  if (fields.empty() && !decl.broken && !decl.rest) {
    out_.report(Code::empty_row, decl.name.span, "the type `" + decl.name.text + "` has no fields")
        .label("nothing to read");
  }
  path_.pop_back();
  const bool poisoned = (fields.empty() && !decl.fields.empty()) || decl.broken;
  TypeRef type = poisoned ? types::error() : types::record(decl.name.text, std::move(fields));
  if (parts(type) > most_parts) {
    // Those that contain it are too large as well.
    if (std::exchange(too_large_, true)) return done_[&decl] = types::error();
    out_.report(Code::bad_type, decl.name.span, "the type `" + decl.name.text + "` is too large")
        .label("more than " + std::to_string(most_parts) + " fields, with those of the records in it")
        .help("declare the fields that are needed; what is not declared is skipped");
    type = types::error();
  }
  done_[&decl] = type;
  return type;
}

std::size_t Types::parts(const TypeRef& type) {
  if (type->kind != Kind::kRecord) return type->element ? parts(type->element) : 1;
  const auto [known, fresh] = parts_.try_emplace(type, 0);
  if (!fresh) return known->second;
  std::size_t sum = 0;
  for (const types::Field& field : type->fields) sum += parts(field.type);
  return parts_[type] = sum;
}

void Types::check_all() {
  for (const ast::RecordTypeDecl* decl : symbols_.type_order) record(*decl);
  for (const auto& [name, decl] : symbols_.types) {
    const std::set<std::string> builtin(std::begin(kTypeNames), std::end(kTypeNames));
    if (builtin.count(name) != 0) {
      out_.report(Code::duplicate_declaration, resolve::name_of(*decl)->span,
                  "`" + name + "` is a type of the language")
          .label("it cannot be declared anew");
    }
    if (const auto* enumeration = ast::try_as<ast::EnumTypeDecl>(decl)) {
      std::map<std::string, Span> seen;
      for (const ast::Name& value : enumeration->values) {
        const auto [place, added] = seen.emplace(value.text, value.span);
        if (!added) {
          out_.report(Code::duplicate_field, value.span,
                      "`" + value.text + "` stands twice in `" + name + "`")
              .label("again here")
              .also(place->second, "first here");
        }
      }
    }
  }
}

}  // namespace weir::check
