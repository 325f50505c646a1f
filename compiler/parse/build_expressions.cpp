#include <fmt/core.h>

#include "compiler/parse/builder.h"

namespace weir::parse {

using ast::BinaryOp;
using diagnostics::Code;

ast::Expr* Builder::expression(Parser::ExprContext* ctx) {
  return expr(ctx);
}

ast::Expr* Builder::error_expr(ast::Span at) {
  return make_expr<ast::ErrorExpr>(at);
}

ast::Expr* Builder::expr(Parser::ExprContext* ctx) {
  if (ctx == nullptr) return error_expr({});
  if (depth_ >= limits_.depth) {
    if (!too_deep_) {
      out_.report(Code::too_deep, span(ctx->getStop()),
                  fmt::format("more than {} operators are nested here", limits_.depth))
          .label("one level too many")
          .help("move a part into a `fn` of its own");
    }
    too_deep_ = true;
    return error_expr(span(ctx));
  }
  ++depth_;
  ast::Expr* out = any_expr(ctx);
  --depth_;
  return out;
}

ast::Expr* Builder::any_expr(Parser::ExprContext* ctx) {
  if (auto* c = dynamic_cast<Parser::PrimaryExprContext*>(ctx)) return primary(c->primary());
  if (auto* c = dynamic_cast<Parser::BinaryExprContext*>(ctx)) return binary(c);
  if (auto* c = dynamic_cast<Parser::MemberExprContext*>(ctx)) return member(c);
  if (auto* c = dynamic_cast<Parser::IndexExprContext*>(ctx)) {
    auto* out = make_expr<ast::IndexExpr>(span(c));
    out->object = expr(c->expr(0));
    out->index = expr(c->expr(1));
    return out;
  }
  const auto prefix = [&](ast::UnaryOp op, Parser::ExprContext* operand) {
    auto* out = make_expr<ast::UnaryExpr>(span(ctx));
    out->op = op;
    out->op_span = span(ctx->getStart());
    out->operand = expr(operand);
    return out;
  };
  if (auto* c = dynamic_cast<Parser::NegateExprContext*>(ctx)) return prefix(ast::UnaryOp::negate, c->expr());
  if (auto* c = dynamic_cast<Parser::NotExprContext*>(ctx)) return prefix(ast::UnaryOp::not_, c->expr());
  if (auto* c = dynamic_cast<Parser::TryExprContext*>(ctx)) {
    auto* out = make_expr<ast::TryExpr>(span(c));
    out->operand = expr(c->expr());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::CaptureExprContext*>(ctx)) {
    auto* out = make_expr<ast::CaptureExpr>(span(c));
    out->operand = expr(c->expr());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::NamedCaptureExprContext*>(ctx)) {
    auto* out = make_expr<ast::CaptureExpr>(span(c));
    out->site = text(c->text());
    out->operand = expr(c->expr());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::InExprContext*>(ctx)) return in(c);
  if (auto* c = dynamic_cast<Parser::IsNullExprContext*>(ctx)) {
    auto* out = make_expr<ast::IsNullExpr>(span(c));
    out->negated = has(c, Parser::K_NOT);
    out->operand = expr(c->expr());
    if (check_chain(out->operand, *out, span(terminal(c, Parser::K_IS)))) return error_expr(out->span);
    return out;
  }
  if (auto* c = dynamic_cast<Parser::IfExprContext*>(ctx)) return if_expr(c);
  if (auto* c = dynamic_cast<Parser::LetExprContext*>(ctx)) return let(c);
  if (auto* c = dynamic_cast<Parser::LambdaExprContext*>(ctx)) return lambda(c);
  return error_expr(span(ctx));
}

namespace {

std::optional<BinaryOp> binary_op(std::size_t kind) {
  switch (kind) {
    case Parser::K_OR:
      return BinaryOp::or_;
    case Parser::K_AND:
      return BinaryOp::and_;
    case Parser::EQUAL:
    case Parser::ASSIGN:
      return BinaryOp::equal;
    case Parser::NOT_EQUAL:
      return BinaryOp::not_equal;
    case Parser::LESS:
      return BinaryOp::less;
    case Parser::LESS_EQUAL:
      return BinaryOp::less_equal;
    case Parser::GREATER:
      return BinaryOp::greater;
    case Parser::GREATER_EQUAL:
      return BinaryOp::greater_equal;
    case Parser::COALESCE:
      return BinaryOp::coalesce;
    case Parser::PLUS:
      return BinaryOp::add;
    case Parser::MINUS:
      return BinaryOp::subtract;
    case Parser::STAR:
      return BinaryOp::multiply;
    case Parser::SLASH:
      return BinaryOp::divide;
    case Parser::PERCENT:
      return BinaryOp::remainder;
    default:
      return std::nullopt;
  }
}

bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::equal && op <= BinaryOp::not_in;
}

bool is_comparison(const ast::Expr* e) {
  if (e->parenthesised) return false;
  if (e->kind == ast::ExprKind::is_null) return true;
  const auto* binary = ast::try_as<ast::BinaryExpr>(e);
  return binary != nullptr && is_comparison(binary->op);
}

}  // namespace

