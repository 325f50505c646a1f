#include "compiler/check/steps.h"

#include <algorithm>
#include <map>
#include <set>

namespace weir::check {

Elaborator Steps::elaborator(const Shape& shape) const {
  Scope scope;
  scope.row = shape.row;
  scope.meta = shape.meta;
  scope.no_meta_why = shape.no_meta_why;
  return Elaborator(context_, std::move(scope));
}

flow::Node Steps::node(const ast::Operator& step, std::string stage, const Shape& shape) const {
  flow::Node result;
  result.stage = std::move(stage);
  result.row = shape.row;
  result.timed = shape.timed;
  result.span = step.span;
  return result;
}

void Steps::check(const ast::Operator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  const int window = is_poison(shape.row) ? -1 : field_index(*shape.row, "window");
  const std::size_t first = nodes.size();
  check_step(step, shape, nodes);
  if (step.kind != ast::OperatorKind::aggregate) follow_window(window, nodes, first, shape);
}

void Steps::follow_window(int field, const std::vector<flow::Node>& nodes, std::size_t first, Shape& shape) {
  if (!shape.window) return;
  for (std::size_t i = first; i < nodes.size(); ++i) {
    const auto* project = std::get_if<flow::Project>(&nodes[i].op);
    if (project == nullptr) continue;
    const int next = is_poison(nodes[i].row) ? -1 : field_index(*nodes[i].row, "window");
    const ExprRef value = next < 0 ? nullptr : project->values[static_cast<std::size_t>(next)];
    const bool same = value != nullptr && value->op == Op::kField && value->index == field &&
                      value->args[0]->op == Op::kRow;
    if (!same) return shape.window.reset();
    field = next;
  }
  if (is_poison(shape.row)) shape.window.reset();
}

void Steps::check_step(const ast::Operator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  using ast::OperatorKind;
  switch (step.kind) {
    case OperatorKind::error:
      shape.row = types::error();
      return;
    case OperatorKind::where:
      return where(ast::as<ast::WhereOperator>(step), shape, nodes);
    case OperatorKind::select:
      return select(ast::as<ast::SelectOperator>(step), shape, nodes);
    case OperatorKind::extend:
      return extend(ast::as<ast::ExtendOperator>(step), shape, nodes);
    case OperatorKind::drop:
      return drop(ast::as<ast::DropOperator>(step), shape, nodes);
    case OperatorKind::rename:
      return rename(ast::as<ast::RenameOperator>(step), shape, nodes);
    case OperatorKind::flatten:
      return flatten(ast::as<ast::FlattenOperator>(step), shape, nodes);
    case OperatorKind::aggregate:
      return aggregate(ast::as<ast::AggregateOperator>(step), shape, nodes);
    case OperatorKind::scan:
    case OperatorKind::join:
    case OperatorKind::sequence:
    case OperatorKind::lookup:
    case OperatorKind::union_:
    case OperatorKind::dedup:
    case OperatorKind::top:
    case OperatorKind::latest:
    case OperatorKind::changes:
    case OperatorKind::key_by:
    case OperatorKind::assert_:
      return unsupported(step, shape);
  }
}

void Steps::unsupported(const ast::Operator& step, Shape& shape) {
  const bool join = step.kind == ast::OperatorKind::join && context_.raw(step.keyword) != "join";
  const std::string word = context_.raw(step.keyword) + (join ? " join" : "");
  context_.unsupported(
      step.keyword, "`" + word + "`",
      "the operators of this version: where, select, extend, drop, rename, flatten, aggregate over "
      "tumbling");
  shape.row = types::error();
}

int Steps::find(const Shape& shape, const ast::Name& name) {
  if (is_poison(shape.row)) return -1;
  const int index = field_index(*shape.row, name.text);
  if (index >= 0) return index;
  auto& finding =
      context_.out.report(Code::unknown_field, name.span, "the row has no field `" + name.text + "`")
          .label("not a field");
  std::vector<std::string> names;
  std::string all;
  for (const types::Field& field : shape.row->fields) {
    names.push_back(field.name);
    all += (all.empty() ? "`" : ", `") + field.name + "`";
  }
  if (!resolve::did_you_mean(finding, name.span, name.text, names)) finding.help("it has " + all);
  return -1;
}

std::string Steps::item_name(const ast::Item& item, const std::string& place) {
  if (item.name) return item.name->text;
  if (const auto* name = ast::try_as<ast::NameExpr>(item.value)) return name->name;
  if (item.value->kind == ast::ExprKind::error)
    return "";  // reported, with the name that may have stood there
  auto& finding =
      context_.out.report(Code::column_needs_name, item.span, "this column of `" + place + "` needs a name")
          .label("what is it called?");
  if (const auto* field = ast::try_as<ast::FieldExpr>(item.value)) {
    finding.suggest("call it `" + field->name.text + "`", source::before(item.span),
                    field->name.text + " = ");
  } else {
    finding.help("write `name = " + context_.text(item.span) + "`");
  }
  return "";
}

std::optional<std::int64_t> constant_duration(Context& context, const ast::Expr& expr,
                                              const std::string& what) {
  Scope scope;
  Elaborator elaborator(context, std::move(scope));
  const ExprRef value = elaborator.check_as(expr, types::duration(), what);
  if (is_poison(value)) return std::nullopt;
  if (!is_literal(value)) {
    context.out.report(Code::constant_expected, expr.span, what + " is a constant")
        .label("known only while running");
    return std::nullopt;
  }
  return std::get<std::int64_t>(value->literal.value);
}

// ---- where

namespace {

bool has_fact(const std::vector<std::string>& facts, const std::string& path) {
  return std::find(facts.begin(), facts.end(), path) != facts.end();
}

// The value with every part that the facts name taken as present.
ExprRef narrow(const ExprRef& value, const std::vector<std::string>& facts, const std::string& path) {
  if (types::is_optional(value->type)) {
    if (!has_fact(facts, path)) return value;
    return narrow(make_unwrap(value, value->span), facts, path);
  }
  if (value->type->kind != Kind::kRecord) return value;
  const std::string prefix = path + ".";
  if (std::none_of(facts.begin(), facts.end(),
                   [&](const std::string& fact) { return fact.starts_with(prefix); }))
    return value;
  std::vector<types::Field> fields = value->type->fields;
  std::vector<ExprRef> values;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    values.push_back(
        narrow(make_field(value, static_cast<int>(i), value->span), facts, prefix + fields[i].name));
    fields[i].type = values.back()->type;
  }
  return make(Op::kRecord, types::record("", std::move(fields)), value->span, std::move(values));
}

}  // namespace

