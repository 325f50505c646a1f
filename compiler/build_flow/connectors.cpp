// Connectors, their options, formats.
#include <algorithm>
#include <set>

#include "compiler/build_flow/builder.h"
#include "compiler/check/pattern.h"

namespace weir::build_flow {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "`" + names[i] + "`";
  }
  return text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_nested(Kind kind) {
  return kind == Kind::kList || kind == Kind::kMap || kind == Kind::kRecord;
}

}  // namespace

ExprRef Builder::option_value(const ast::Arg& arg, const catalog::ConnectorArgument& declared) {
  const ast::Expr& value = *arg.value;
  const auto bad = [&](const std::string& wanted) {
    out_.report(Code::bad_option, value.span, "`" + declared.name + "` must be " + wanted).label("not that");
    return check::poison(value.span);
  };
  switch (declared.kind) {
    case catalog::ArgumentKind::word: {
      const auto* name = ast::try_as<ast::NameExpr>(&value);
      if (name != nullptr && contains(declared.words, name->name))
        return text_constant(name->name, value.span);
      auto& finding =
          out_.report(Code::bad_option, value.span, "`" + declared.name + "` is " + joined(declared.words))
              .label("not one of them");
      if (name != nullptr) resolve::did_you_mean(finding, value.span, name->name, declared.words);
      return check::poison(value.span);
    }
    case catalog::ArgumentKind::flag: {
      const auto* flag = ast::try_as<ast::BoolLiteral>(&value);
      return flag == nullptr ? bad("`true` or `false`") : check::make_bool(flag->value, value.span);
    }
    case catalog::ArgumentKind::duration: {
      const auto micros = check::constant_duration(context_, value, "`" + declared.name + "`");
      if (!micros) return check::poison(value.span);
      return *micros <= 0 ? bad("longer than nothing") : check::make_duration(*micros, value.span);
    }
    case catalog::ArgumentKind::size: {
      if (const auto* size = ast::try_as<ast::SizeLiteral>(&value))
        return check::make_int(static_cast<std::int64_t>(size->bytes), value.span);
      const auto* number = ast::try_as<ast::IntLiteral>(&value);
      if (number == nullptr || !number->value || *number->value == 0 || *number->value > (1ull << 50))
        return bad("a size, for example 128MiB");
      return check::make_int(static_cast<std::int64_t>(*number->value), value.span);
    }
    case catalog::ArgumentKind::texts: {
      const auto* list = ast::try_as<ast::ListExpr>(&value);
      if (list == nullptr) return bad("a list of strings, for example [\"-\"]");
      std::vector<ExprRef> items;
      for (const ast::Expr* element : list->elements) {
        const auto* text = ast::try_as<ast::StringLiteral>(element);
        if (text == nullptr) return bad("a list of strings, for example [\"-\"]");
        items.push_back(text_constant(text->value, element->span));
      }
      return check::make(flow::Op::kList, types::list(types::string()), value.span, std::move(items));
    }
    case catalog::ArgumentKind::text: {
      check::Scope scope;
      scope.params_computed = !declared.address;
      check::Elaborator elaborator(context_, std::move(scope));
      const ExprRef result = elaborator.check_as(value, types::string(), "`" + declared.name + "`");
      if (check::is_poison(result)) return result;
      if (result->op != flow::Op::kLiteral && result->op != flow::Op::kParam) {
        out_.report(Code::constant_expected, value.span, "`" + declared.name + "` is a string or a param")
            .label("computed");
        return check::poison(value.span);
      }
      if (result->op != flow::Op::kLiteral) return result;
      const std::string& text = std::get<std::string>(result->literal.value);
      if (text.empty()) return bad("more than nothing");
      if (text.find('\0') != std::string::npos) return bad("without `\\u{0}`, which no path can hold");
      return result;
    }
    case catalog::ArgumentKind::format:
      break;
  }
  return check::poison(value.span);
}