// `a < b < c` compares a truth value with c, which nobody means.
bool Builder::check_chain(const ast::Expr* operand, const ast::Expr& whole, ast::Span op) {
  if (!is_comparison(operand)) return false;
  auto& d = out_.report(Code::chained_comparison, op, "comparisons cannot be chained");
  d.label("the second comparison").also(operand->span, "is already `true` or `false`");
  const auto* first = ast::try_as<ast::BinaryExpr>(operand);
  const auto* second = ast::try_as<ast::BinaryExpr>(&whole);
  const bool orders = first != nullptr && second != nullptr && second->left == operand &&
                      first->op >= BinaryOp::less && first->op <= BinaryOp::greater_equal &&
                      second->op >= BinaryOp::less && second->op <= BinaryOp::greater_equal;
  if (orders && first->right->span.is_known()) {
    d.suggest("compare twice", source::after(operand->span),
              fmt::format(" and {}", text_of(first->right->span)));
  } else {
    d.help("parentheses say which comparison comes first");
  }
  return true;
}

ast::Expr* Builder::binary(Parser::BinaryExprContext* ctx) {
  if (has(ctx, Parser::BAD_OPERATOR)) return error_expr(span(ctx));
  auto* out = make_expr<ast::BinaryExpr>(span(ctx));
  for (antlr4::tree::ParseTree* child : ctx->children) {
    auto* node = dynamic_cast<antlr4::tree::TerminalNode*>(child);
    if (node == nullptr) continue;
    if (const auto op = binary_op(node->getSymbol()->getType()); op) {
      out->op = *op;
      out->op_span = span(node);
      break;
    }
  }
  out->left = expr(ctx->expr(0));
  out->right = expr(ctx->expr(1));
  if (has(ctx, Parser::ASSIGN)) {
    out_.report(Code::single_equals, out->op_span, "`=` gives a name to a value; `==` compares")
        .label("a comparison is expected here")
        .suggest("compare with `==`", out->op_span, "==");
  }
  if (is_comparison(out->op)) {
    const bool chain =
        check_chain(out->left, *out, out->op_span) || check_chain(out->right, *out, out->op_span);
    if (chain) return error_expr(out->span);
  }
  return out;
}

ast::Expr* Builder::in(Parser::InExprContext* ctx) {
  auto* out = make_expr<ast::BinaryExpr>(span(ctx));
  out->op = has(ctx, Parser::K_NOT) ? BinaryOp::not_in : BinaryOp::in;
  out->op_span = source::cover(span(terminal(ctx, Parser::K_NOT)), span(terminal(ctx, Parser::K_IN)));
  out->left = expr(ctx->expr(0));
  out->right = expr(ctx->expr(1));
  const bool chain =
      check_chain(out->left, *out, out->op_span) || check_chain(out->right, *out, out->op_span);
  return chain ? error_expr(out->span) : out;
}