void Steps::where(const ast::WhereOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  Elaborator elaborate = elaborator(shape);
  const ExprRef condition = elaborate.condition(*step.condition, "the condition of `where`");
  if (is_poison(condition)) return;  // the row goes on: what follows is checked
  flow::Node keep = node(step, "where", shape);
  keep.op = flow::Where{condition};
  nodes.push_back(std::move(keep));
  if (is_poison(shape.row)) return;

  const std::vector<std::string> facts = Elaborator::facts(condition).when_true;
  const bool about_row = std::any_of(facts.begin(), facts.end(),
                                     [](const std::string& fact) { return fact.starts_with("row."); });
  if (!about_row) return;
  const ExprRef row = make_row(shape.row, step.span);
  const ExprRef narrowed = narrow(row, facts, "row");
  if (narrowed->op != Op::kRecord) return;
  shape.row = narrowed->type;
  flow::Node project = node(step, "narrow", shape);
  project.op = flow::Project{"narrow", narrowed->args};
  nodes.push_back(std::move(project));
}

// ---- select, extend, drop, rename

void Steps::select(const ast::SelectOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  std::vector<types::Field> fields;
  std::vector<ExprRef> values;
  std::map<std::string, Span> seen;
  Elaborator elaborate = elaborator(shape);
  bool unknown = is_poison(shape.row);
  for (const ast::Item& item : step.items) {
    if (item.value == nullptr) {
      unknown = true;
      continue;
    }
    const std::string name = item_name(item, "select");
    ExprRef value = elaborate.check(*item.value);
    if (value->type->kind == Kind::kNull) {
      context_.out
          .report(Code::unknown_type_of_literal, item.value->span, "the type of this `null` is not known")
          .label("absent what?");
      value = poison(item.span);
    }
    if (name.empty()) {
      unknown = true;
      continue;
    }
    const Span span = item.name ? item.name->span : item.span;
    if (const auto [place, added] = seen.emplace(name, span); !added) {
      context_.out.report(Code::duplicate_field, span, "the column `" + name + "` stands twice")
          .label("again here")
          .also(place->second, "first here");
      continue;
    }
    fields.push_back({name, name, value->type});
    values.push_back(value);
  }
  if (unknown && fields.empty()) {
    shape.row = types::error();
    return;
  }
  shape.row = unknown ? types::error() : types::record("", std::move(fields));
  flow::Node project = node(step, "select", shape);
  project.op = flow::Project{"select", std::move(values)};
  nodes.push_back(std::move(project));
}

