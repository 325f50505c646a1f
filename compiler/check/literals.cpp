// Literals, interpolation, lists and records.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "compiler/ast/print.h"
#include "compiler/check/elaborator.h"

namespace weir::check {
namespace {

// The exact value of "12.50": unscaled digits and scale; nullopt above 38 digits.
struct Exact {
  flow::Int128 unscaled = 0;
  int scale = 0;
};

std::optional<Exact> exact(const std::string& digits) {
  Exact result;
  bool point = false;
  for (const char c : digits) {
    if (c == '.') {
      point = true;
      continue;
    }
    if (digit_count(result.unscaled) > 37 && result.unscaled != 0) return std::nullopt;
    result.unscaled = result.unscaled * 10 + (c - '0');
    if (point) ++result.scale;
  }
  if (result.scale > 38) return std::nullopt;
  return result;
}

}  // namespace

ExprRef Elaborator::literal(const ast::Expr& expr, const TypeRef& hint) {
  using ast::ExprKind;
  const TypeRef wanted = hint == nullptr ? nullptr : types::strip_optional(hint);
  const Span span = expr.span;
  switch (expr.kind) {
    case ExprKind::null_literal:
      return make_null(types::null(), span);
    case ExprKind::bool_literal:
      return make_bool(ast::as<ast::BoolLiteral>(expr).value, span);
    case ExprKind::int_literal: {
      const auto& number = ast::as<ast::IntLiteral>(expr);
      if (wanted != nullptr && wanted->kind == Kind::kFloat) {
        return make_float(std::strtod(number.digits.c_str(), nullptr), span);
      }
      constexpr std::uint64_t kMax = 9'223'372'036'854'775'807ull;
      if (!number.value || *number.value > kMax) {
        const std::optional<Exact> value = exact(number.digits);
        if (wanted != nullptr && wanted->kind == Kind::kDecimal && value) {
          return make_decimal(value->unscaled, types::decimal(digit_count(value->unscaled), 0), span);
        }
        auto& finding = report(Code::literal_range, span, "this number does not fit an `int`")
                            .label("the largest int is 9223372036854775807");
        if (value) finding.suggest("as a decimal it fits", span, number.digits + ".0");
        return poison(span);
      }
      return make_int(static_cast<std::int64_t>(*number.value), span);
    }
    case ExprKind::decimal_literal: {
      const auto& number = ast::as<ast::DecimalLiteral>(expr);
      if (wanted != nullptr && wanted->kind == Kind::kFloat) {
        return make_float(std::strtod(number.digits.c_str(), nullptr), span);
      }
      const std::optional<Exact> value = exact(number.digits);
      if (!value) {
        report(Code::literal_range, span, "this number has more digits than a decimal can keep")
            .label("38 digits are the most");
        return poison(span);
      }
      const int precision = std::max({digit_count(value->unscaled), value->scale, 1});
      return make_decimal(value->unscaled, types::decimal(precision, value->scale), span);
    }
    case ExprKind::float_literal: {
      const double value = std::strtod(ast::as<ast::FloatLiteral>(expr).digits.c_str(), nullptr);
      if (std::isinf(value)) {
        report(Code::literal_range, span, "this number does not fit a `float`")
            .label("the largest float is about 1.8e308");
        return poison(span);
      }
      return make_float(value, span);
    }
    case ExprKind::string_literal:
      return make_string(ast::as<ast::StringLiteral>(expr).value, span);
    case ExprKind::duration_literal:
      return make_duration(ast::as<ast::DurationLiteral>(expr).micros, span);
    case ExprKind::timestamp_literal:
      return make_timestamp(ast::as<ast::TimestampLiteral>(expr).micros, span);
    case ExprKind::size_literal:
      report(Code::wrong_type, span, "a size is not a value of the language")
          .label("only settings and options take one");
      return poison(span);
    case ExprKind::date_literal:
      context_
          .unsupported(span, "a date",
                       "the first moment of the day is a timestamp, and `truncate` takes others back to it")
          .suggest("write the day's first moment", source::after(span), "T00:00:00Z");
      return poison(span);
    default:
      return poison(span);
  }
}

ExprRef Elaborator::interpolation(const ast::InterpolationExpr& expr) {
  std::vector<ExprRef> parts;
  bool failed = false;
  for (const ast::Expr* part : expr.parts) {
    ExprRef value = check(*part);
    if (!is_poison(value)) value = to_text(value, *part);
    failed |= is_poison(value);
    parts.push_back(std::move(value));
  }
  if (failed) return poison(expr.span);
  if (parts.empty()) return make_string("", expr.span);
  if (parts.size() == 1) return parts[0];
  auto result = node(Op::kCall, types::string(), expr, std::move(parts));
  result->name = "concat";
  return result;
}

ExprRef Elaborator::list(const ast::ListExpr& expr, const TypeRef& hint) {
  TypeRef element = hint == nullptr ? nullptr : types::strip_optional(hint);
  element = element != nullptr && element->kind == Kind::kList ? element->element : nullptr;
  std::vector<ExprRef> values;
  bool failed = false;
  for (const ast::Expr* item : expr.elements) {
    values.push_back(element == nullptr ? check(*item) : check_as(*item, element, "an element of this list"));
    failed |= is_poison(values.back());
  }
  if (failed) return poison(expr.span);
  if (element == nullptr && !unify(values)) {
    auto& finding = report(Code::no_common_type, expr.span, "the elements of this list have different types")
                        .label("a list has one type of elements");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0 && types::same(values[i]->type, values[i - 1]->type)) continue;
      if (i > 6) break;
      finding.also(expr.elements[i]->span, "this is " + types::to_string(values[i]->type));
    }
    return poison(expr.span);
  }
  if (element == nullptr) element = values.empty() ? types::null() : values[0]->type;
  return node(Op::kList, types::list(element), expr, std::move(values));
}

