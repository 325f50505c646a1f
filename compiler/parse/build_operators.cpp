#include "compiler/parse/builder.h"

namespace weir::parse {

ast::Query Builder::query(Parser::QueryContext* ctx) {
  ast::Query out;
  out.span = span(ctx);
  if (ctx == nullptr) return out;
  out.input = name(ctx->name(0));
  if (has(ctx, Parser::K_AS)) out.alias = name(after<Parser::NameContext>(ctx, Parser::K_AS));
  for (auto* s : ctx->step()) {
    ast::Operator* made = step(s);
    if (made != nullptr) out.steps.push_back(made);
  }
  return out;
}

ast::Operator* Builder::step(Parser::StepContext* ctx) {
  if (auto* c = dynamic_cast<Parser::WhereStepContext*>(ctx)) {
    auto* out = make_step<ast::WhereOperator>(c);
    out->condition = expr(c->expr());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::SelectStepContext*>(ctx)) {
    auto* out = make_step<ast::SelectOperator>(c);
    for (auto* i : c->item()) out->items.push_back(item(i));
    return out;
  }
  if (auto* c = dynamic_cast<Parser::ExtendStepContext*>(ctx)) {
    auto* out = make_step<ast::ExtendOperator>(c);
    for (auto* a : c->assignment()) out->items.push_back(assignment(a));
    return out;
  }
  if (auto* c = dynamic_cast<Parser::DropStepContext*>(ctx)) {
    auto* out = make_step<ast::DropOperator>(c);
    for (auto* n : c->name()) out->names.push_back(name(n));
    return out;
  }
  if (auto* c = dynamic_cast<Parser::RenameStepContext*>(ctx)) {
    auto* out = make_step<ast::RenameOperator>(c);
    for (auto* r : c->renaming()) out->items.push_back({name(r->name(0)), name(r->name(1)), span(r)});
    return out;
  }
  if (auto* c = dynamic_cast<Parser::FlattenStepContext*>(ctx)) {
    auto* out = make_step<ast::FlattenOperator>(c);
    out->value = expr(c->expr());
    out->name = name(c->name());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::AggregateStepContext*>(ctx)) return aggregate(c);
  if (auto* c = dynamic_cast<Parser::ScanStepContext*>(ctx)) return scan(c);
  if (auto* c = dynamic_cast<Parser::JoinStepContext*>(ctx)) return join(c);
  if (auto* c = dynamic_cast<Parser::SequenceStepContext*>(ctx)) return sequence(c);
  if (auto* c = dynamic_cast<Parser::LookupStepContext*>(ctx)) return lookup(c);
  if (auto* c = dynamic_cast<Parser::UnionStepContext*>(ctx)) {
    auto* out = make_step<ast::UnionOperator>(c);
    for (auto* n : c->name()) out->inputs.push_back(name(n));
    return out;
  }
  if (auto* c = dynamic_cast<Parser::DedupStepContext*>(ctx)) return dedup(c);
  if (auto* c = dynamic_cast<Parser::TopStepContext*>(ctx)) return top(c);
  if (auto* c = dynamic_cast<Parser::LatestStepContext*>(ctx)) {
    auto* out = make_step<ast::LatestOperator>(c);
    out->keys = items(c->items());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::ChangesStepContext*>(ctx)) return make_step<ast::ChangesOperator>(c);
  if (auto* c = dynamic_cast<Parser::KeyByStepContext*>(ctx)) {
    auto* out = make_step<ast::KeyByOperator>(c);
    out->keys = items(c->items());
    return out;
  }
  if (auto* c = dynamic_cast<Parser::AssertStepContext*>(ctx)) return assert_step(c);
  return ctx == nullptr ? nullptr : make_step<ast::ErrorOperator>(ctx);
}

ast::Operator* Builder::aggregate(Parser::AggregateStepContext* ctx) {
  auto* out = make_step<ast::AggregateOperator>(ctx);
  for (auto* i : ctx->aggregate_item()) {
    ast::AggregateItem made;
    made.span = span(i);
    made.name = name(i->name());
    made.value = expr(after<Parser::ExprContext>(i, Parser::ASSIGN));
    made.where = expr_after(i, Parser::K_WHERE);
    out->items.push_back(std::move(made));
  }
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* clause : ctx->aggregate_clause()) {
    if (clause->items() != nullptr) {
      if (!repeated(seen, "by", span(clause))) out->keys = items(clause->items());
    } else if (clause->window() != nullptr) {
      if (!repeated(seen, "over", span(clause))) out->window = window(clause->window());
    } else if (clause->emit() != nullptr) {
      if (!repeated(seen, "emit", span(clause))) out->emit = emit(clause->emit());
    }
  }
  return out;
}

ast::Operator* Builder::scan(Parser::ScanStepContext* ctx) {
  auto* out = make_step<ast::ScanOperator>(ctx);
  out->keys = items(ctx->items());
  out->init = expr(after<Parser::ExprContext>(ctx, Parser::K_FROM));
  out->step = expr(after<Parser::ExprContext>(ctx, Parser::K_WITH));
  out->expire = expr_after(ctx, Parser::K_EXPIRE);
  return out;
}