void Steps::extend(const ast::ExtendOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  // One after the other, so that a column can use the one before it.
  std::map<std::string, Span> seen;
  for (const ast::Assignment& item : step.items) {
    if (item.value == nullptr) continue;
    if (const auto [place, added] = seen.emplace(item.name.text, item.name.span); !added) {
      context_.out
          .report(Code::duplicate_field, item.name.span, "the column `" + item.name.text + "` stands twice")
          .label("again here")
          .also(place->second, "first here");
      continue;
    }
    Elaborator elaborate = elaborator(shape);
    ExprRef value = elaborate.check(*item.value);
    if (value->type->kind == Kind::kNull) {
      context_.out
          .report(Code::unknown_type_of_literal, item.value->span, "the type of this `null` is not known")
          .label("absent what?");
      value = poison(item.span);
    }
    if (is_poison(shape.row)) continue;
    std::vector<types::Field> fields = shape.row->fields;
    std::vector<ExprRef> values;
    const ExprRef row = make_row(shape.row, item.span);
    int place = field_index(*shape.row, item.name.text);
    for (std::size_t i = 0; i < fields.size(); ++i)
      values.push_back(make_field(row, static_cast<int>(i), item.span));
    if (place >= 0) {
      context_.out
          .report(Code::field_replaced, item.name.span,
                  "`extend` replaces the field `" + item.name.text + "`")
          .label("it was " + types::to_string(fields[static_cast<std::size_t>(place)].type) + ", now " +
                 types::to_string(value->type));
      fields[static_cast<std::size_t>(place)] = {item.name.text, item.name.text, value->type};
      values[static_cast<std::size_t>(place)] = value;
    } else {
      fields.push_back({item.name.text, item.name.text, value->type});
      values.push_back(value);
    }
    shape.row = types::record("", std::move(fields));
    flow::Node project = node(step, "extend " + item.name.text, shape);
    project.span = item.span;
    project.op = flow::Project{"extend", std::move(values)};
    nodes.push_back(std::move(project));
  }
}

void Steps::drop(const ast::DropOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  if (is_poison(shape.row)) return;
  std::set<int> dropped;
  for (const ast::Name& name : step.names) {
    const int place = find(shape, name);
    if (place >= 0 && !dropped.insert(place).second) {
      context_.out.report(Code::duplicate_field, name.span, "`" + name.text + "` is dropped twice")
          .label("again here");
    }
  }
  std::vector<types::Field> fields;
  std::vector<ExprRef> values;
  const ExprRef row = make_row(shape.row, step.span);
  for (std::size_t i = 0; i < shape.row->fields.size(); ++i) {
    if (dropped.count(static_cast<int>(i)) != 0) continue;
    fields.push_back(shape.row->fields[i]);
    values.push_back(make_field(row, static_cast<int>(i), step.span));
  }
  if (fields.empty()) {
    context_.out.report(Code::empty_row, step.span, "nothing would be left of the row")
        .label("drops every field");
    shape.row = types::error();
    return;
  }
  shape.row = types::record("", std::move(fields));
  flow::Node project = node(step, "drop", shape);
  project.op = flow::Project{"drop", std::move(values)};
  nodes.push_back(std::move(project));
}

