#include "compiler/parse/builder.h"

namespace weir::parse {

using diagnostics::Code;

ast::ConnectorCall Builder::connector(Parser::ConnectorContext* ctx) {
  ast::ConnectorCall out;
  out.span = span(ctx);
  if (ctx == nullptr) return out;
  out.name = name(ctx->name());
  out.args = args(ctx->args());
  return out;
}

ast::TimeClause Builder::time_clause(Parser::TimeClauseContext* ctx) {
  return {expr(after<Parser::ExprContext>(ctx, Parser::K_TIME)), expr_after(ctx, Parser::K_LATENESS),
          expr_after(ctx, Parser::K_AFTER), span(ctx)};
}

ast::Policy Builder::policy(Parser::PolicyContext* ctx, bool late) {
  ast::Policy out;
  out.span = span(ctx);
  out.kind = late ? ast::PolicyKind::drop : ast::PolicyKind::fail;
  if (ctx == nullptr) return out;
  if (has(ctx, Parser::K_TO)) {
    out.kind = ast::PolicyKind::to;
    out.target = name(ctx->name());
  } else if (has(ctx, Parser::K_DROP)) {
    out.kind = ast::PolicyKind::drop;
  } else if (late && has(ctx, Parser::K_FAIL)) {
    out_.report(Code::unknown_word, out.span, "late records cannot fail a run")
        .label("expected `drop` or `to` and a stream's name")
        .note("a late record is no error: it came after its window had closed");
  }
  return out;
}

ast::Accept Builder::accept(Parser::AcceptContext* ctx) {
  ast::Accept out;
  out.span = span(ctx);
  if (ctx == nullptr) return out;
  out.what = name(ctx->name());
  out.reason = text(ctx->text());
  return out;
}

ast::Decl* Builder::source(Parser::Source_declContext* ctx) {
  auto* out = make_decl<ast::SourceDecl>(ctx);
  out->name = name(ctx->name());
  out->type = type_expr(ctx->type_expr());
  for (auto* c : ctx->connector()) out->connectors.push_back(connector(c));
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* clause : ctx->source_clause()) {
    const ast::Span at = span(clause);
    if (auto* identity = dynamic_cast<Parser::IdentityClauseContext*>(clause)) {
      if (repeated(seen, "identity", at)) continue;
      for (auto* e : identity->expr()) out->identity.push_back(expr(e));
      out->identity_span = at;
    } else if (auto* time = dynamic_cast<Parser::TimeClauseContext*>(clause)) {
      if (!repeated(seen, "time", at)) out->time = time_clause(time);
    } else if (auto* error = dynamic_cast<Parser::OnErrorClauseContext*>(clause)) {
      if (!repeated(seen, "on error", at)) out->on_error = policy(error->policy(), false);
    } else if (auto* late = dynamic_cast<Parser::OnLateClauseContext*>(clause)) {
      if (!repeated(seen, "on late", at)) out->on_late = policy(late->policy(), true);
    } else if (auto* partitioned = dynamic_cast<Parser::PartitionedClauseContext*>(clause)) {
      if (!repeated(seen, "partitioned by", at)) out->partitioned_by = expr(partitioned->expr());
    } else if (auto* decode = dynamic_cast<Parser::DecodeClauseContext*>(clause)) {
      if (!repeated(seen, "decode", at)) out->decode = expr(decode->expr());
    } else if (auto* accepted = dynamic_cast<Parser::AcceptClauseContext*>(clause)) {
      out->accepts.push_back(accept(accepted->accept()));
    } else if (auto* key = dynamic_cast<Parser::KeyClauseContext*>(clause)) {
      out_.report(Code::unexpected_token, span(key->getStart()), "a `source` has no `key`")
          .label("only a `table` is keyed")
          .help("`identity` names what makes a record unique");
    }
  }
  return out;
}

ast::Decl* Builder::source_table(Parser::SourceTableContext* ctx) {
  auto* out = make_decl<ast::SourceTableDecl>(ctx);
  out->name = name(ctx->name());
  out->type = type_expr(ctx->type_expr());
  for (auto* c : ctx->connector()) out->connectors.push_back(connector(c));
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* clause : ctx->source_clause()) {
    const ast::Span at = span(clause);
    if (auto* key = dynamic_cast<Parser::KeyClauseContext*>(clause)) {
      if (repeated(seen, "key", at)) continue;
      for (auto* e : key->expr()) out->key.push_back(expr(e));
    } else if (auto* time = dynamic_cast<Parser::TimeClauseContext*>(clause)) {
      if (!repeated(seen, "time", at)) out->time = time_clause(time);
    } else if (auto* error = dynamic_cast<Parser::OnErrorClauseContext*>(clause)) {
      if (!repeated(seen, "on error", at)) out->on_error = policy(error->policy(), false);
    } else if (auto* decode = dynamic_cast<Parser::DecodeClauseContext*>(clause)) {
      if (!repeated(seen, "decode", at)) out->decode = expr(decode->expr());
    } else if (auto* accepted = dynamic_cast<Parser::AcceptClauseContext*>(clause)) {
      out->accepts.push_back(accept(accepted->accept()));
    } else if (clause->getStart() != nullptr) {
      out_.report(Code::unexpected_token, at, "a `table` has no such clause")
          .label("legal are `key`, `time`, `on error`, `decode` and `accept`");
    }
  }
  if (out->key.empty() && ctx->exception == nullptr) {
    out_.report(Code::missing_clause, out->name.span, "a `table` from outside needs its `key`")
        .label("no `key` clause")
        .note("its rows replace each other by key");
  }
  return out;
}

ast::Decl* Builder::sink(Parser::Sink_declContext* ctx) {
  auto* out = make_decl<ast::SinkDecl>(ctx);
  out->name = name(ctx->name(0));
  if (has(ctx, Parser::K_FROM)) out->from = name(ctx->name(1));
  out->connector = connector(ctx->connector());
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* clause : ctx->sink_clause()) sink_clause(*out, clause, seen);
  return out;
}

void Builder::sink_clause(ast::SinkDecl& decl, Parser::Sink_clauseContext* ctx,
                          std::vector<std::pair<std::string, ast::Span>>& seen) {
  if (auto* accepted = dynamic_cast<Parser::SinkAcceptClauseContext*>(ctx)) {
    decl.accepts.push_back(accept(accepted->accept()));
    return;
  }
  if (repeated(seen, std::string(text_of(span(ctx->getStart()))), span(ctx))) return;
  if (auto* key = dynamic_cast<Parser::SinkKeyClauseContext*>(ctx)) {
    for (auto* e : key->expr()) decl.key.push_back(expr(e));
  } else if (auto* headers = dynamic_cast<Parser::HeadersClauseContext*>(ctx)) {
    for (auto* h : headers->header()) decl.headers.push_back({name(h->name()), expr(h->expr()), span(h)});
  } else if (auto* timestamp = dynamic_cast<Parser::TimestampClauseContext*>(ctx)) {
    decl.timestamp = expr(timestamp->expr());
  } else if (auto* topic = dynamic_cast<Parser::TopicClauseContext*>(ctx)) {
    decl.topic = expr(topic->expr());
  } else if (auto* partition = dynamic_cast<Parser::PartitionClauseContext*>(ctx)) {
    for (auto* a : partition->assignment()) decl.partitions.push_back(assignment(a));
  } else if (auto* path = dynamic_cast<Parser::PathClauseContext*>(ctx)) {
    decl.path = expr(path->expr());
  } else if (dynamic_cast<Parser::DeliverClauseContext*>(ctx) != nullptr) {
    decl.deliver_early = span(ctx);
  }
}

}  // namespace weir::parse
