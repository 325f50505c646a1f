#include "compiler/parse/builder.h"

namespace weir::parse {

ast::TypeExpr* Builder::type_expr(Parser::Type_exprContext* ctx) {
  ast::TypeExpr* inner = simple_type(ctx == nullptr ? nullptr : ctx->simple_type());
  if (!has(ctx, Parser::QUESTION)) return inner;
  auto* out = tree_.make<ast::OptionalType>();
  out->span = span(ctx);
  out->inner = inner;
  return out;
}

ast::TypeExpr* Builder::simple_type(Parser::Simple_typeContext* ctx) {
  if (auto* function = dynamic_cast<Parser::FunctionTypeContext*>(ctx); function != nullptr) {
    auto* out = tree_.make<ast::FunctionType>();
    out->span = span(ctx);
    auto* result = after<Parser::Type_exprContext>(ctx, Parser::ARROW);
    for (auto* param : function->type_expr()) {
      if (param != result) out->params.push_back(type_expr(param));
    }
    out->result = type_expr(result);
    return out;
  }
  if (auto* named = dynamic_cast<Parser::NamedTypeContext*>(ctx);
      named != nullptr && named->name() != nullptr) {
    auto* out = tree_.make<ast::NamedType>();
    out->span = span(ctx);
    out->name = name(named->name());
    for (auto* arg : named->type_expr()) out->type_args.push_back(type_expr(arg));
    out->args = args(named->args());
    return out;
  }
  auto* error = tree_.make<ast::ErrorType>();
  error->span = span(ctx);
  return error;
}

}  // namespace weir::parse