void Steps::rename(const ast::RenameOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  if (is_poison(shape.row)) return;
  std::vector<types::Field> fields = shape.row->fields;
  std::map<std::string, Span> renamed;
  std::vector<std::pair<const ast::Renaming*, int>> done;
  for (const ast::Renaming& item : step.items) {
    const int place = find(shape, item.from);
    if (place < 0) continue;
    if (const auto [old, added] = renamed.emplace(item.from.text, item.from.span); !added) {
      context_.out.report(Code::duplicate_field, item.from.span, "`" + item.from.text + "` is renamed twice")
          .label("again here")
          .also(old->second, "first here");
      continue;
    }
    fields[static_cast<std::size_t>(place)].name = item.to.text;
    fields[static_cast<std::size_t>(place)].wire_name = item.to.text;
    done.emplace_back(&item, place);
  }
  for (const auto& [item, place] : done) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (static_cast<int>(i) == place || fields[i].name != item->to.text) continue;
      context_.out
          .report(Code::duplicate_field, item->to.span, "the row has a field `" + item->to.text + "` already")
          .label("this name is taken");
      break;
    }
  }
  std::vector<ExprRef> values;
  const ExprRef row = make_row(shape.row, step.span);
  for (std::size_t i = 0; i < fields.size(); ++i)
    values.push_back(make_field(row, static_cast<int>(i), step.span));
  shape.row = types::record("", std::move(fields));
  flow::Node project = node(step, "rename", shape);
  project.op = flow::Project{"rename", std::move(values)};
  nodes.push_back(std::move(project));
}

// ---- flatten

void Steps::flatten(const ast::FlattenOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  Elaborator elaborate = elaborator(shape);
  const ExprRef value = elaborate.check(*step.value);
  if (is_poison(shape.row) || is_poison(value)) {
    shape.row = types::error();
    return;
  }
  const types::Type& type = *value->type;
  TypeRef element;
  if (type.kind == Kind::kList) element = type.element;
  if (type.kind == Kind::kMap) {
    element = types::record("", {{"key", "key", types::string()}, {"value", "value", type.element}});
  }
  if (element == nullptr || element->kind == Kind::kNull) {
    const TypeRef inner = types::strip_optional(value->type);
    auto& finding =
        context_.out
            .report(types::is_optional(value->type) && inner->kind == Kind::kList ? Code::may_be_absent
                                                                                  : Code::bad_flatten,
                    step.value->span, "`flatten` makes rows of the elements of a list or a map")
            .label("this is " + types::to_string(value->type));
    if (types::is_optional(value->type) && inner->kind == Kind::kList) {
      finding.suggest("an absent list gives no rows", source::after(step.value->span), " ?? []");
    }
    shape.row = types::error();
    return;
  }
  if (field_index(*shape.row, step.name.text) >= 0) {
    context_.out
        .report(Code::duplicate_field, step.name.span, "the row has a field `" + step.name.text + "` already")
        .label("this name is taken");
    shape.row = types::error();
    return;
  }
  std::vector<types::Field> fields = shape.row->fields;
  fields.push_back({step.name.text, step.name.text, element});
  shape.row = types::record("", std::move(fields));
  flow::Node result = node(step, "flatten " + step.name.text, shape);
  result.op = flow::Flatten{value};
  nodes.push_back(std::move(result));
}

}  // namespace weir::check
