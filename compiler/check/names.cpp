// Names, fields, elements.
#include <algorithm>

#include "compiler/check/elaborator.h"

namespace weir::check {

ExprRef Elaborator::name(const ast::NameExpr& expr) {
  for (auto local = scope_.locals.rbegin(); local != scope_.locals.rend(); ++local) {
    if (local->name != expr.name) continue;
    if (is_poison(local->type)) return poison(expr.span);
    return narrowed(make_local(local->id, local->type, expr.span));
  }
  if (scope_.row != nullptr && scope_.row->kind == Kind::kRecord) {
    const int index = field_index(*scope_.row, expr.name);
    if (index >= 0) {
      const TypeRef& type = scope_.row->fields[static_cast<std::size_t>(index)].type;
      if (is_poison(type)) return poison(expr.span);
      return narrowed(make_field(make_row(scope_.row, expr.span), index, expr.span));
    }
    if (expr.name == "row") return make_row(scope_.row, expr.span);
  }
  if (expr.name == "meta" && scope_.row != nullptr) {
    if (scope_.meta) return make(Op::kMeta, types::meta_record(), expr.span);
    report(Code::no_meta, expr.span, "`meta` is not known here")
        .label(scope_.no_meta_why.empty() ? "this row is not one record of a source" : scope_.no_meta_why)
        .help("select what is needed of `meta` into a column before");
    return poison(expr.span);
  }
  if (const auto found = context_.param_index.find(expr.name); found != context_.param_index.end()) {
    const auto index = static_cast<std::size_t>(found->second);
    if (scope_.params_computed) context_.param_computed[index] = true;
    if (is_poison(context_.params[index].type)) return poison(expr.span);
    auto result = make(Op::kParam, context_.params[index].type, expr.span);
    result->index = found->second;
    return result;
  }
  return unknown_name(expr);
}

ExprRef Elaborator::unknown_name(const ast::NameExpr& expr) {
  const std::string& name = expr.name;
  // The row itself could not be typed: what it would have is not known.
  if (scope_.row != nullptr && is_poison(scope_.row)) return poison(expr.span);
  if (context_.symbols.params.count(name) != 0) return poison(expr.span);  // its declaration is wrong
  const auto kind = [&]() -> std::string {
    if (context_.symbols.streams.count(name) != 0) return "a stream";
    if (context_.symbols.types.count(name) != 0) return "a type";
    if (context_.symbols.functions.count(name) != 0 || context_.symbols.prelude.count(name) != 0 ||
        context_.library.find(name) != nullptr) {
      return "a function";
    }
    return "";
  }();
  if (!kind.empty()) {
    auto& finding = report(Code::not_a_value, expr.span, "`" + name + "` is " + kind + ", not a value")
                        .label("a value is needed here");
    if (kind == "a function") finding.help("call it: `" + name + "(…)`");
    if (kind == "a stream") finding.help("an expression sees the fields of the row that it is evaluated for");
    return poison(expr.span);
  }
  auto& finding = report(Code::unknown_name, expr.span, "nothing here is called `" + name + "`");
  std::vector<std::string> candidates;
  for (const Local& local : scope_.locals) candidates.push_back(local.name);
  std::string fields;
  if (scope_.row != nullptr) {
    for (const types::Field& field : scope_.row->fields) {
      candidates.push_back(field.name);
      fields += (fields.empty() ? "`" : ", `") + field.name + "`";
    }
  }
  for (const auto& [param, index] : context_.param_index) candidates.push_back(param);
  finding.label(scope_.row != nullptr ? "not a field of the row" : "not declared");
  if (!resolve::did_you_mean(finding, expr.span, name, candidates) && !fields.empty()) {
    finding.help("the row has " + fields);
  }
  return poison(expr.span);
}

ExprRef Elaborator::field(const ast::FieldExpr& expr) {
  const ExprRef object = check(*expr.object);
  if (is_poison(object)) return poison(expr.span);
  if (expr.optional) {
    if (object->type->kind == Kind::kNull) return object;
    if (!types::is_optional(object->type)) {
      report(Code::never_absent, expr.span, "`?.` after a value that is never absent")
          .label("this is " + types::to_string(object->type))
          .suggest(
              "use `.`",
              Span{expr.span.file, expr.object->span.end(), expr.name.span.offset - expr.object->span.end()},
              ".");
      return field_of(object, expr);
    }
    const int id = new_local();
    const ExprRef local = make_local(id, object->type, expr.object->span);
    const ExprRef inner = field_of(make_unwrap(local, expr.object->span), expr);
    if (is_poison(inner)) return inner;
    const TypeRef type = types::optional(inner->type);
    const ExprRef value = make_if(make_is_null(local, expr.span), make_null(type, expr.span),
                                  make_convert(inner, type), expr.span);
    return make_let(id, object, value);
  }
  if (types::is_optional(object->type) && object->type->element->kind == Kind::kRecord) {
    auto& finding = report(Code::may_be_absent, expr.object->span,
                           "`" + context_.text(expr.object->span) + "` may be absent")
                        .label("this is " + types::to_string(object->type));
    finding.note("a field of nothing is nothing: the script says what happens then")
        .suggest("let the field be absent too", source::after(expr.object->span), "?");
    return poison(expr.span);
  }
  return field_of(object, expr);
}

ExprRef Elaborator::field_of(const ExprRef& object, const ast::FieldExpr& expr) {
  const types::Type& type = *object->type;
  if (type.kind == Kind::kRecord) {
    const int index = field_index(type, expr.name.text);
    if (index >= 0) {
      if (is_poison(type.fields[static_cast<std::size_t>(index)].type)) return poison(expr.span);
      ExprRef result = make_field(object, index, expr.span);
      return narrowed(result);
    }
    auto& finding = report(Code::unknown_field, expr.name.span,
                           "`" + context_.text(expr.object->span) + "` has no field `" + expr.name.text + "`")
                        .label("not a field of " + types::to_string(type));
    std::vector<std::string> names;
    std::string all;
    for (const types::Field& field : type.fields) {
      names.push_back(field.name);
      all += (all.empty() ? "`" : ", `") + field.name + "`";
    }
    if (!resolve::did_you_mean(finding, expr.name.span, expr.name.text, names)) finding.help("it has " + all);
    return poison(expr.span);
  }
  auto& finding = report(Code::unknown_field, expr.name.span, "only a record has fields")
                      .label("`" + context_.text(expr.object->span) + "` is " + types::to_string(type));
  if (type.kind == Kind::kMap) {
    const Span access{expr.span.file, expr.object->span.end(), expr.span.end() - expr.object->span.end()};
    finding.suggest("look the key up",
                    {{source::before(expr.object->span), "get("}, {access, ", \"" + expr.name.text + "\")"}});
  }
  if (context_.library.find(expr.name.text) != nullptr ||
      context_.symbols.functions.count(expr.name.text) != 0) {
    finding.help("to call the function: `" + context_.text(expr.span) + "()`");
  }
  return poison(expr.span);
}

ExprRef Elaborator::index(const ast::IndexExpr& expr) {
  const ExprRef object = check(*expr.object);
  const bool map = object->type->kind == Kind::kMap;
  const ExprRef index =
      check_as(*expr.index, map ? types::string() : types::integer(), map ? "the key of a map" : "an index");
  if (is_poison(object) || is_poison(index)) return poison(expr.span);
  if (types::is_optional(object->type)) return report_absent(object, *expr.object, "what is indexed");
  if (!map && object->type->kind != Kind::kList) {
    report(Code::wrong_type, expr.object->span, "only a list or a map has elements")
        .label("this is " + types::to_string(object->type));
    return poison(expr.span);
  }
  const catalog::Signature* signature = context_.library.overload("at", {object->type, index->type});
  if (signature == nullptr) {
    auto& finding = report(Code::wrong_type, expr.span, "`[…]` takes an element of a list")
                        .label("this is " + types::to_string(object->type));
    if (map)
      finding.suggest("look it up; an absent key is absent", expr.span,
                      "get(" + context_.raw(expr.object->span) + ", " + context_.raw(expr.index->span) + ")");
    return poison(expr.span);
  }
  return native(*signature, {object, index}, object->type->element, expr);
}

}  // namespace weir::check