// `{ "key": value }` in the rows of tests: a list of keys and values in turn.
ExprRef Elaborator::map(const ast::RecordExpr& expr, const TypeRef& type) {
  std::vector<ExprRef> values;
  std::map<std::string, Span> seen;
  bool failed = expr.open;
  if (expr.open) report(Code::bad_test, expr.span, "a map is compared as a whole").label("no `..` here");
  for (const ast::RecordEntry& entry : expr.entries) {
    if (entry.value == nullptr) continue;
    if (entry.spread) {
      report(Code::bad_test, entry.span, "a map in a test is written out").label("no `..value` here");
      failed = true;
      continue;
    }
    const auto [first, added] = seen.emplace(entry.name.text, entry.name.span);
    if (!added) {
      report(Code::duplicate_field, entry.name.span, "the key `" + entry.name.text + "` stands twice")
          .label("again here")
          .also(first->second, "first here");
    }
    values.push_back(make_string(entry.name.text, entry.name.span));
    values.push_back(check_as(*entry.value, type->element, "the value of the key `" + entry.name.text + "`"));
    failed |= !added || is_poison(values.back());
  }
  return failed ? poison(expr.span) : node(Op::kList, type, expr, std::move(values));
}

ExprRef Elaborator::record(const ast::RecordExpr& expr, const TypeRef& hint) {
  TypeRef wanted = hint == nullptr ? nullptr : types::strip_optional(hint);
  if (wanted != nullptr && wanted->kind == Kind::kMap && scope_.maps) return map(expr, wanted);
  if (wanted != nullptr && wanted->kind != Kind::kRecord) wanted = nullptr;
  if (expr.open) {
    report(Code::wrong_type, expr.span, "`..` alone stands only in the rows that a test expects")
        .label("a value has all its fields");
    return poison(expr.span);
  }

  struct Entry {
    std::string name;
    ExprRef value;
    Span span;
    bool spread = false;
  };
  std::vector<Entry> entries;                 // one per field, in the order of the first mention
  std::vector<std::pair<int, ExprRef>> lets;  // values that must be evaluated first
  bool failed = false;
  const auto put = [&](Entry entry) {
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == entry.name; });
    if (found == entries.end()) {
      entries.push_back(std::move(entry));
    } else if (found->spread) {
      *found = std::move(entry);
    } else if (!entry.spread) {
      report(Code::duplicate_field, entry.span, "the field `" + entry.name + "` stands twice")
          .label("again here")
          .also(found->span, "first here");
    }
  };
  for (const ast::RecordEntry& entry : expr.entries) {
    if (entry.value == nullptr) continue;
    if (entry.spread) {
      ExprRef object = check(*entry.value, wanted);
      if (is_poison(object)) {
        failed = true;
        continue;
      }
      if (object->type->kind != Kind::kRecord) {
        report(Code::wrong_type, entry.value->span, "only a record can be spread")
            .label("this is " + types::to_string(object->type));
        failed = true;
        continue;
      }
      if (path_of(object).empty()) {
        const int id = new_local();
        lets.emplace_back(id, object);
        object = make_local(id, object->type, object->span);
      }
      for (std::size_t i = 0; i < object->type->fields.size(); ++i) {
        put({object->type->fields[i].name, narrowed(make_field(object, static_cast<int>(i), entry.span)),
             entry.span, true});
      }
      continue;
    }
    if (entry.quoted) {
      report(Code::unexpected_token, entry.name.span, "the name of a field stands without quotes")
          .label("only the key of a map in a test stands in quotes")
          .suggest("write it as a name", entry.name.span, ast::print_name(entry.name.text));
      failed = true;
    }
    const types::Field* target = wanted == nullptr ? nullptr : types::find_field(*wanted, entry.name.text);
    if (wanted != nullptr && target == nullptr && !wanted->name.empty()) {
      auto& finding = report(Code::unknown_field, entry.name.span,
                             "`" + types::to_string(wanted) + "` has no field `" + entry.name.text + "`")
                          .label("not a field");
      std::vector<std::string> names;
      for (const types::Field& field : wanted->fields) names.push_back(field.name);
      resolve::did_you_mean(finding, entry.name.span, entry.name.text, names);
      failed = true;
      continue;
    }
    ExprRef value = target == nullptr
                        ? check(*entry.value)
                        : check_as(*entry.value, target->type, "the field `" + entry.name.text + "`");
    failed |= is_poison(value);
    put({entry.name.text, std::move(value), entry.span});
  }
  if (failed) return poison(expr.span);

  std::vector<types::Field> fields;
  std::vector<ExprRef> values;
  bool in_order = true;
  bool use_wanted = wanted != nullptr && !wanted->name.empty();
  if (wanted != nullptr && !use_wanted) {
    // A record without a name is taken as the wanted one if it has the same fields.
    use_wanted = std::all_of(entries.begin(), entries.end(),
                             [&](const Entry& e) { return types::find_field(*wanted, e.name) != nullptr; }) &&
                 std::all_of(wanted->fields.begin(), wanted->fields.end(), [&](const types::Field& field) {
                   return types::is_optional(field.type) ||
                          std::any_of(entries.begin(), entries.end(),
                                      [&](const Entry& e) { return e.name == field.name; });
                 });
  }
  if (use_wanted) {
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < wanted->fields.size(); ++i) {
      const types::Field& field = wanted->fields[i];
      const auto found =
          std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == field.name; });
      if (found == entries.end()) {
        if (types::is_optional(field.type)) {
          values.push_back(make_null(field.type, expr.span));
        } else {
          missing.push_back(field.name);
        }
        continue;
      }
      ExprRef value = convert(found->value, field.type);
      if (value == nullptr)
        value = coerce(found->value, field.type, *expr.entries[0].value, "the field `" + field.name + "`");
      values.push_back(value);
    }
    if (!missing.empty()) {
      std::string names;
      for (const std::string& name : missing) names += (names.empty() ? "`" : ", `") + name + "`";
      report(Code::wrong_type, expr.span, "this record lacks " + names + " of `" + wanted->name + "`")
          .label("every field without `?` needs a value");
      return poison(expr.span);
    }
    fields = wanted->fields;
    std::size_t at = 0;
    for (const types::Field& field : fields) {
      const auto found =
          std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.name == field.name; });
      if (found == entries.end()) continue;
      const std::size_t position = static_cast<std::size_t>(found - entries.begin());
      if (position < at) in_order = false;
      at = position;
    }
  } else {
    for (Entry& entry : entries) {
      if (entry.value->type->kind == Kind::kNull) {
        report(Code::unknown_type_of_literal, entry.value->span, "the type of this `null` is not known")
            .label("absent what?");
        return poison(expr.span);
      }
      fields.push_back({entry.name, entry.name, entry.value->type});
      values.push_back(entry.value);
    }
  }
  const TypeRef type = use_wanted ? wanted : types::record("", fields);
  if (!in_order) {
    // The first error in the written order is the record's error: evaluate in that order.
    for (const Entry& entry : entries) {
      const int at = field_index(*type, entry.name);
      if (at < 0) continue;
      ExprRef& value = values[static_cast<std::size_t>(at)];
      if (!flow::fallible(*value)) continue;
      const int id = new_local();
      const TypeRef value_type = value->type;
      lets.emplace_back(id, value);
      value = make_local(id, value_type, entry.span);
    }
  }
  ExprRef result = node(Op::kRecord, type, expr, std::move(values));
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    result = make_let(let->first, let->second, result);
  return result;
}

}  // namespace weir::check