void Builder::format(const ast::Expr& value, const std::vector<std::string>& known, Options& options) {
  options.format_span = value.span;
  std::string name;
  Span name_span = value.span;
  const ast::CallExpr* call = ast::try_as<ast::CallExpr>(&value);
  if (const auto* plain = ast::try_as<ast::NameExpr>(&value)) name = plain->name;
  if (call != nullptr) {
    name = call->function.text;
    name_span = call->function.span;
  }
  if (const auto* text = ast::try_as<ast::StringLiteral>(&value);
      text != nullptr && contains(known, text->value)) {
    out_.report(Code::bad_option, value.span, "a format is a word, not a text")
        .label("in quotes")
        .suggest("write it plainly", value.span, text->value);
    options.ok = false;
    return;
  }
  if (!contains(known, name)) {
    options.ok = false;
    if (contains(catalog::planned_formats(), name)) {
      context_.unsupported(name_span, "the format `" + name + "`", "the formats here: " + joined(known));
      return;
    }
    auto& finding = out_.report(Code::unknown_format, name_span,
                                name.empty() ? "this is not a format" : "`" + name + "` is not a format here")
                        .label("not a format");
    static const std::map<std::string, std::string> foreign = {{"ndjson", "json"},
                                                               {"jsonl", "json"},
                                                               {"json_lines", "json"},
                                                               {"lines", "text"},
                                                               {"regexp", "regex"}};
    if (const auto found = foreign.find(name); found != foreign.end() && contains(known, found->second)) {
      finding.suggest("`" + found->second + "` reads and writes one value a line", name_span, found->second);
    } else if (!resolve::did_you_mean(finding, name_span, name, known)) {
      finding.help("the formats here: " + joined(known));
    }
    return;
  }
  options.format.name = name;
  if (name == "regex") {
    const auto* text = call == nullptr || call->args.size() != 1
                           ? nullptr
                           : ast::try_as<ast::StringLiteral>(call->args[0].value);
    if (text == nullptr) {
      out_.report(Code::bad_option, value.span, "`regex` needs its pattern")
          .label("one string")
          .help("for example regex(r\"(?<ip>\\S+) (?<bytes>\\d+)\")");
      options.ok = false;
      return;
    }
    options.format.regex = text->value;
    if (const auto problem = check::regex_problem(text->value)) {
      auto& finding = out_.report(Code::bad_pattern, text->span, problem->message);
      finding.label("in this pattern");
      if (!problem->help.empty()) finding.help(problem->help);
      options.ok = false;
    }
  } else if (call != nullptr) {
    out_.report(Code::bad_option, value.span, "`" + name + "` takes no arguments")
        .label("not needed")
        .suggest("leave them out", value.span, name);
    options.ok = false;
  }
}

Builder::Options Builder::connector(const ast::ConnectorCall& call, bool as_source) {
  Options options;
  if (call.name.text.empty()) return options;
  const catalog::Connector* found = catalog::find_connector(call.name.text);
  const std::string role = as_source ? "source" : "sink";
  if (found == nullptr || !(as_source ? found->source : found->sink)) {
    if (found == nullptr && contains(catalog::planned_connectors(), call.name.text)) {
      context_.unsupported(call.name.span, "the connector `" + call.name.text + "`",
                           as_source ? "the sources of this version are `file` and `stdin`"
                                     : "the sinks of this version are `file` and `stdout`");
      return options;
    }
    auto& finding = out_.report(Code::unknown_connector, call.name.span,
                                found == nullptr ? "no connector is called `" + call.name.text + "`"
                                                 : "`" + call.name.text + "` is not a " + role)
                        .label("not a " + role);
    std::vector<std::string> names;
    for (const catalog::Connector& connector : catalog::connectors()) {
      if (as_source ? connector.source : connector.sink) names.push_back(connector.name);
    }
    if (call.name.text == "stdout" && as_source) {
      finding.suggest("`stdin` is read", call.name.span, "stdin");
    } else if (call.name.text == "stdin" && !as_source) {
      finding.suggest("`stdout` is written", call.name.span, "stdout");
    } else if (!resolve::did_you_mean(finding, call.name.span, call.name.text, names)) {
      finding.help("there are " + joined(names));
    }
    return options;
  }
  options.connector = found;
  options.ok = true;
  const auto& declared = as_source ? found->source_arguments : found->sink_arguments;
  const auto& formats = as_source ? found->source_formats : found->sink_formats;
  std::map<std::string, Span> given;
  bool unread = false;  // one was reported; what it was meant for is not reported as missing
  Span null_span;
  for (const ast::Arg& arg : call.args) {
    if (arg.value == nullptr || arg.value->kind == ast::ExprKind::error) {
      unread = true;
      options.ok = false;
      continue;
    }
    if (!arg.name) {
      unread = true;
      auto& finding =
          out_.report(Code::unknown_option, arg.span, "options have names").label("which option?");
      if (arg.value->kind == ast::ExprKind::string_literal && !declared.empty() &&
          declared[0].name == "path") {
        finding.suggest("this is the path", source::before(arg.span), "path: ");
      }
      options.ok = false;
      continue;
    }
    const std::string& name = arg.name->text;
    const auto place = std::find_if(declared.begin(), declared.end(),
                                    [&](const catalog::ConnectorArgument& a) { return a.name == name; });
    if (place == declared.end()) {
      auto& finding = out_.report(Code::unknown_option, arg.name->span,
                                  "`" + call.name.text + "` has no option `" + name + "` as a " + role)
                          .label("unknown");
      std::vector<std::string> names;
      for (const catalog::ConnectorArgument& a : declared) names.push_back(a.name);
      if (!resolve::did_you_mean(finding, arg.name->span, name, names))
        finding.help("its options: " + joined(names));
      options.ok = false;
      continue;
    }
    if (const auto [first, added] = given.emplace(name, arg.name->span); !added) {
      out_.report(Code::bad_option, arg.name->span, "the option `" + name + "` is given twice")
          .label("again here")
          .also(first->second, "first here");
      options.ok = false;
      continue;
    }
    if (place->kind == catalog::ArgumentKind::format) {
      format(*arg.value, formats, options);
      continue;
    }
    const ExprRef value = option_value(arg, *place);
    if (check::is_poison(value)) {
      options.ok = false;
      continue;
    }
    if (name == "null") {
      null_span = arg.span;
      for (const ExprRef& item : value->args)
        options.format.null_texts.push_back(std::get<std::string>(item->literal.value));
      continue;
    }
    options.arguments.push_back({name, value, arg.span});
  }
  for (const catalog::ConnectorArgument& argument : declared) {
    if (!argument.required || given.count(argument.name) != 0 || unread) continue;
    auto& finding = out_.report(Code::missing_option, call.span,
                                "`" + call.name.text + "` needs its option `" + argument.name + "`")
                        .label("missing here");
    if (argument.kind == catalog::ArgumentKind::format && !call.args.empty()) {
      finding.suggest("one JSON value a line", source::after(call.args.back().span), ", format: json");
    }
    options.ok = false;
  }
  if (null_span.is_known() && options.format.name == "json") {
    out_.report(Code::bad_option, null_span, "JSON has a `null` of its own")
        .label("`null:` is for csv, text and regex");
    options.ok = false;
  }
  return options;
}

