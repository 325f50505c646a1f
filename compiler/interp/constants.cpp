#include "compiler/interp/constants.h"

#include <algorithm>
#include <set>

#include "compiler/flow/walk.h"

namespace weir::interp {
namespace {

using flow::Expr;
using flow::ExprRef;
using flow::Op;

// Whether the operation itself brings nothing that is unknown.
bool known(const Expr& expr, const Natives& natives) {
  switch (expr.op) {
    case Op::kRow:
    case Op::kMeta:
    case Op::kLocal:
    case Op::kParam:
    case Op::kLambda:
    case Op::kCapture:
    case Op::kLet:           // its parts are looked at, it is not
    case Op::kCallFunction:  // its body has been looked at with its parameters unknown
      return false;
    case Op::kCall:
      return natives.contains(expr.name);
    default:
      return true;
  }
}

class Finder {
 public:
  Finder(const flow::Program& program, const Natives& natives)
      : natives_(natives), evaluator_(program, natives, {.steps = 100'000, .depth = 4'000}) {}

  // Whether `expr` is constant and can be evaluated; notes failures.
  bool visit(const Expr& expr);
  std::vector<ConstantFailure> take() { return std::move(found_); }

 private:
  bool note_failure(const Expr& expr);

  const Natives& natives_;
  Evaluator evaluator_;
  std::vector<ConstantFailure> found_;
  std::set<const Expr*> seen_;
};

bool Finder::visit(const Expr& expr) {
  if (expr.op == Op::kTry) return false;
  bool constant = known(expr, natives_);
  for (const ExprRef& arg : expr.args) {
    if (arg->op == Op::kLiteral) continue;
    constant = visit(*arg) && constant;
  }
  if (!constant || !flow::own_fallible(expr)) return constant;
  return !note_failure(expr);
}

// Arguments have not failed, so that a failure is this operation's own.
bool Finder::note_failure(const Expr& expr) {
  const Evaluated result = evaluator_.evaluate(expr);
  if (result.has_value()) return false;
  if (result.error().is_record_error() && seen_.insert(result.error().at).second) {
    found_.push_back({result.error().at, result.error().code});
  }
  return true;
}

}  // namespace

bool is_constant(const Expr& expr, const Natives& natives) {
  bool constant = true;
  flow::walk(expr, [&](const Expr& inner) {
    constant = constant && known(inner, natives);
    return constant;
  });
  return constant;
}

std::vector<ConstantFailure> constant_failures(const Expr& root, const flow::Program& program,
                                               const Natives& natives) {
  Finder finder(program, natives);
  finder.visit(root);
  return finder.take();
}

std::vector<ConstantFailure> constant_failures(const flow::Program& program, const Natives& natives) {
  Finder finder(program, natives);
  flow::for_each_expr(program, [&](const Expr& expr) { finder.visit(expr); });
  return finder.take();
}

std::string_view title_of(int code) {
  switch (code) {
#define WEIR_RECORD_ERROR(number, identifier, title, explanation) \
  case number:                                                    \
    return title;
#include "runtime/abi/record_errors.def"
#undef WEIR_RECORD_ERROR
    default:
      return "";
  }
}

ExprRef literal_of(const Value& value, const Expr& of) {
  auto literal = std::make_shared<Expr>();
  literal->type = of.type;
  literal->span = of.span;
  literal->text = of.text;
  if (of.type->kind == types::Kind::kOptional && !value.absent()) return nullptr;
  if (const auto* truth = std::get_if<bool>(&value.data)) {
    literal->literal.value = *truth;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    literal->literal.value = *integer;
  } else if (const auto* number = std::get_if<double>(&value.data)) {
    literal->literal.value = *number;
  } else if (const auto* decimal = std::get_if<Int128>(&value.data)) {
    literal->literal.value = *decimal;
  } else if (const auto* text = std::get_if<std::string>(&value.data)) {
    literal->literal.value = *text;
  } else if (!value.absent()) {
    return nullptr;
  }
  return literal;
}

}  // namespace weir::interp
