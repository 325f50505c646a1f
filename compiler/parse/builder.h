// Parse tree -> syntax tree, one chunk at a time. Parts of the parse tree that the parser could not fill are null and
// become error nodes. What the grammar leaves open (which words, how often a clause) is reported here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/ast/tree.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/parse/parse.h"
#include "compiler/parse/tokens.h"
#include "grammar/WeirParser.h"

namespace weir::parse {

using Parser = grammar::WeirParser;

class Builder {
 public:
  // `visible`: the chunk's tokens by index into `tokens`. All references must outlive it.
  Builder(const std::vector<Token>& tokens, const std::vector<std::uint32_t>& visible,
          const source::File& file, ast::Tree& tree, diagnostics::Diagnostics& out, const Limits& limits)
      : tokens_(tokens), visible_(visible), file_(file), tree_(tree), out_(out), limits_(limits) {}

  // nullptr if not even its kind is known.
  ast::Decl* declaration(Parser::DeclarationContext* ctx);
  ast::Expr* expression(Parser::ExprContext* ctx);

 private:
  // ---- build_declarations.cpp
  ast::Decl* pipeline(Parser::Pipeline_declContext* ctx);
  void setting(ast::PipelineDecl& decl, Parser::SettingContext* ctx,
               std::vector<std::pair<std::string, ast::Span>>& seen);
  void checkpoint(ast::PipelineDecl& decl, Parser::CheckpointSettingContext* ctx);
  ast::Expr* checkpoint_time(Parser::ExprContext* ctx);
  ast::Decl* use(Parser::Use_declContext* ctx);
  ast::Decl* type(Parser::Type_declContext* ctx);
  ast::FieldDecl field(Parser::Field_declContext* ctx);
  ast::Decl* fn(Parser::Fn_declContext* ctx);
  ast::Decl* extern_fn(Parser::Extern_declContext* ctx);
  std::vector<ast::FnParam> params(Parser::ParamsContext* ctx);
  ast::Decl* param(Parser::Param_declContext* ctx);
  ast::Decl* stream(Parser::Stream_declContext* ctx);
  ast::Decl* table(Parser::Table_declContext* ctx);
  ast::Decl* test(Parser::Test_declContext* ctx);
  std::optional<ast::TestStep> test_step(Parser::Test_stepContext* ctx);

  // ---- build_connectors.cpp
  ast::Decl* source(Parser::Source_declContext* ctx);
  ast::Decl* source_table(Parser::SourceTableContext* ctx);
  ast::TimeClause time_clause(Parser::TimeClauseContext* ctx);
  ast::Policy policy(Parser::PolicyContext* ctx, bool late);
  ast::Accept accept(Parser::AcceptContext* ctx);
  ast::ConnectorCall connector(Parser::ConnectorContext* ctx);
  ast::Decl* sink(Parser::Sink_declContext* ctx);
  void sink_clause(ast::SinkDecl& decl, Parser::Sink_clauseContext* ctx,
                   std::vector<std::pair<std::string, ast::Span>>& seen);

  // ---- build_types.cpp
  ast::TypeExpr* type_expr(Parser::Type_exprContext* ctx);
  ast::TypeExpr* simple_type(Parser::Simple_typeContext* ctx);

  // ---- build_operators.cpp
  ast::Query query(Parser::QueryContext* ctx);
  ast::Operator* step(Parser::StepContext* ctx);
  ast::Operator* aggregate(Parser::AggregateStepContext* ctx);
  ast::Operator* scan(Parser::ScanStepContext* ctx);
  ast::Operator* join(Parser::JoinStepContext* ctx);
  ast::Operator* sequence(Parser::SequenceStepContext* ctx);
  ast::Operator* lookup(Parser::LookupStepContext* ctx);
  ast::Operator* dedup(Parser::DedupStepContext* ctx);
  ast::Operator* top(Parser::TopStepContext* ctx);
  ast::Operator* assert_step(Parser::AssertStepContext* ctx);
  std::vector<ast::Item> items(Parser::ItemsContext* ctx);
  ast::Item item(Parser::ItemContext* ctx);
  ast::Assignment assignment(Parser::AssignmentContext* ctx);
  ast::Window window(Parser::WindowContext* ctx);
  ast::Emit emit(Parser::EmitContext* ctx);

  // ---- build_expressions.cpp
  ast::Expr* expr(Parser::ExprContext* ctx);
  ast::Expr* any_expr(Parser::ExprContext* ctx);
  ast::Expr* primary(Parser::PrimaryContext* ctx);
  ast::Expr* binary(Parser::BinaryExprContext* ctx);
  std::optional<ast::Name> chosen(Parser::NameContext* ctx, const std::vector<std::string_view>& choices,
                                  std::string_view what);
  ast::Expr* in(Parser::InExprContext* ctx);
  ast::Expr* member(Parser::MemberExprContext* ctx);
  ast::Expr* if_expr(Parser::IfExprContext* ctx);
  ast::Expr* let(Parser::LetExprContext* ctx);
  ast::Expr* lambda(Parser::LambdaExprContext* ctx);
  ast::Expr* match(Parser::MatchPrimaryContext* ctx);
  ast::Expr* list(Parser::ListContext* ctx);
  std::vector<ast::Expr*> elements(Parser::ListContext* ctx);
  ast::Expr* record(Parser::RecordContext* ctx);
  ast::Expr* call(Parser::CallPrimaryContext* ctx);
  std::vector<ast::Arg> args(Parser::ArgsContext* ctx);
  ast::Pattern* pattern(Parser::PatternContext* ctx);
  ast::Pattern* simple_pattern(Parser::Simple_patternContext* ctx);
  // True if it was one, and reported.
  bool check_chain(const ast::Expr* operand, const ast::Expr& whole, ast::Span op);
  ast::Expr* error_expr(ast::Span span);