void Builder::check_regex(const Options& options, const types::Type& row, Span type_span) {
  const std::vector<std::string> groups = check::regex_groups(options.format.regex);
  for (const types::Field& field : row.fields) {
    if (contains(groups, field.wire_name) || types::is_optional(field.type)) continue;
    auto& finding = out_.report(Code::format_shape, options.format_span,
                                "no group of this pattern gives the field `" + field.name + "`")
                        .label("no (?<" + field.wire_name + ">…)")
                        .also(type_span, "the field is declared in this type");
    if (!groups.empty()) finding.help("its groups are " + joined(groups));
  }
  const std::set<std::string> distinct(groups.begin(), groups.end());
  if (distinct.size() != groups.size()) {
    out_.report(Code::bad_pattern, options.format_span, "two groups of this pattern have one name")
        .label("a group's name stands once");
  }
}

void Builder::check_shape(const Options& options, const types::Type& row, const ast::Name& name,
                          Span type_span, bool as_source) {
  const std::string& format = options.format.name;
  const std::string verb = as_source ? "reads" : "writes";
  if (format == "json") return;
  if (format == "text") {
    const bool one =
        row.fields.size() == 1 && types::strip_optional(row.fields[0].type)->kind == Kind::kString;
    if (!one) {
      out_.report(Code::format_shape, type_span, "a text source has one string field")
          .label("this has another shape")
          .also(options.format_span, "asked for here");
    }
    return;
  }
  for (const types::Field& field : row.fields) {
    const TypeRef type = types::strip_optional(field.type);
    if (!is_nested(type->kind)) continue;
    // Records become dotted columns on the way out; what is inside must be single values.
    const bool writable =
        !as_source && type->kind == Kind::kRecord &&
        std::none_of(type->fields.begin(), type->fields.end(), [](const types::Field& inner) {
          const Kind kind = types::strip_optional(inner.type)->kind;
          return kind == Kind::kList || kind == Kind::kMap;
        });
    if (writable) continue;
    out_.report(Code::format_shape, type_span,
                "`" + format + "` " + verb + " single values, and `" + field.name + "` of `" + name.text +
                    "` is " + types::to_string(field.type))
        .label("has the field `" + field.name + "`")
        .also(options.format_span, "asked for here")
        .help(as_source ? "leave the field out of the type" : "`select` single values before, or write json");
  }
  if (format == "regex") check_regex(options, row, type_span);
}

}  // namespace weir::build_flow
