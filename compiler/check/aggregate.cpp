// aggregate … by … over …
#include <algorithm>
#include <map>

#include "compiler/check/steps.h"

namespace weir::check {
namespace {

struct AggregateName {
  const char* name;
  flow::AggregateKind kind;
};

constexpr AggregateName kAggregates[] = {{"count", flow::AggregateKind::kCount},
                                         {"sum", flow::AggregateKind::kSum},
                                         {"min", flow::AggregateKind::kMin},
                                         {"max", flow::AggregateKind::kMax},
                                         {"avg", flow::AggregateKind::kAvg}};

constexpr const char* kPlanned[] = {"count_distinct", "approx_distinct", "first",   "last",
                                    "arg_min",        "arg_max",         "collect", "string_agg",
                                    "variance",       "quantile"};

bool has_order(Kind kind) {
  switch (kind) {
    case Kind::kInt:
    case Kind::kFloat:
    case Kind::kDecimal:
    case Kind::kString:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<flow::Aggregation> Steps::aggregation(const ast::AggregateItem& item, const Shape& shape) {
  flow::Aggregation result;
  result.name = item.name.text;
  result.span = item.span;
  result.result = types::error();
  Elaborator elaborate = elaborator(shape);
  if (item.where != nullptr) {
    result.where = elaborate.condition(*item.where, "the condition of this aggregate");
    // The argument is evaluated where the condition holds.
    if (!is_poison(result.where)) {
      const Facts facts = Elaborator::facts(result.where);
      elaborate.scope().present = facts.when_true;
    }
  }
  if (item.value == nullptr || item.value->kind == ast::ExprKind::error) return result;
  result.text = context_.text(item.value->span);
  const auto* call = ast::try_as<ast::CallExpr>(item.value);
  const AggregateName* known = nullptr;
  if (call != nullptr) {
    const auto* found = std::find_if(std::begin(kAggregates), std::end(kAggregates),
                                     [&](const AggregateName& a) { return call->function.text == a.name; });
    if (found != std::end(kAggregates)) known = found;
    if (std::find(std::begin(kPlanned), std::end(kPlanned), call->function.text) != std::end(kPlanned)) {
      context_.unsupported(call->function.span, "the aggregate `" + call->function.text + "`",
                           "the aggregates of this version: count, sum, min, max, avg");
      return result;
    }
  }
  if (known == nullptr) {
    auto& finding = context_.out
                        .report(Code::aggregate_expected, item.value->span,
                                "a column of `aggregate` is one aggregate of the rows")
                        .label("not an aggregate")
                        .help(
                            "they are count, sum, min, max and avg; what is computed from them stands in an "
                            "`extend` after");
    if (call != nullptr)
      resolve::did_you_mean(finding, call->function.span, call->function.text,
                            {"count", "sum", "min", "max", "avg"});
    return result;
  }
  result.kind = known->kind;
  const std::string name = known->name;
  if (known->kind == flow::AggregateKind::kCount) {
    if (!call->args.empty()) {
      auto& finding =
          context_.out
              .report(Code::wrong_arguments, call->args[0].span, "`count` counts rows and takes no argument")
              .label("not needed");
      const ExprRef argument =
          call->args[0].value == nullptr ? poison(call->span) : elaborate.check(*call->args[0].value);
      const std::string text = context_.raw(call->args[0].span);
      if (types::is_optional(argument->type) && item.where == nullptr) {
        finding.suggest("count the rows that have it", call->span, "count() where " + text + " is not null");
      } else {
        finding.suggest("count all rows", call->span, "count()");
      }
      return result;
    }
    result.result = types::integer();
    return result;
  }
  if (call->args.size() != 1 || call->args[0].name || call->args[0].value == nullptr) {
    context_.out.report(Code::wrong_arguments, call->span, "`" + name + "` takes one argument")
        .label("what of each row?");
    return result;
  }
  const ast::Expr& at = *call->args[0].value;
  ExprRef argument = elaborate.check(at);
  result.argument = argument;
  if (is_poison(argument)) return result;
  const TypeRef type = argument->type;
  const bool added = known->kind == flow::AggregateKind::kSum || known->kind == flow::AggregateKind::kAvg;
  const Kind inner = types::strip_optional(type)->kind;
  const bool number = inner == Kind::kInt || inner == Kind::kDecimal;
  // A type that does not fit is said first: taking the absence away would not help.
  if (added && !number && inner != Kind::kFloat && inner != Kind::kNull) {
    context_.out.report(Code::wrong_type, at.span, "`" + name + "` needs a number")
        .label("this is " + types::to_string(type));
    return result;
  }
  if (!added && !has_order(inner) && inner != Kind::kNull) {
    context_.out
        .report(Code::not_comparable, at.span,
                "values of type " + types::to_string(types::strip_optional(type)) + " have no order")
        .label("no least, no greatest");
    return result;
  }
  if (types::is_optional(type) || type->kind == Kind::kNull) {
    auto& finding =
        context_.out
            .report(Code::aggregate_of_optional, at.span, "`" + name + "` of a value that may be absent")
            .label("this is " + types::to_string(type))
            .note("leaving absent values out and counting them as zero are different results");
    const bool own_where = item.where != nullptr;
    const bool path = !Elaborator::path_of(argument).empty();
    if (!own_where && path) {
      finding.suggest("leave rows without it out", source::after(item.value->span),
                      " where " + context_.raw(at.span) + " is not null");
    }
    if (number) finding.suggest("count them as zero", source::after(at.span), " ?? 0");
    return result;
  }
  const bool may_be_empty = item.where != nullptr;
  switch (known->kind) {
    case flow::AggregateKind::kSum:
    case flow::AggregateKind::kAvg:
      if (type->kind == Kind::kFloat) {
        context_.out.report(Code::float_sum, at.span, "a sum of floats depends on the order of its terms")
            .label("this is float")
            .note("rows arrive in another order on replay, and the last digits with them")
            .suggest("sum exactly, as decimals", at.span, "to_decimal(" + context_.raw(at.span) + ", 18, 6)");
        return result;
      }
      if (type->kind == Kind::kInt) {
        result.result = known->kind == flow::AggregateKind::kSum ? types::integer() : types::decimal(38, 6);
      } else if (type->kind == Kind::kDecimal) {
        result.result = types::decimal(
            38, known->kind == flow::AggregateKind::kSum ? type->scale : std::max(6, type->scale));
      }
      if (known->kind == flow::AggregateKind::kAvg && may_be_empty)
        result.result = types::optional(result.result);
      break;
    default:
      result.result = may_be_empty ? types::optional(type) : type;
      break;
  }
  return result;
}

void Steps::report_untimed(const ast::Window& window, const Shape& shape) {
  auto& finding =
      context_.out.report(Code::window_without_time, window.span, "a window needs the event time of its rows")
          .label(shape.untimed_why.empty() ? "the rows have none" : shape.untimed_why)
          .note(
              "windows are cut by the time in the records: the clock of the machine would cut them elsewhere "
              "on replay");
  if (shape.origin == nullptr || shape.origin->time) return;
  finding.also(shape.origin->name.span, "the rows come from here");
  std::vector<std::string> candidates;
  if (shape.origin->type != nullptr) {
    const TypeRef declared = context_.types.resolve(*shape.origin->type);
    for (const types::Field& field : declared->fields) {
      if (field.type->kind == Kind::kTimestamp) candidates.push_back(field.name);
    }
  }
  if (candidates.size() == 1 && !shape.origin->connectors.empty()) {
    finding.suggest("say which field is the time", source::after(shape.origin->connectors.back().span),
                    "\n  time " + candidates[0]);
  } else {
    finding.help("add `time FIELD` to the source");
  }
}

std::optional<flow::Tumbling> Steps::window(const ast::Window& window, const Shape& shape) {
  const std::string& kind = window.kind.text;
  if (kind != "tumbling") {
    if (kind == "hopping" || kind == "session" || kind == "count" || kind == "calendar") {
      context_.unsupported(
          window.kind.span, "the window `" + kind + "`",
          "the window of this version is `tumbling(size)`, with an `offset` where days begin elsewhere");
    } else {
      auto& finding =
          context_.out.report(Code::bad_window, window.kind.span, "no window is called `" + kind + "`")
              .label("unknown");
      resolve::did_you_mean(finding, window.kind.span, kind,
                            {"tumbling", "hopping", "session", "count", "calendar"});
    }
    return std::nullopt;
  }
  flow::Tumbling result;
  result.span = window.span;
  const ast::Expr* size = nullptr;
  const ast::Expr* offset = nullptr;
  for (const ast::Arg& arg : window.args) {
    const bool is_offset = arg.name && arg.name->text == "offset";
    const bool is_size = !arg.name || arg.name->text == "size";
    const ast::Expr*& place = is_offset ? offset : size;
    if ((!is_offset && !is_size) || place != nullptr) {
      auto& finding =
          context_.out.report(Code::bad_window, arg.span, "a tumbling window has a size and an offset")
              .label("not one of them");
      finding.help("`tumbling(1h)`, `tumbling(1d, offset: 6h)`");
      return std::nullopt;
    }
    place = arg.value;
  }
  if (size == nullptr) {
    context_.out.report(Code::bad_window, window.span, "a tumbling window needs its size")
        .label("how long?")
        .help("for example `tumbling(1m)`");
    return std::nullopt;
  }
  const auto length = constant_duration(context_, *size, "the size of a window");
  if (!length) return std::nullopt;
  if (*length <= 0) {
    context_.out.report(Code::bad_window, size->span, "a window is longer than nothing").label("this is not");
    return std::nullopt;
  }
  result.size = *length;
  if (offset != nullptr) {
    const auto shift = constant_duration(context_, *offset, "the offset of a window");
    if (!shift) return std::nullopt;
    result.offset = ((*shift % result.size) + result.size) % result.size;
  }
  if (!shape.timed && !is_poison(shape.row)) {
    report_untimed(window, shape);
    return std::nullopt;
  }
  return result;
}

void Steps::report_updating(Span span, std::string message) {
  context_.out.report(Code::updating_stream, span, std::move(message))
      .label("not the rows of a `stream`")
      .note("a stream only grows, so that what was published never has to be taken back")
      .help(
          "close it by event time: `over tumbling(1m)`; a `table`, which keeps the latest row, is not in "
          "this version");
}

void Steps::aggregate(const ast::AggregateOperator& step, Shape& shape, std::vector<flow::Node>& nodes) {
  flow::Aggregate result;
  std::vector<types::Field> fields;
  std::map<std::string, Span> seen;
  bool unknown = is_poison(shape.row);
  const auto add = [&](const std::string& name, Span span, const TypeRef& type) {
    const auto [place, added] = seen.emplace(name, span);
    if (added) {
      fields.push_back({name, name, type});
      return true;
    }
    context_.out.report(Code::duplicate_field, span, "the column `" + name + "` stands twice")
        .label("again here")
        .also(place->second, "first here");
    return false;
  };

  std::optional<flow::Tumbling> same_window;
  Elaborator elaborate = elaborator(shape);
  for (const ast::Item& item : step.keys) {
    if (item.value == nullptr) continue;
    const auto* bare = ast::try_as<ast::NameExpr>(item.value);
    const bool own_window = bare != nullptr && bare->name == "window" && !step.window &&
                            !is_poison(shape.row) && field_index(*shape.row, "window") >= 0;
    if (own_window && shape.window) {
      if (same_window) {
        context_.out.report(Code::duplicate_field, item.span, "the column `window` stands twice")
            .label("again here")
            .also(same_window->span, "first here");
      }
      // The same window once more: it closes with the one before it.
      same_window = shape.window;
      same_window->span = item.span;
      continue;
    }
    const std::string name = item_name(item, "by");
    const ExprRef value = elaborate.check(*item.value);
    unknown |= name.empty();
    if (name.empty()) continue;
    TypeRef type = value->type;
    if (type->kind == Kind::kNull) {
      context_.out
          .report(Code::unknown_type_of_literal, item.value->span, "the type of this `null` is not known")
          .label("absent what?");
      type = types::error();
    }
    if (const auto reason = not_a_key(*type)) {
      auto& finding = context_.out
                          .report(Code::key_without_form, item.value->span,
                                  "a key of type " + types::to_string(type) + " has no one form")
                          .label("rows with equal keys could land in different groups")
                          .note(*reason);
      if (type->kind == Kind::kFloat) {
        finding.suggest("group by a decimal", item.span,
                        name + " = to_decimal(" + context_.raw(item.value->span) + ", 18, 6)");
      }
      type = types::error();
    }
    if (add(name, item.name ? item.name->span : item.span, type)) result.keys.push_back({name, value});
    unknown |= is_poison(type);
  }

  if (step.window) {
    result.window = window(*step.window, shape);
    unknown |= !result.window.has_value();
    add("window", step.window->span, types::window_record());
  } else if (same_window) {
    result.window = same_window;
    add("window", same_window->span, types::window_record());
  } else if (!unknown) {
    report_updating(step.keyword, "an aggregate without a window changes its rows with every record");
    unknown = true;
  }
  if (step.emit && step.emit->kind == ast::EmitKind::on_change) {
    report_updating(step.emit->span, "`emit on change` gives rows that later ones replace");
  } else if (step.emit && step.emit->kind == ast::EmitKind::every) {
    context_.unsupported(step.emit->span, "`emit every`",
                         "leave it out: a row comes when its window closes; a smaller window comes earlier");
  }

  for (const ast::AggregateItem& item : step.items) {
    auto aggregated = aggregation(item, shape);
    if (!aggregated) continue;
    if (add(item.name.text, item.name.span, aggregated->result))
      result.aggregations.push_back(std::move(*aggregated));
  }

  shape.row = types::record("", std::move(fields));
  shape.timed = true;
  shape.untimed_why.clear();
  shape.meta = false;
  shape.no_meta_why = "after an aggregate a row is made of many records";
  shape.origin = nullptr;
  shape.window = result.window.value_or(flow::Tumbling{});  // if not known: nothing is built of it
  if (unknown) {
    // Keys and window are a guess now, but later steps can still be checked against the names.
    flow::Node broken = node(step, "aggregate", shape);
    broken.op = std::move(result);
    nodes.push_back(std::move(broken));
    return;
  }
  flow::Node made = node(step, "aggregate", shape);
  made.op = std::move(result);
  nodes.push_back(std::move(made));
}

}  // namespace weir::check
