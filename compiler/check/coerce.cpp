// Conversions: there are few, and all are exact or checked.
#include <algorithm>

#include "compiler/check/elaborator.h"

namespace weir::check {
namespace {

TypeRef common_decimal(const types::Type& a, const types::Type& b) {
  const int scale = std::max(a.scale, b.scale);
  const int whole = std::max(a.precision - a.scale, b.precision - b.scale);
  return whole + scale > 38 ? nullptr : types::decimal(std::max(whole + scale, 1), scale);
}

// The literal as a decimal of its own digits.
TypeRef digits_of(const ExprRef& literal) {
  if (literal->type->kind == Kind::kDecimal) return literal->type;
  return types::decimal(digit_count(std::get<std::int64_t>(literal->literal.value)), 0);
}

double as_double(const ExprRef& literal) {
  if (literal->type->kind == Kind::kInt)
    return static_cast<double>(std::get<std::int64_t>(literal->literal.value));
  if (literal->type->kind == Kind::kFloat) return std::get<double>(literal->literal.value);
  return std::strtod(
      decimal_text(std::get<flow::Int128>(literal->literal.value), literal->type->scale).c_str(), nullptr);
}

// nullptr: the literal is not a value of that type.
ExprRef convert_literal(const ExprRef& literal, const TypeRef& target) {
  if (target->kind == Kind::kFloat && literal->type->kind != Kind::kFloat)
    return make_float(as_double(literal), literal->span);
  if (target->kind != Kind::kDecimal) return nullptr;
  flow::Int128 value = 0;
  int scale = 0;
  if (literal->type->kind == Kind::kInt) {
    value = std::get<std::int64_t>(literal->literal.value);
  } else if (literal->type->kind == Kind::kDecimal) {
    value = std::get<flow::Int128>(literal->literal.value);
    scale = literal->type->scale;
  } else {
    return nullptr;
  }
  while (scale > target->scale && value % 10 == 0) {
    value /= 10;
    --scale;
  }
  if (scale > target->scale) return nullptr;
  if (value != 0 && digit_count(value) + target->scale - scale > target->precision) return nullptr;
  return make_decimal(value * power_of_ten(target->scale - scale), target, literal->span);
}

}  // namespace

TypeRef common_type(const TypeRef& a, const TypeRef& b) {
  if (is_poison(a)) return b;
  if (is_poison(b)) return a;
  if (types::same(a, b)) return a;
  if (a->kind == Kind::kNull) return types::optional(b);
  if (b->kind == Kind::kNull) return types::optional(a);
  if (types::is_optional(a) || types::is_optional(b)) {
    const TypeRef inner = common_type(types::strip_optional(a), types::strip_optional(b));
    return inner == nullptr ? nullptr : types::optional(inner);
  }
  if (a->kind == Kind::kDecimal && b->kind == Kind::kDecimal) return common_decimal(*a, *b);
  if (a->kind == Kind::kList && b->kind == Kind::kList) {
    if (a->element->kind == Kind::kNull) return b;
    if (b->element->kind == Kind::kNull) return a;
  }
  return nullptr;
}

std::optional<std::string> not_a_key(const types::Type& type) {
  switch (type.kind) {
    case Kind::kFloat:
      return "a float has no one form: 0.1 + 0.2 is not 0.3, and NaN equals nothing";
    case Kind::kMap:
      return "a map has no one form as a key";
    case Kind::kList:
      return "a list is not a key";
    case Kind::kOptional:
      return not_a_key(*type.element);
    case Kind::kRecord:
      for (const types::Field& field : type.fields) {
        if (auto reason = not_a_key(*field.type)) return "its field `" + field.name + "`: " + *reason;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

ExprRef Elaborator::convert(const ExprRef& value, const TypeRef& target) {
  if (is_poison(value) || is_poison(target)) return poison(value->span);
  const TypeRef& from = value->type;
  if (types::same(from, target)) return value;
  if (target->kind == Kind::kOptional) {
    if (from->kind == Kind::kNull) return make_null(target, value->span);
    if (types::is_optional(from)) {
      const int id = new_local();
      const ExprRef local = make_local(id, from, value->span);
      const ExprRef inner = convert(make_unwrap(local, value->span), target->element);
      if (inner == nullptr) return nullptr;
      return make_let(id, value,
                      make_if(make_is_null(local, value->span), make_null(target, value->span),
                              make_convert(inner, target), value->span));
    }
    const ExprRef inner = convert(value, target->element);
    return inner == nullptr ? nullptr : make_convert(inner, target);
  }
  if (is_number_literal(value)) {
    if (ExprRef literal = convert_literal(value, target)) return literal;
  }
  if (from->kind == Kind::kDecimal && target->kind == Kind::kDecimal && target->scale >= from->scale &&
      !is_literal(value)) {
    return make_convert(value, target);
  }
  if (from->kind == Kind::kList && target->kind == Kind::kList && value->op == Op::kList) {
    std::vector<ExprRef> items;
    for (const ExprRef& item : value->args) {
      items.push_back(convert(item, target->element));
      if (items.back() == nullptr) return nullptr;
    }
    return make(Op::kList, target, value->span, std::move(items));
  }
  if (from->kind == Kind::kRecord && target->kind == Kind::kRecord && value->op == Op::kRecord &&
      from->fields.size() == target->fields.size()) {
    std::vector<ExprRef> items;
    for (std::size_t i = 0; i < from->fields.size(); ++i) {
      if (from->fields[i].name != target->fields[i].name) return nullptr;
      items.push_back(convert(value->args[i], target->fields[i].type));
      if (items.back() == nullptr) return nullptr;
    }
    return make(Op::kRecord, target, value->span, std::move(items));
  }
  return nullptr;
}

ExprRef Elaborator::report_absent(const ExprRef& value, const ast::Expr& at, const std::string& what) {
  const TypeRef inner = types::strip_optional(value->type);
  auto& finding = report(Code::may_be_absent, at.span, what + " may be absent here")
                      .label("this is " + types::to_string(value->type));
  std::string fallback;
  switch (inner->kind) {
    case Kind::kInt:
      fallback = "0";
      break;
    case Kind::kDecimal:
      fallback = "0";
      break;
    case Kind::kFloat:
      fallback = "0.0";
      break;
    case Kind::kString:
      fallback = "\"\"";
      break;
    case Kind::kBool:
      fallback = "false";
      break;
    case Kind::kList:
      fallback = "[]";
      break;
    case Kind::kDuration:
      fallback = "0s";
      break;
    default:
      break;
  }
  if (!fallback.empty()) {
    finding.suggest("say what counts when it is absent", at.span,
                    "(" + operand_text(at) + " ?? " + fallback + ")");
  }
  if (scope_.row != nullptr && !path_of(value).empty()) {
    finding.help("or keep only rows that have it, before: `|> where " + context_.text(at.span) +
                 " is not null`");
  }
  return poison(at.span);
}

ExprRef Elaborator::coerce(const ExprRef& value, const TypeRef& target, const ast::Expr& at,
                           const std::string& what, Span declared) {
  if (ExprRef result = convert(value, target)) return result;
  const TypeRef& from = value->type;
  const TypeRef inner = types::strip_optional(from);
  const TypeRef wanted = types::strip_optional(target);
  if (from->kind == Kind::kNull) {
    auto& finding = report(Code::may_be_absent, at.span, what + " is never absent")
                        .label("`null` where " + types::to_string(target) + " is needed");
    if (declared.is_known())
      finding.also(declared, "declared here").suggest("let it be absent", source::after(declared), "?");
    return poison(at.span);
  }
  if (types::is_optional(from) && !types::is_optional(target)) {
    const ExprRef probe = convert(make_unwrap(value, value->span), target);
    if (probe != nullptr) return report_absent(value, at, what);
  }
  const auto add_declared = [&](Diagnostic& finding) {
    if (declared.is_known()) finding.also(declared, "declared here");
  };
  if (inner->kind == Kind::kDecimal && wanted->kind == Kind::kDecimal && !types::is_optional(from)) {
    if (inner->scale > wanted->scale) {
      auto& finding = report(Code::scale_narrowing, at.span, what + " would lose digits")
                          .label("this has " + std::to_string(inner->scale) + " digits after the point, " +
                                 types::to_string(wanted) + " has " + std::to_string(wanted->scale));
      add_declared(finding);
      finding.note("digits are only given up where the script says how")
          .suggest("round half to even", at.span,
                   "round(" + context_.raw(at.span) + ", " + std::to_string(wanted->scale) + ")");
      return poison(at.span);
    }
    auto& finding =
        report(Code::literal_range, at.span, "this number does not fit " + types::to_string(wanted))
            .label("too many digits before the point");
    add_declared(finding);
    return poison(at.span);
  }
  const auto number = [](const TypeRef& type) {
    return type->kind == Kind::kInt || type->kind == Kind::kFloat || type->kind == Kind::kDecimal;
  };
  if (number(inner) && number(wanted) && !types::is_optional(from)) {
    if (is_number_literal(value) && inner->kind == Kind::kInt && wanted->kind == Kind::kDecimal) {
      auto& finding =
          report(Code::literal_range, at.span, "this number does not fit " + types::to_string(wanted))
              .label("too many digits before the point");
      add_declared(finding);
      return poison(at.span);
    }
    auto& finding = report(Code::mixed_numbers, at.span, what + " must be " + types::to_string(wanted))
                        .label("this is " + types::to_string(inner));
    add_declared(finding);
    finding.note("numbers change their kind only where the script says so");
    if (is_number_literal(value)) return poison(at.span);
    const std::string text = context_.raw(at.span);
    if (wanted->kind == Kind::kFloat && context_.library.find("to_float") != nullptr) {
      finding.suggest("convert it", at.span, "to_float(" + text + ")");
    } else if (wanted->kind == Kind::kDecimal) {
      finding.suggest("convert it", at.span,
                      "to_decimal(" + text + ", " + std::to_string(wanted->precision) + ", " +
                          std::to_string(wanted->scale) + ")");
    } else if (wanted->kind == Kind::kInt && context_.library.overload("to_int", {inner}) != nullptr) {
      finding.suggest("convert it", at.span, "to_int(" + text + ")");
    }
    return poison(at.span);
  }
  auto& finding = report(Code::wrong_type, at.span, what + " must be " + types::to_string(target))
                      .label("this is " + types::to_string(from));
  add_declared(finding);
  if (wanted->kind == Kind::kMap && inner->kind == Kind::kRecord)
    finding.help(
        "no literal makes a map outside the rows of a `test`: a map comes from a field of the input");
  if (wanted->kind == Kind::kString && !types::is_optional(from) && inner->kind != Kind::kRecord &&
      inner->kind != Kind::kList && inner->kind != Kind::kMap && inner->kind != Kind::kBytes) {
    finding.suggest("make it text", at.span, "to_text(" + context_.raw(at.span) + ")");
  }
  return poison(at.span);
}

bool Elaborator::unify(std::vector<ExprRef>& values) {
  TypeRef type;
  // Literals adapt: they are asked last.
  for (const bool literals : {false, true}) {
    for (const ExprRef& value : values) {
      if (is_number_literal(value) != literals) continue;
      if (type == nullptr) {
        type = value->type;
        continue;
      }
      const TypeRef inner = types::strip_optional(type);
      TypeRef next;
      if (literals && inner->kind == Kind::kFloat) {
        next = type;
      } else if (literals &&
                 (inner->kind == Kind::kDecimal || inner->kind == Kind::kInt || inner->kind == Kind::kNull)) {
        const bool whole = inner->kind == Kind::kInt && value->type->kind == Kind::kInt;
        if (value->type->kind == Kind::kFloat) {
          // Only other literals can become a float.
          const bool all = std::all_of(values.begin(), values.end(), [](const ExprRef& v) {
            return is_number_literal(v) || v->type->kind == Kind::kNull;
          });
          next = all ? (types::is_optional(type) || inner->kind == Kind::kNull
                            ? types::optional(types::floating())
                            : types::floating())
                     : nullptr;
        } else if (whole || inner->kind == Kind::kNull) {
          next = common_type(type, value->type);
        } else if (inner->kind == Kind::kDecimal) {
          next = common_type(type, digits_of(value));
        } else {
          // An int literal so far, now a decimal one: literals meet as decimals, other ints do not.
          const bool all = std::all_of(values.begin(), values.end(), [](const ExprRef& v) {
            return is_number_literal(v) || v->type->kind == Kind::kNull;
          });
          if (!all) return false;
          TypeRef sum;
          for (const ExprRef& v : values) {
            if (!is_number_literal(v) || v->type->kind == Kind::kFloat) continue;
            sum = sum == nullptr ? digits_of(v) : common_type(sum, digits_of(v));
            if (sum == nullptr) return false;
          }
          next = types::is_optional(type) ? types::optional(sum) : sum;
        }
      } else {
        next = common_type(type, value->type);
      }
      if (next == nullptr) return false;
      type = next;
    }
  }
  if (type == nullptr) return true;
  for (ExprRef& value : values) {
    value = convert(value, type);
    if (value == nullptr) return false;
  }
  return true;
}

}  // namespace weir::check
