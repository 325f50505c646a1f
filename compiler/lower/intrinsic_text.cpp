// Text out of single values, and texts one after the other.
#include <llvm/IR/Constants.h>

#include "compiler/lower/expr.h"
#include "compiler/lower/intrinsic.h"
#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"
#include "runtime/value/helpers.h"

namespace weir::lower {

using flow::Expr;
using types::Kind;

namespace {

llvm::Value* distance(Emitter& e, llvm::Value* from, llvm::Value* to) {
  return e.ir.CreateSub(e.ir.CreatePtrToInt(to, e.unit.i64), e.ir.CreatePtrToInt(from, e.unit.i64));
}

Value to_text(Emitter& e, const Expr& expr) {
  const Value value = emit(e, *expr.args[0]);
  e.line(expr.span);
  const types::Type& type = *value.type;
  const auto written = [&](std::uint64_t room, const char* helper, std::vector<llvm::Value*> args) {
    llvm::Value* begin = e.scratch(room);
    args.insert(args.begin(), begin);
    llvm::Value* end = e.call(helper, e.unit.ptr, args);
    if (type.kind == Kind::kFloat) e.fail_if(e.ir.CreateIsNull(end), 5014, message_of(5014, expr));
    return Value::scalar(expr.type, begin, distance(e, begin, end));
  };
  switch (type.kind) {
    case Kind::kString:
      return value;
    case Kind::kBool: {
      llvm::Value* yes = e.first(value);
      return Value::scalar(expr.type, e.ir.CreateSelect(yes, e.unit.bytes("true"), e.unit.bytes("false")),
                           e.ir.CreateSelect(yes, e.unit.constant(4), e.unit.constant(5)));
    }
    case Kind::kInt:
      return written(WEIR_MAX_INT, "weir_put_int", {e.first(value)});
    case Kind::kFloat:
      return written(WEIR_MAX_FLOAT, "weir_put_float", {e.first(value)});
    case Kind::kDecimal:
      return written(WEIR_MAX_DECIMAL, is_wide(type) ? "weir_put_decimal128" : "weir_put_decimal64",
                     {e.first(value), e.unit.constant32(static_cast<std::uint32_t>(type.scale))});
    case Kind::kTimestamp:
      return written(WEIR_MAX_TIMESTAMP, "weir_put_timestamp", {e.first(value)});
    case Kind::kDuration:
      return written(WEIR_MAX_DURATION, "weir_put_duration", {e.first(value)});
    default:
      throw Unsupported("text of " + types::to_string(type));
  }
}

Value concat(Emitter& e, const Expr& expr) {
  std::vector<Value> parts;
  for (const flow::ExprRef& arg : expr.args) parts.push_back(emit(e, *arg));
  e.line(expr.span);
  llvm::Value* list = e.frame(16 * parts.size(), "parts");
  for (std::size_t i = 0; i < parts.size(); ++i) e.store(parts[i], e.offset(list, 16 * i));
  llvm::Value* result = e.frame(16, "text");
  e.call("weir_string_concat", e.unit.void_type,
         {e.worker, result, list, e.unit.constant(static_cast<std::int64_t>(parts.size()))});
  return e.loaded(Value::memory(expr.type, result));
}

}  // namespace

const Intrinsics& text_intrinsics() {
  static const Intrinsics table = {{"to_text", to_text}, {"concat", concat}};
  return table;
}

}  // namespace weir::lower
