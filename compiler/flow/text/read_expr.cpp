#include "compiler/flow/text/read_expr.h"

#include <charconv>
#include <limits>
#include <utility>

#include "compiler/flow/text/tokens.h"

namespace weir::flow::text {
namespace {

std::optional<double> parse_float(const std::string& digits) {
  if (digits == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (digits == "inf") return std::numeric_limits<double>::infinity();
  if (digits == "-inf") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

struct Decimal {
  Int128 unscaled = 0;
  int scale = 0;
  int digits = 0;
};

// Up to 38 digits.
std::optional<Decimal> parse_decimal(const std::string& text) {
  Decimal out;
  bool point = false;
  for (char c : text) {
    if (c == '-') continue;
    if (c == '.') {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    out.unscaled = out.unscaled * 10 + (c - '0');
    if (out.unscaled != 0 && ++out.digits > 38) return std::nullopt;
    if (point) ++out.scale;
  }
  if (text[0] == '-') out.unscaled = -out.unscaled;
  return out;
}

}  // namespace

source::Span read_span(Cursor& cursor) {
  source::Span span;
  if (!cursor.take("@")) return span;
  span.file.value = static_cast<std::int32_t>(cursor.integer());
  cursor.expect(":");
  span.offset = static_cast<std::uint32_t>(cursor.integer());
  cursor.expect("+");
  span.length = static_cast<std::uint32_t>(cursor.integer());
  return span;
}

ExprRef ExprReader::read(const TypeRef& row) {
  scope_.row = row;
  return read();
}

ExprReader::Draft ExprReader::make(Op op) {
  auto expr = std::make_shared<Expr>();
  expr->op = op;
  return expr;
}

ExprRef ExprReader::read() {
  if (++depth_ > max_depth_) cursor_.fail("the expression is nested too deeply");
  Draft expr = cursor_.failed() ? nullptr : read_form();
  ExprRef result = expr;
  while (expr != nullptr && !cursor_.failed() && cursor_.sees(".")) {
    if (expr->type == nullptr) expr->type = natural_type(*expr, scope_);
    result = read_field(result);
    expr = std::const_pointer_cast<Expr>(result);  // ours until it is returned
  }
  if (expr != nullptr && !cursor_.failed()) read_suffixes(*expr, true);
  --depth_;
  return cursor_.failed() ? nullptr : result;
}

void ExprReader::read_suffixes(Expr& expr, bool force) {
  if (cursor_.take(":")) expr.type = types_.read();
  if (cursor_.take("~")) expr.text = cursor_.quoted();
  if (cursor_.sees("@")) expr.span = read_span(cursor_);
  if (expr.type == nullptr && !cursor_.failed()) expr.type = natural_type(expr, scope_);
  if (force && expr.type == nullptr) cursor_.fail("the type of this expression must be written");
}

ExprRef ExprReader::read_field(ExprRef base) {
  cursor_.expect(".");
  const std::string name = cursor_.name();
  if (cursor_.failed()) return nullptr;
  if (base->type == nullptr) {
    cursor_.fail("the type of what has the field must be written");
    return nullptr;
  }
  auto expr = make(Op::kField);
  const auto& fields = base->type->fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) expr->index = static_cast<int>(i);
  }
  if (expr->index < 0) {
    cursor_.fail("there is no field `" + name + "`");
    return nullptr;
  }
  expr->args.push_back(std::move(base));
  return expr;
}

void ExprReader::read_args(Expr& expr, std::string_view close) {
  bool first = true;
  while (!cursor_.failed() && !cursor_.take(close)) {
    if (!first) cursor_.expect(",");
    first = false;
    if (ExprRef arg = read()) expr.args.push_back(std::move(arg));
  }
}

ExprReader::Draft ExprReader::read_form() {
  if (cursor_.sees_number()) return read_number();
  if (cursor_.sees("\"")) {
    auto expr = make(Op::kLiteral);
    expr->type = types::string();
    expr->literal.value = cursor_.quoted();
    return expr;
  }
  if (cursor_.take("@")) {
    auto expr = make(Op::kLiteral);
    expr->type = types::timestamp();
    const auto time = parse_timestamp(cursor_.raw_until(" ,)]}\n"));
    if (!time.has_value()) cursor_.fail("this is not a timestamp");
    expr->literal.value = time.value_or(0);
    return expr;
  }
  if (cursor_.sees("%")) {
    auto expr = make(Op::kLocal);
    expr->index = read_local();
    return expr;
  }
  if (cursor_.take("$")) {
    auto expr = make(Op::kParam);
    expr->index = find_param();
    return expr;
  }
  if (cursor_.take("(")) {
    ExprRef inner = read();
    cursor_.expect(")");
    return std::const_pointer_cast<Expr>(inner);
  }
  if (cursor_.take("[")) {
    auto expr = make(Op::kList);
    read_args(*expr, "]");
    return expr;
  }
  if (cursor_.sees("{")) return read_record();
  return read_word(cursor_.name());
}

ExprReader::Draft ExprReader::read_number() {
  auto expr = make(Op::kLiteral);
  const std::string digits = cursor_.number();
  if (cursor_.take_word("d")) {
    const auto value = parse_decimal(digits);
    if (!value.has_value()) cursor_.fail("this is not a decimal of up to 38 digits");
    const Decimal decimal = value.value_or(Decimal{});
    expr->literal.value = decimal.unscaled;
    expr->type = types::decimal(std::max({decimal.digits, decimal.scale, 1}), decimal.scale);
    return expr;
  }
  if (cursor_.take_word("f")) {
    expr->literal.value = parse_float(digits).value_or(0);
    expr->type = types::floating();
    return expr;
  }
  std::int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) {
    cursor_.fail("a whole number of 64 bits is expected");
  }
  expr->literal.value = value;
  expr->type = types::integer();
  if (cursor_.take_word("us")) expr->type = types::duration();
  if (cursor_.take_word("ts")) expr->type = types::timestamp();
  return expr;
}

ExprReader::Draft ExprReader::read_record() {
  auto expr = make(Op::kRecord);
  std::vector<types::Field> fields;
  cursor_.expect("{");
  while (!cursor_.failed() && !cursor_.take("}")) {
    if (!fields.empty()) cursor_.expect(",");
    const std::string name = cursor_.name();
    cursor_.expect(":");
    ExprRef value = read();
    if (value == nullptr) return nullptr;
    fields.push_back({name, name, value->type});
    expr->args.push_back(std::move(value));
  }
  expr->type = types::record("", std::move(fields));
  return expr;
}

ExprReader::Draft ExprReader::read_literal_word(const std::string& word) {
  if (word == "true" || word == "false") {
    auto expr = make(Op::kLiteral);
    expr->literal.value = word == "true";
    expr->type = types::boolean();
    return expr;
  }
  if (word == "null") {
    auto expr = make(Op::kLiteral);
    expr->type = types::null();
    return expr;
  }
  if (word == "b" && cursor_.sees("\"")) {
    auto expr = make(Op::kLiteral);
    expr->literal.value = cursor_.quoted();
    expr->type = types::bytes();
    return expr;
  }
  if (word == "float") {
    auto expr = make(Op::kLiteral);
    cursor_.expect("(");
    const auto value = parse_float(cursor_.raw_until(")"));
    if (!value.has_value()) cursor_.fail("this is not a float");
    cursor_.expect(")");
    expr->literal.value = value.value_or(0);
    expr->type = types::floating();
    return expr;
  }
  return nullptr;
}

ExprReader::Draft ExprReader::read_word(std::string word) {
  if (cursor_.failed()) return nullptr;
  if (Draft literal = read_literal_word(word)) return literal;
  if (word == "row") return make(Op::kRow);
  if (word == "meta") return make(Op::kMeta);
  if (word == "let") return read_let();
  if (word == "lambda") return read_lambda();
  Draft expr;
  if (word == "call") {
    expr = make(Op::kCall);
    expr->can_fail = cursor_.take("!");
    expr->name = cursor_.name();
  } else if (word == "fn") {
    expr = make(Op::kCallFunction);
    expr->index = find_function();
  } else if (word == "capture") {
    expr = make(Op::kCapture);
    expr->name = cursor_.quoted();
  } else if (const auto op = op_of_word(word)) {
    expr = make(*op);
    if (*op == Op::kField) expr->index = static_cast<int>(cursor_.integer());
  } else {
    cursor_.fail("`" + word + "` is not an operation");
    return nullptr;
  }
  cursor_.expect("(");
  read_args(*expr, ")");
  return expr;
}

ExprReader::Draft ExprReader::read_let() {
  auto expr = make(Op::kLet);
  expr->index = read_local();
  cursor_.expect("=");
  if (ExprRef value = read()) {
    define(expr->index, value->type);
    expr->args.push_back(std::move(value));
  }
  cursor_.expect_word("in");
  cursor_.expect("(");
  read_args(*expr, ")");
  return expr;
}

ExprReader::Draft ExprReader::read_lambda() {
  auto expr = make(Op::kLambda);
  while (!cursor_.failed() && !cursor_.take("=>")) {
    if (!expr->locals.empty()) cursor_.expect(",");
    const int local = read_local();
    cursor_.expect(":");
    TypeRef type = types_.read();
    define(local, type);
    expr->locals.push_back(local);
    expr->local_types.push_back(std::move(type));
  }
  cursor_.expect("(");
  read_args(*expr, ")");
  return expr;
}

int ExprReader::read_local() {
  cursor_.expect("%");
  return static_cast<int>(cursor_.integer());
}

int ExprReader::find_param() {
  if (cursor_.take("#")) return static_cast<int>(cursor_.integer());
  const std::string name = cursor_.name();
  const auto& params = scope_.program->params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].name == name) return static_cast<int>(i);
  }
  cursor_.fail("there is no parameter `" + name + "`");
  return -1;
}

int ExprReader::find_function() {
  if (cursor_.take("#")) return static_cast<int>(cursor_.integer());
  const std::string name = cursor_.name();
  const auto& functions = scope_.program->functions;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].name == name) return static_cast<int>(i);
  }
  cursor_.fail("there is no function `" + name + "`");
  return -1;
}

}  // namespace weir::flow::text
