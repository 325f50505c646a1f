#include <algorithm>

#include <fmt/core.h>

#include "compiler/parse/builder.h"

namespace weir::parse {

using diagnostics::Code;

ast::Decl* Builder::declaration(Parser::DeclarationContext* ctx) {
  if (ctx == nullptr) return nullptr;
  if (auto* c = ctx->pipeline_decl()) return pipeline(c);
  if (auto* c = ctx->use_decl()) return use(c);
  if (auto* c = ctx->type_decl()) return type(c);
  if (auto* c = ctx->fn_decl()) return fn(c);
  if (auto* c = ctx->extern_decl()) return extern_fn(c);
  if (auto* c = ctx->param_decl()) return param(c);
  if (auto* c = ctx->source_decl()) return source(c);
  if (auto* c = ctx->table_decl()) return table(c);
  if (auto* c = ctx->stream_decl()) return stream(c);
  if (auto* c = ctx->sink_decl()) return sink(c);
  if (auto* c = ctx->test_decl()) return test(c);
  return nullptr;
}

// ---- pipeline

ast::Decl* Builder::pipeline(Parser::Pipeline_declContext* ctx) {
  auto* out = make_decl<ast::PipelineDecl>(ctx);
  out->name = name(ctx->name());
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* s : ctx->setting()) setting(*out, s, seen);
  return out;
}

void Builder::setting(ast::PipelineDecl& decl, Parser::SettingContext* ctx,
                      std::vector<std::pair<std::string, ast::Span>>& seen) {
  if (repeated(seen, std::string(text_of(span(ctx->getStart()))), span(ctx))) return;
  if (auto* c = dynamic_cast<Parser::CheckpointSettingContext*>(ctx)) {
    checkpoint(decl, c);
  } else if (auto* p = dynamic_cast<Parser::ProtocolSettingContext*>(ctx)) {
    decl.protocol = chosen(p->name(), {"barriers", "transactions", "batches"}, "protocol");
  } else if (auto* a = dynamic_cast<Parser::AlignmentSettingContext*>(ctx)) {
    decl.alignment_timeout = expr(a->expr());
  } else if (auto* n = dynamic_cast<Parser::ParallelismSettingContext*>(ctx)) {
    decl.parallelism = expr(n->expr());
  } else if (auto* r = dynamic_cast<Parser::ReplaySettingContext*>(ctx)) {
    decl.replay_horizon = expr(r->expr());
  } else if (auto* d = dynamic_cast<Parser::DeterminismSettingContext*>(ctx)) {
    decl.determinism = chosen(d->name(), {"strict", "sound", "audit"}, "level of determinism");
  } else if (auto* b = dynamic_cast<Parser::RollbackSettingContext*>(ctx)) {
    decl.rollback = chosen(b->name(), {"forbid", "truncate", "dedup"}, "kind of rollback");
  } else if (auto* m = dynamic_cast<Parser::MemorySettingContext*>(ctx)) {
    decl.memory = expr(m->expr());
  }
}

void Builder::checkpoint(ast::PipelineDecl& decl, Parser::CheckpointSettingContext* ctx) {
  ast::CheckpointSetting out;
  out.span = span(ctx);
  std::vector<std::pair<std::string, ast::Span>> seen;
  for (auto* part : ctx->checkpoint_part()) {
    if (repeated(seen, std::string(text_of(span(part->getStart()))), span(part))) continue;
    if (has(part, Parser::K_EVERY)) out.every = checkpoint_time(part->expr());
    if (has(part, Parser::K_KEEP)) out.keep = expr(part->expr());
    if (has(part, Parser::K_TO)) out.uri = text(part->text());
  }
  decl.checkpoint = std::move(out);
}

// Counts of records are for trying things out, and set where the program is started.
ast::Expr* Builder::checkpoint_time(Parser::ExprContext* ctx) {
  const ast::Span at = span(ctx);
  const std::string_view written = text_of(at);
  const std::string_view unit =
      written.substr(std::min(written.find_first_not_of("0123456789_"), written.size()));
  const bool count = unit != written && unit.starts_with("rec");
  if (!count && written != "never") return expr(ctx);
  auto& d =
      out_.report(Code::bad_number, at,
                  count ? "checkpoints after a number of records are chosen at the start, not in the script"
                        : "that there are no checkpoints is chosen at the start, not in the script");
  d.label("a time is expected, for example `10s`")
      .note(
          "a script says how far a restart may go back in time; the program's flag `--checkpoint` overrides "
          "it")
      .help(fmt::format(
          "leave `checkpoint every 10s` here, and start the program with `--checkpoint {}`",
          count ? std::string(written.substr(0, written.size() - unit.size())) + "rec" : "never"));
  return error_expr(at);
}

// ---- small ones

ast::Decl* Builder::use(Parser::Use_declContext* ctx) {
  auto* out = make_decl<ast::UseDecl>(ctx);
  out->path = text(ctx->text());
  return out;
}

ast::Decl* Builder::param(Parser::Param_declContext* ctx) {
  auto* out = make_decl<ast::ParamDecl>(ctx);
  out->name = name(ctx->name());
  out->type = type_expr(ctx->type_expr());
  out->value = expr(ctx->expr());
  return out;
}

