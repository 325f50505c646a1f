#include "compiler/interp/evaluate.h"

#include <algorithm>
#include <utility>

namespace weir::interp {

using flow::Expr;
using flow::ExprRef;
using flow::Op;

namespace {

std::unexpected<Failure> give_up(const Expr& at, std::string reason) {
  return std::unexpected(Failure{0, &at, std::move(reason)});
}

Value map_of_pairs(const Values& pairs) {
  Entries entries;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) entries.emplace_back(pairs[i].text(), pairs[i + 1]);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return map_of(std::move(entries));
}

}  // namespace

Evaluated Evaluator::evaluate(const Expr& expr, const Inputs& inputs) {
  inputs_ = inputs;
  steps_ = 0;
  depth_ = 0;
  Frame frame;
  frame_ = &frame;
  return eval(expr);
}

Evaluated Evaluator::eval(const Expr& expr) {
  if (++steps_ > limits_.steps) return give_up(expr, "it takes too many steps");
  if (depth_ >= limits_.depth) return give_up(expr, "it is nested too deeply");
  ++depth_;
  Evaluated result = eval_form(expr);
  --depth_;
  return result;
}

std::expected<Values, Failure> Evaluator::eval_args(const Expr& expr) {
  Values out;
  out.reserve(expr.args.size());
  for (const ExprRef& arg : expr.args) {
    Evaluated value = eval(*arg);
    if (!value.has_value()) return std::unexpected(std::move(value.error()));
    out.push_back(std::move(*value));
  }
  return out;
}

Evaluated Evaluator::eval_form(const Expr& expr) {
  switch (expr.op) {
    case Op::kLiteral:
      return value_of(expr.literal);
    case Op::kRow:
      return inputs_.row != nullptr ? Evaluated(*inputs_.row) : give_up(expr, "there is no row");
    case Op::kMeta:
      return inputs_.meta != nullptr ? Evaluated(*inputs_.meta) : give_up(expr, "there is no `meta`");
    case Op::kLocal: {
      const auto found = frame_->locals.find(expr.index);
      return found != frame_->locals.end() ? Evaluated(found->second) : give_up(expr, "a local has no value");
    }
    case Op::kParam: {
      const auto index = static_cast<std::size_t>(expr.index);
      if (inputs_.params == nullptr || index >= inputs_.params->size())
        return give_up(expr, "it is a parameter");
      return (*inputs_.params)[index];
    }
    case Op::kField: {
      Evaluated record = eval(*expr.args[0]);
      if (!record.has_value()) return record;
      return Value(record->values()[static_cast<std::size_t>(expr.index)]);
    }
    case Op::kRecord:
    case Op::kList: {
      auto args = eval_args(expr);
      if (!args.has_value()) return std::unexpected(std::move(args.error()));
      if (expr.type->kind == types::Kind::kMap) return map_of_pairs(*args);
      return list_of(std::move(*args));
    }
    case Op::kIf:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
    case Op::kIsNull:
    case Op::kUnwrap:
    case Op::kCoalesce:
    case Op::kTry:
      return eval_logic(expr);
    case Op::kLet:
      return eval_let(expr);
    case Op::kCall:
      return eval_call(expr);
    case Op::kCallFunction:
      return eval_function(expr);
    case Op::kLambda:
      return give_up(expr, "it is a lambda");
    case Op::kCapture:
      return give_up(expr, "it is captured");
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
    case Op::kConvert: {
      auto args = eval_args(expr);
      if (!args.has_value()) return std::unexpected(std::move(args.error()));
      auto result = operate(expr, *args);
      if (!result.has_value()) return std::unexpected(Failure{result.error(), &expr, ""});
      return std::move(*result);
    }
  }
  return give_up(expr, "it is unknown");
}

Evaluated Evaluator::eval_logic(const Expr& expr) {
  Evaluated first = eval(*expr.args[0]);
  if (!first.has_value()) {
    if (expr.op == Op::kTry && first.error().is_record_error()) return Value{};
    return first;
  }
  switch (expr.op) {
    case Op::kIf:
      return eval(*expr.args[first->truth() ? 1 : 2]);
    case Op::kAnd:
      return first->truth() ? eval(*expr.args[1]) : first;
    case Op::kOr:
      return first->truth() ? first : eval(*expr.args[1]);
    case Op::kNot:
      return Value{!first->truth()};
    case Op::kIsNull:
      return Value{first->absent()};
    case Op::kUnwrap:
      return first->absent() ? give_up(expr, "what was proven present is absent") : first;
    case Op::kCoalesce:
      return first->absent() ? eval(*expr.args[1]) : first;
    default:
      return first;
  }
}

Evaluated Evaluator::eval_let(const Expr& expr) {
  Evaluated value = eval(*expr.args[0]);
  if (!value.has_value()) return value;
  frame_->locals[expr.index] = std::move(*value);
  return eval(*expr.args[1]);
}

Evaluated Evaluator::eval_call(const Expr& expr) {
  const auto native = natives_.find(expr.name);
  if (native == natives_.end()) return give_up(expr, "`" + expr.name + "` is not evaluated here");
  auto args = eval_args(expr);
  if (!args.has_value()) return std::unexpected(std::move(args.error()));
  auto result = native->second(expr, *args);
  if (!result.has_value()) {
    return std::unexpected(
        Failure{result.error(), &expr, result.error() == 0 ? "it is not evaluated here" : ""});
  }
  return std::move(*result);
}

Evaluated Evaluator::eval_function(const Expr& expr) {
  auto args = eval_args(expr);
  if (!args.has_value()) return std::unexpected(std::move(args.error()));
  Frame frame;
  for (std::size_t i = 0; i < args->size(); ++i) frame.locals[static_cast<int>(i)] = std::move((*args)[i]);
  Frame* caller = std::exchange(frame_, &frame);
  Evaluated result = eval(*program_.functions[static_cast<std::size_t>(expr.index)].body);
  frame_ = caller;
  return result;
}

}  // namespace weir::interp