ast::Expr* Builder::member(Parser::MemberExprContext* ctx) {
  const bool optional = has(ctx, Parser::SAFE_DOT);
  if (!has(ctx, Parser::L_PAREN)) {
    auto* out = make_expr<ast::FieldExpr>(span(ctx));
    out->optional = optional;
    out->object = expr(ctx->expr());
    out->name = name(ctx->name());
    return out;
  }
  auto* out = make_expr<ast::CallExpr>(span(ctx));
  out->method = true;
  out->optional = optional;
  ast::Expr* receiver = expr(ctx->expr());
  out->function = name(ctx->name());
  out->args.push_back({std::nullopt, receiver, receiver->span});
  for (ast::Arg& arg : args(ctx->args())) out->args.push_back(std::move(arg));
  return out;
}

ast::Expr* Builder::if_expr(Parser::IfExprContext* ctx) {
  auto* out = make_expr<ast::IfExpr>(span(ctx));
  if (has(ctx, Parser::K_LET)) out->binding = name(ctx->name());
  out->condition = expr(ctx->expr(0));
  out->then_value = expr(ctx->expr(1));
  out->else_value = expr(ctx->expr(2));
  return out;
}

ast::Expr* Builder::let(Parser::LetExprContext* ctx) {
  auto* out = make_expr<ast::LetExpr>(span(ctx));
  out->name = name(ctx->name());
  out->value = expr(ctx->expr(0));
  out->body = expr(ctx->expr(1));
  return out;
}

ast::Expr* Builder::lambda(Parser::LambdaExprContext* ctx) {
  auto* out = make_expr<ast::LambdaExpr>(span(ctx));
  if (auto* names = ctx->lambda_params(); names != nullptr) {
    for (auto* n : names->name()) out->params.push_back(name(n));
  }
  out->body = expr(ctx->expr());
  return out;
}

ast::Expr* Builder::primary(Parser::PrimaryContext* ctx) {
  if (auto* c = dynamic_cast<Parser::NamePrimaryContext*>(ctx)) {
    auto* out = make_expr<ast::NameExpr>(span(c));
    out->name = name(c->name()).text;
    return out;
  }
  if (auto* c = dynamic_cast<Parser::CallPrimaryContext*>(ctx)) return call(c);
  if (auto* c = dynamic_cast<Parser::LiteralPrimaryContext*>(ctx)) return literal(c->literal());
  if (auto* c = dynamic_cast<Parser::StringPrimaryContext*>(ctx)) return string(c->string());
  if (auto* c = dynamic_cast<Parser::ParenthesisedContext*>(ctx)) {
    ast::Expr* out = expr(c->expr());
    out->parenthesised = true;
    return out;
  }
  if (auto* c = dynamic_cast<Parser::ListPrimaryContext*>(ctx)) return list(c->list());
  if (auto* c = dynamic_cast<Parser::RecordPrimaryContext*>(ctx)) return record(c->record());
  if (auto* c = dynamic_cast<Parser::MatchPrimaryContext*>(ctx)) return match(c);
  return error_expr(span(ctx));
}

ast::Expr* Builder::call(Parser::CallPrimaryContext* ctx) {
  auto* out = make_expr<ast::CallExpr>(span(ctx));
  out->function = name(ctx->name());
  out->args = args(ctx->args());
  return out;
}

std::vector<ast::Arg> Builder::args(Parser::ArgsContext* ctx) {
  std::vector<ast::Arg> out;
  if (ctx == nullptr) return out;
  for (auto* arg : ctx->arg()) {
    std::optional<ast::Name> label = optional_name(arg->name());
    if (has(arg, Parser::K_NULL)) label = ast::Name{"null", span(terminal(arg, Parser::K_NULL))};
    out.push_back({std::move(label), expr(arg->expr()), span(arg)});
  }
  return out;
}