ast::Decl* Builder::stream(Parser::Stream_declContext* ctx) {
  auto* out = make_decl<ast::StreamDecl>(ctx);
  out->name = name(ctx->name());
  out->query = query(ctx->query());
  return out;
}

ast::Decl* Builder::table(Parser::Table_declContext* ctx) {
  if (auto* c = dynamic_cast<Parser::SourceTableContext*>(ctx)) return source_table(c);
  auto* c = dynamic_cast<Parser::QueryTableContext*>(ctx);
  auto* out = make_decl<ast::TableDecl>(ctx);
  if (c == nullptr) return out;
  out->name = name(c->name());
  out->query = query(c->query());
  return out;
}

// ---- types and functions

ast::Decl* Builder::type(Parser::Type_declContext* ctx) {
  if (auto* values = ctx->enum_body(); values != nullptr) {
    auto* out = make_decl<ast::EnumTypeDecl>(ctx);
    out->name = name(ctx->name());
    for (auto* n : values->name()) out->values.push_back(name(n));
    return out;
  }
  auto* out = make_decl<ast::RecordTypeDecl>(ctx);
  out->name = name(ctx->name());
  if (ctx->record_body() == nullptr) return out;
  check_commas<Parser::Field_declContext>(ctx->record_body());
  for (auto* f : ctx->record_body()->field_decl()) {
    if (!has(f, Parser::DOT_DOT)) {
      out->fields.push_back(field(f));
    } else if (!out->rest) {
      out->rest = field(f);
    } else {
      out_.report(Code::repeated_clause, span(f), "a type has one `..` field")
          .label("here again")
          .also(out->rest->span, "first here");
    }
  }
  return out;
}

ast::FieldDecl Builder::field(Parser::Field_declContext* ctx) {
  ast::FieldDecl out;
  out.span = span(ctx);
  out.name = name(ctx->name());
  out.type = type_expr(ctx->type_expr());
  if (ctx->text() != nullptr) out.wire = text(ctx->text());
  out.doc = doc_above(ctx->getStart());
  return out;
}

ast::Decl* Builder::fn(Parser::Fn_declContext* ctx) {
  auto* out = make_decl<ast::FnDecl>(ctx);
  out->name = name(ctx->name());
  if (ctx->type_params() != nullptr) {
    for (auto* n : ctx->type_params()->name()) out->type_params.push_back(name(n));
  }
  out->params = params(ctx->params());
  out->result = type_expr(ctx->type_expr());
  out->body = expr(ctx->expr());
  return out;
}

ast::Decl* Builder::extern_fn(Parser::Extern_declContext* ctx) {
  auto* out = make_decl<ast::ExternFnDecl>(ctx);
  out->name = name(ctx->name(0));
  out->params = params(ctx->params());
  out->result = type_expr(ctx->type_expr());
  out->effect = name(ctx->name(1));
  if (ctx->name(1) == nullptr && ctx->K_FROM() != nullptr) {
    out_.report(Code::no_contract, out->name.span, "`" + out->name.text + "` does not say what it depends on")
        .label("a native function, which cannot be looked into")
        .note("what depends on the clock, on chance or on something outside may differ on replay")
        .help("before `from` stands `pure`, `clock`, `random` or `external`");
  }
  check_word(out->effect, {"pure", "clock", "random", "external"}, "effect");
  out->library = text(ctx->text());
  return out;
}

std::vector<ast::FnParam> Builder::params(Parser::ParamsContext* ctx) {
  std::vector<ast::FnParam> out;
  if (ctx == nullptr) return out;
  for (auto* p : ctx->fn_param()) out.push_back({name(p->name()), type_expr(p->type_expr()), span(p)});
  return out;
}

// ---- tests

ast::Decl* Builder::test(Parser::Test_declContext* ctx) {
  auto* out = make_decl<ast::TestDecl>(ctx);
  out->title = text(ctx->text());
  for (auto* s : ctx->test_step()) {
    if (auto made = test_step(s); made) out->steps.push_back(std::move(*made));
  }
  return out;
}

std::optional<ast::TestStep> Builder::test_step(Parser::Test_stepContext* ctx) {
  ast::TestStep out;
  out.span = span(ctx);
  if (auto* given = dynamic_cast<Parser::GivenStepContext*>(ctx)) {
    out.kind = has(given, Parser::K_RAW) ? ast::TestStepKind::given_raw : ast::TestStepKind::given_rows;
    out.name = name(given->name());
    if (given->text() != nullptr) out.split = text(given->text());
    out.rows = elements(given->list());
  } else if (auto* capture = dynamic_cast<Parser::GivenCaptureStepContext*>(ctx)) {
    out.kind = ast::TestStepKind::given_capture;
    out.name = name(capture->name(0));
    out.column = optional_name(capture->name(1));
    out.rows = elements(capture->list());
  } else if (auto* with = dynamic_cast<Parser::WithStepContext*>(ctx)) {
    out.kind = ast::TestStepKind::with_param;
    out.name = name(with->name());
    out.value = expr(with->expr());
  } else if (auto* expect = dynamic_cast<Parser::ExpectStepContext*>(ctx)) {
    out.kind = ast::TestStepKind::expect;
    out.name = name(expect->name());
    out.rows = elements(expect->list());
  } else {
    return std::nullopt;
  }
  return out;
}

}  // namespace weir::parse
