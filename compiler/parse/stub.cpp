#include "compiler/parse/stub.h"

#include "compiler/parse/vocabulary.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

namespace {

using Lexer = grammar::WeirLexer;

ast::Decl* make(std::size_t kind, std::size_t third, const ast::Name& name, ast::Tree& tree) {
  const auto named = [&](auto* decl) -> ast::Decl* {
    decl->name = name;
    return decl;
  };
  const auto error_type = [&] { return tree.make<ast::ErrorType>(); };
  const auto error_expr = [&] { return tree.make<ast::ErrorExpr>(); };
  switch (kind) {
    case Lexer::K_PIPELINE:
      return named(tree.make<ast::PipelineDecl>());
    case Lexer::K_TYPE:
      return named(tree.make<ast::RecordTypeDecl>());
    case Lexer::K_FN: {
      auto* fn = tree.make<ast::FnDecl>();
      fn->result = error_type();
      fn->body = error_expr();
      return named(fn);
    }
    case Lexer::K_PARAM: {
      auto* param = tree.make<ast::ParamDecl>();
      param->type = error_type();
      param->value = error_expr();
      return named(param);
    }
    case Lexer::K_SOURCE: {
      auto* source = tree.make<ast::SourceDecl>();
      source->type = error_type();
      return named(source);
    }
    case Lexer::K_TABLE: {
      if (third != Lexer::COLON) return named(tree.make<ast::TableDecl>());
      auto* table = tree.make<ast::SourceTableDecl>();
      table->type = error_type();
      return named(table);
    }
    case Lexer::K_STREAM:
      return named(tree.make<ast::StreamDecl>());
    case Lexer::K_SINK:
      return named(tree.make<ast::SinkDecl>());
    default:
      return nullptr;
  }
}

}  // namespace

ast::Decl* stub(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
                ast::Tree& tree) {
  if (chunk.tokens.size() < 2) return nullptr;
  const Token& word = tokens[chunk.tokens[0]];
  const Token& second = tokens[chunk.tokens[1]];
  if (!is_name(second.kind)) return nullptr;
  std::string_view text = text_of(second, file.text());
  if (text.starts_with('`')) text = text.substr(1, text.size() - 2);
  const ast::Name name{std::string(text), span_of(second, file.id())};
  const std::size_t third = chunk.tokens.size() > 2 ? tokens[chunk.tokens[2]].kind : 0;
  ast::Decl* out = make(word.kind, third, name, tree);
  if (out == nullptr) return nullptr;
  out->broken = true;
  out->keyword = span_of(word, file.id());
  out->span = source::cover(out->keyword, span_of(tokens[chunk.tokens.back()], file.id()));
  return out;
}

}  // namespace weir::parse