ast::Expr* Builder::list(Parser::ListContext* ctx) {
  auto* out = make_expr<ast::ListExpr>(span(ctx));
  out->elements = elements(ctx);
  return out;
}

std::vector<ast::Expr*> Builder::elements(Parser::ListContext* ctx) {
  std::vector<ast::Expr*> out;
  if (ctx == nullptr) return out;
  for (auto* element : ctx->expr()) out.push_back(expr(element));
  return out;
}

ast::Expr* Builder::record(Parser::RecordContext* ctx) {
  auto* out = make_expr<ast::RecordExpr>(span(ctx));
  if (ctx == nullptr) return out;
  check_commas<Parser::Record_entryContext>(ctx);
  const auto entries = ctx->record_entry();
  for (auto* entry : entries) {
    if (has(entry, Parser::DOT_DOT) && entry->expr() == nullptr) {
      out->open = true;
      if (entry != entries.back()) {
        out_.report(Code::unexpected_token, span(entry), "`..` without a value stands last")
            .label("leaves the remaining fields uncompared");
      }
      continue;
    }
    const bool spread = has(entry, Parser::DOT_DOT);
    const bool quoted = entry->text() != nullptr;
    ast::Name key = name(entry->name());
    if (quoted) {
      const ast::Text text = this->text(entry->text());
      key = {text.value, text.span};
    }
    out->entries.push_back({spread, quoted, std::move(key), expr(entry->expr()), span(entry)});
  }
  return out;
}

ast::Expr* Builder::match(Parser::MatchPrimaryContext* ctx) {
  auto* out = make_expr<ast::MatchExpr>(span(ctx));
  out->keyword = span(ctx->getStart());
  out->subject = expr(ctx->expr());
  check_commas<Parser::Match_armContext>(ctx);
  for (auto* arm : ctx->match_arm()) {
    ast::MatchArm made;
    made.span = span(arm);
    made.pattern = pattern(arm->pattern());
    made.guard = expr_after(arm, Parser::K_IF);
    made.value = expr(after<Parser::ExprContext>(arm, Parser::ARM_ARROW));
    out->arms.push_back(std::move(made));
  }
  return out;
}

ast::Pattern* Builder::pattern(Parser::PatternContext* ctx) {
  if (ctx != nullptr && ctx->simple_pattern().size() == 1) return simple_pattern(ctx->simple_pattern(0));
  auto* out = tree_.make<ast::Pattern>();
  out->span = span(ctx);
  if (ctx == nullptr || ctx->simple_pattern().empty()) return out;
  out->kind = ast::PatternKind::any_of;
  for (auto* alternative : ctx->simple_pattern()) out->alternatives.push_back(simple_pattern(alternative));
  return out;
}

ast::Pattern* Builder::simple_pattern(Parser::Simple_patternContext* ctx) {
  auto* out = tree_.make<ast::Pattern>();
  out->span = span(ctx);
  if (ctx == nullptr) return out;
  if (ctx->name() != nullptr) {
    out->name = name(ctx->name());
    const bool wildcard = out->name.text == "_" && text_of(out->name.span) == "_";
    out->kind = wildcard ? ast::PatternKind::wildcard : ast::PatternKind::name;
  } else if (ctx->string() != nullptr) {
    out->kind = ast::PatternKind::literal;
    out->literal = string(ctx->string());
    if (out->literal->kind == ast::ExprKind::interpolation) {
      out_.report(Code::fixed_text, out->span, "a pattern is a fixed text").label("no `${…}` here");
    }
  } else if (ctx->literal() != nullptr) {
    out->kind = ast::PatternKind::literal;
    out->literal = literal(ctx->literal());
    if (has(ctx, Parser::MINUS)) {
      auto* negated = make_expr<ast::UnaryExpr>(out->span);
      negated->op_span = span(terminal(ctx, Parser::MINUS));
      negated->operand = out->literal;
      out->literal = negated;
    }
  }
  return out;
}

}  // namespace weir::parse
