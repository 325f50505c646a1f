#include "compiler/flow/text/print_expr.h"

#include <algorithm>
#include <utility>

#include "compiler/flow/text/tokens.h"

namespace weir::flow::text {
namespace {

using types::Kind;

// A field is written by name if the name says which one it is.
bool field_has_name(const Expr& expr) {
  if (expr.args.size() != 1 || expr.args[0]->type == nullptr) return false;
  const auto& fields = expr.args[0]->type->fields;
  if (expr.index < 0 || static_cast<std::size_t>(expr.index) >= fields.size()) return false;
  const std::string& name = fields[static_cast<std::size_t>(expr.index)].name;
  return std::count_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; }) == 1;
}

bool record_has_names(const Expr& expr) {
  return expr.type != nullptr && expr.type->kind == Kind::kRecord &&
         expr.type->fields.size() == expr.args.size();
}

bool all_typed(const Expr& expr) {
  return expr.type != nullptr && std::all_of(expr.args.begin(), expr.args.end(),
                                             [](const ExprRef& arg) { return arg->type != nullptr; });
}

bool wants_text(const Expr& expr) {
  return !expr.text.empty() && all_typed(expr) && (expr.op == Op::kCall || own_fallible(expr));
}

}  // namespace

std::string ExprPrinter::print(const Expr& expr, const TypeRef& row) {
  scope_.row = row;
  out_.clear();
  write(expr);
  return std::exchange(out_, {});
}

std::string ExprPrinter::span(const source::Span& span) const {
  if (!options_.spans || !span.is_known()) return "";
  return " @" + std::to_string(span.file.value) + ":" + std::to_string(span.offset) + "+" +
         std::to_string(span.length);
}

bool ExprPrinter::write(const Expr& expr) {
  write_form(expr);
  const std::size_t end = out_.size();
  const TypeRef natural = all_typed(expr) ? natural_type(expr, scope_) : nullptr;
  if (natural == nullptr || !types::identical(*natural, *expr.type)) out_ += ": " + types_.print(expr.type);
  if (options_.texts && wants_text(expr)) out_ += " ~" + in_quotes(expr.text);
  out_ += span(expr.span);
  return out_.size() > end;
}

std::string ExprPrinter::function_name(int index) const {
  const auto& functions = scope_.program->functions;
  if (index < 0 || static_cast<std::size_t>(index) >= functions.size()) return "#" + std::to_string(index);
  return name(functions[static_cast<std::size_t>(index)].name);
}

void ExprPrinter::write_args(const Expr& expr) {
  out_ += "(";
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    if (i > 0) out_ += ", ";
    write(*expr.args[i]);
  }
  out_ += ")";
}

void ExprPrinter::write_form(const Expr& expr) {
  switch (expr.op) {
    case Op::kLiteral:
      return write_literal(expr);
    case Op::kRow:
      out_ += "row";
      return;
    case Op::kMeta:
      out_ += "meta";
      return;
    case Op::kLocal:
      return write_local(expr.index);
    case Op::kParam: {
      const auto& params = scope_.program->params;
      const bool known = expr.index >= 0 && static_cast<std::size_t>(expr.index) < params.size();
      out_ += "$" + (known ? name(params[static_cast<std::size_t>(expr.index)].name)
                           : "#" + std::to_string(expr.index));
      return;
    }
    case Op::kField:
      if (!field_has_name(expr)) {
        out_ += "field " + std::to_string(expr.index);
        return write_args(expr);
      }
      {
        const std::size_t from = out_.size();
        const bool suffixed = write(*expr.args[0]);
        if (suffixed || expr.args[0]->op == Op::kLiteral) {
          out_.insert(from, "(");
          out_ += ")";
        }
      }
      out_ += "." + name(expr.args[0]->type->fields[static_cast<std::size_t>(expr.index)].name);
      return;
    case Op::kRecord:
      if (!record_has_names(expr)) {
        out_ += "record";
        return write_args(expr);
      }
      out_ += "{";
      for (std::size_t i = 0; i < expr.args.size(); ++i) {
        out_ += (i > 0 ? ", " : " ") + name(expr.type->fields[i].name) + ": ";
        write(*expr.args[i]);
      }
      out_ += expr.args.empty() ? "}" : " }";
      return;
    case Op::kList:
      out_ += "[";
      for (std::size_t i = 0; i < expr.args.size(); ++i) {
        if (i > 0) out_ += ", ";
        write(*expr.args[i]);
      }
      out_ += "]";
      return;
    case Op::kLet: {
      out_ += "let ";
      write_local(expr.index);
      out_ += " = ";
      if (!expr.args.empty()) {
        write(*expr.args[0]);
        scope_.locals[expr.index] = expr.args[0]->type;
      }
      out_ += " in (";
      for (std::size_t i = 1; i < expr.args.size(); ++i) {
        if (i > 1) out_ += ", ";
        write(*expr.args[i]);
      }
      out_ += ")";
      return;
    }
    case Op::kLambda: {
      out_ += "lambda ";
      for (std::size_t i = 0; i < expr.locals.size(); ++i) {
        if (i > 0) out_ += ", ";
        write_local(expr.locals[i]);
        const TypeRef type = i < expr.local_types.size() ? expr.local_types[i] : nullptr;
        out_ += ": " + types_.print(type);
        scope_.locals[expr.locals[i]] = type;
      }
      out_ += " => ";
      return write_args(expr);
    }
    case Op::kCall:
      out_ += (expr.can_fail ? "call! " : "call ") + name(expr.name);
      return write_args(expr);
    case Op::kCallFunction:
      out_ += "fn " + function_name(expr.index);
      return write_args(expr);
    case Op::kCapture:
      out_ += "capture " + in_quotes(expr.name);
      return write_args(expr);
    case Op::kIf:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kNegate:
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kRemainder:
    case Op::kConvert:
    case Op::kIsNull:
    case Op::kUnwrap:
    case Op::kCoalesce:
    case Op::kTry:
      out_ += word(expr.op);
      return write_args(expr);
  }
}

void ExprPrinter::write_literal(const Expr& expr) {
  const TypeRef type = expr.type == nullptr ? types::error() : types::strip_optional(expr.type);
  const auto& value = expr.literal.value;
  if (const auto* truth = std::get_if<bool>(&value)) {
    out_ += *truth ? "true" : "false";
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const std::optional<std::string> time =
        type->kind == Kind::kTimestamp ? timestamp_text(*integer) : std::nullopt;
    if (time.has_value()) {
      out_ += "@" + *time;
    } else {
      out_ += std::to_string(*integer);
      if (type->kind == Kind::kTimestamp) out_ += "ts";
      if (type->kind == Kind::kDuration) out_ += "us";
    }
  } else if (const auto* floating = std::get_if<double>(&value)) {
    const std::string digits = float_digits(*floating);
    out_ += digits.back() == 'f' || digits.back() == 'n' ? "float(" + digits + ")" : digits + "f";
  } else if (const auto* decimal = std::get_if<Int128>(&value)) {
    out_ += decimal_digits(*decimal, type->scale) + "d";
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    out_ += (type->kind == Kind::kBytes ? "b" : "") + in_quotes(*text);
  } else {
    out_ += "null";
  }
}

}  // namespace weir::flow::text