ast::Operator* Builder::join(Parser::JoinStepContext* ctx) {
  auto* out = make_step<ast::JoinOperator>(ctx);
  if (has(ctx, Parser::K_LEFT)) out->join = ast::JoinKind::left;
  if (has(ctx, Parser::K_SEMI)) out->join = ast::JoinKind::semi;
  if (has(ctx, Parser::K_ANTI)) out->join = ast::JoinKind::anti;
  out->right = name(ctx->name(0));
  if (has(ctx, Parser::K_AS)) out->alias = name(after<Parser::NameContext>(ctx, Parser::K_AS));
  out->on = expr(ctx->expr());
  if (auto* bounds = ctx->join_bounds(); bounds != nullptr) {
    out->within = expr_after(bounds, Parser::K_WITHIN);
    out->within_end = expr_after(bounds, Parser::DOT_DOT);
    if (bounds->window() != nullptr) out->window = window(bounds->window());
    out->as_of_time = has(bounds, Parser::K_OF);
  }
  return out;
}

ast::Operator* Builder::sequence(Parser::SequenceStepContext* ctx) {
  auto* out = make_step<ast::SequenceOperator>(ctx);
  out->keys = items(ctx->items());
  out->within = expr(ctx->expr());
  for (auto* i : ctx->sequence_item()) out->steps.push_back({name(i->name()), expr(i->expr()), span(i)});
  if (has(ctx, Parser::K_COMPLETE)) out->emit = ast::SequenceEmit::complete;
  if (has(ctx, Parser::K_TIMEOUT)) out->emit = ast::SequenceEmit::timeout;
  if (has(ctx, Parser::K_ALL)) out->emit = ast::SequenceEmit::all;
  return out;
}

ast::Operator* Builder::lookup(Parser::LookupStepContext* ctx) {
  auto* out = make_step<ast::LookupOperator>(ctx);
  out->captured = has(ctx, Parser::K_CAPTURE);
  out->connector = connector(ctx->connector());
  if (has(ctx, Parser::K_AS)) out->alias = name(ctx->name());
  out->on = expr(ctx->expr());
  return out;
}

ast::Operator* Builder::dedup(Parser::DedupStepContext* ctx) {
  auto* out = make_step<ast::DedupOperator>(ctx);
  out->keys = items(ctx->items());
  out->within = expr_after(ctx, Parser::K_WITHIN);
  if (has(ctx, Parser::K_FIRST)) out->keep = ast::DedupKeep::first;
  if (has(ctx, Parser::K_LAST)) out->keep = ast::DedupKeep::last;
  if (has(ctx, Parser::K_ANY)) out->keep = ast::DedupKeep::any;
  return out;
}

ast::Operator* Builder::top(Parser::TopStepContext* ctx) {
  auto* out = make_step<ast::TopOperator>(ctx);
  out->count = expr(ctx->expr());
  for (auto* o : ctx->order_item()) out->order.push_back({expr(o->expr()), has(o, Parser::K_DESC), span(o)});
  out->per = items(ctx->items());
  return out;
}

ast::Operator* Builder::assert_step(Parser::AssertStepContext* ctx) {
  auto* out = make_step<ast::AssertOperator>(ctx);
  out->condition = expr(ctx->expr());
  if (ctx->text() != nullptr) out->message = text(ctx->text());
  return out;
}

std::vector<ast::Item> Builder::items(Parser::ItemsContext* ctx) {
  std::vector<ast::Item> out;
  if (ctx == nullptr) return out;
  for (auto* i : ctx->item()) out.push_back(item(i));
  return out;
}

ast::Item Builder::item(Parser::ItemContext* ctx) {
  // A mistake in the value can make the parser take `name = value` for a comparison.
  auto* whole = dynamic_cast<Parser::BinaryExprContext*>(ctx->expr());
  if (ctx->name() == nullptr && whole != nullptr && has(whole, Parser::ASSIGN)) {
    auto* left = dynamic_cast<Parser::PrimaryExprContext*>(whole->expr(0));
    auto* named = left == nullptr ? nullptr : dynamic_cast<Parser::NamePrimaryContext*>(left->primary());
    if (named != nullptr) return {name(named->name()), expr(whole->expr(1)), span(ctx)};
  }
  return {optional_name(ctx->name()), expr(ctx->expr()), span(ctx)};
}

ast::Assignment Builder::assignment(Parser::AssignmentContext* ctx) {
  return {name(ctx->name()), expr(ctx->expr()), span(ctx)};
}

ast::Window Builder::window(Parser::WindowContext* ctx) {
  return {name(ctx->name()), args(ctx->args()), span(ctx)};
}

ast::Emit Builder::emit(Parser::EmitContext* ctx) {
  ast::Emit out;
  out.span = span(ctx);
  if (has(ctx, Parser::K_CHANGE)) out.kind = ast::EmitKind::on_change;
  if (has(ctx, Parser::K_EVERY)) {
    out.kind = ast::EmitKind::every;
    out.every = expr(ctx->expr());
  }
  return out;
}

}  // namespace weir::parse