  // ---- build_literals.cpp
  ast::Expr* literal(Parser::LiteralContext* ctx);
  ast::Expr* integer(ast::Span span, std::string_view text);
  ast::Expr* hexadecimal(ast::Span span, std::string_view text);
  ast::Expr* duration(ast::Span span, std::string_view text);
  ast::Expr* size(ast::Span span, std::string_view text);
  ast::Expr* timestamp(ast::Span span, std::string_view text);
  ast::Expr* date(ast::Span span, std::string_view text);
  ast::Expr* bad_number(ast::Span span, std::string_view text);
  ast::Expr* string(Parser::StringContext* ctx);
  std::string raw_value(ast::Span span);
  void escape(std::string& value, ast::Span span);
  ast::Text text(Parser::TextContext* ctx);

  // ---- build_common.cpp
  ast::Name name(Parser::NameContext* ctx);
  std::optional<ast::Name> optional_name(Parser::NameContext* ctx);
  ast::Span span(const antlr4::Token* token) const;
  ast::Span span(antlr4::tree::TerminalNode* node) const;
  ast::Span span(antlr4::ParserRuleContext* ctx) const;
  std::string_view text_of(ast::Span span) const;
  // The first terminal child of that kind; nullptr if there is none.
  static antlr4::tree::TerminalNode* terminal(antlr4::ParserRuleContext* ctx, std::size_t kind);
  static bool has(antlr4::ParserRuleContext* ctx, std::size_t kind) { return terminal(ctx, kind) != nullptr; }
  // The first child of type T behind the first terminal child of `kind`; nullptr if there is none.
  template <typename T>
  static T* after(antlr4::ParserRuleContext* ctx, std::size_t kind) {
    bool found = false;
    for (antlr4::tree::ParseTree* child : ctx->children) {
      if (auto* t = dynamic_cast<antlr4::tree::TerminalNode*>(child); t != nullptr) {
        if (found) return nullptr;
        found = t->getSymbol()->getType() == kind;
      } else if (found) {
        return dynamic_cast<T*>(child);
      }
    }
    return nullptr;
  }
  // As `after`, converted; nullptr if there is none.
  ast::Expr* expr_after(antlr4::ParserRuleContext* ctx, std::size_t kind);
  // The `///` lines above a token.
  std::string doc_above(const antlr4::Token* token) const;
  // Reports the commas that are missing between the children of type T.
  template <typename T>
  void check_commas(antlr4::ParserRuleContext* ctx) {
    antlr4::ParserRuleContext* last = nullptr;
    for (antlr4::tree::ParseTree* child : ctx->children) {
      if (auto* item = dynamic_cast<T*>(child); item != nullptr) {
        if (last != nullptr) missing_comma(last, item);
        last = item;
      } else if (last != nullptr) {
        auto* node = dynamic_cast<antlr4::tree::TerminalNode*>(child);
        if (node != nullptr && node->getSymbol()->getType() == Parser::COMMA) last = nullptr;
      }
    }
  }
  void missing_comma(antlr4::ParserRuleContext* before, antlr4::ParserRuleContext* next);
  // Reports a second clause of the same kind; true if it is one.
  bool repeated(std::vector<std::pair<std::string, ast::Span>>& seen, const std::string& clause,
                ast::Span span);
  // Checks that a word is one of the choices; false if not (reported).
  bool check_word(const ast::Name& word, const std::vector<std::string_view>& choices, std::string_view what);

  template <typename T>
  T* make_decl(antlr4::ParserRuleContext* ctx) {
    T* decl = tree_.make<T>();
    decl->span = span(ctx);
    decl->keyword = span(ctx->getStart());
    decl->doc = doc_above(ctx->getStart());
    return decl;
  }
  template <typename T>
  T* make_expr(ast::Span at) {
    T* node = tree_.make<T>();
    node->span = at;
    return node;
  }
  template <typename T>
  T* make_step(antlr4::ParserRuleContext* ctx) {
    T* step = tree_.make<T>();
    step->span = span(ctx);
    step->keyword = span(ctx->getStart());
    return step;
  }

  const std::vector<Token>& tokens_;
  const std::vector<std::uint32_t>& visible_;
  const source::File& file_;
  ast::Tree& tree_;
  diagnostics::Diagnostics& out_;
  const Limits& limits_;
  std::size_t depth_ = 0;
  bool too_deep_ = false;  // reported for this chunk
};

}  // namespace weir::parse
