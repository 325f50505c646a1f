#include <algorithm>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/builder.h"

namespace weir::parse {

using diagnostics::Code;

ast::Span Builder::span(const antlr4::Token* token) const {
  // Tokens that the parser conjured up have no index.
  if (token == nullptr || token->getTokenIndex() == INVALID_INDEX) return {};
  const auto index = static_cast<std::size_t>(token->getTokenIndex());
  if (index < visible_.size()) return span_of(tokens_[visible_[index]], file_.id());
  return {file_.id(), static_cast<std::uint32_t>(token->getStartIndex()), 0};
}

ast::Span Builder::span(antlr4::tree::TerminalNode* node) const {
  return node == nullptr ? ast::Span{} : span(node->getSymbol());
}

ast::Span Builder::span(antlr4::ParserRuleContext* ctx) const {
  if (ctx == nullptr) return {};
  const ast::Span first = span(ctx->getStart());
  const ast::Span last = span(ctx->getStop());
  if (last.is_known() && first.is_known() && last.offset < first.offset) return {first.file, first.offset, 0};
  return source::cover(first, last);
}

std::string_view Builder::text_of(ast::Span at) const {
  return at.is_known() ? file_.text().substr(at.offset, at.length) : std::string_view{};
}

antlr4::tree::TerminalNode* Builder::terminal(antlr4::ParserRuleContext* ctx, std::size_t kind) {
  if (ctx == nullptr) return nullptr;
  for (antlr4::tree::ParseTree* child : ctx->children) {
    auto* node = dynamic_cast<antlr4::tree::TerminalNode*>(child);
    if (node != nullptr && node->getSymbol()->getType() == kind) return node;
  }
  return nullptr;
}

ast::Expr* Builder::expr_after(antlr4::ParserRuleContext* ctx, std::size_t kind) {
  if (!has(ctx, kind)) return nullptr;
  return expr(after<Parser::ExprContext>(ctx, kind));
}

ast::Name Builder::name(Parser::NameContext* ctx) {
  if (ctx == nullptr || ctx->getStart() == nullptr) return {};
  ast::Name out;
  out.span = span(ctx->getStart());
  std::string_view text = text_of(out.span);
  if (text.size() >= 2 && text.front() == '`') text = text.substr(1, text.size() - 2);
  out.text = std::string(text);
  return out;
}

std::optional<ast::Name> Builder::optional_name(Parser::NameContext* ctx) {
  if (ctx == nullptr) return std::nullopt;
  return name(ctx);
}

std::string Builder::doc_above(const antlr4::Token* token) const {
  if (token == nullptr || token->getTokenIndex() == INVALID_INDEX) return "";
  const auto index = static_cast<std::size_t>(token->getTokenIndex());
  if (index >= visible_.size()) return "";
  std::vector<std::string_view> lines;
  for (std::size_t i = visible_[index]; i-- > 0;) {
    const Token& before = tokens_[i];
    const std::string_view text = parse::text_of(before, file_.text());
    if (before.kind == Parser::SPACE) {
      if (std::count(text.begin(), text.end(), '\n') > 1) break;  // an empty line parts them
    } else if (before.kind == Parser::DOC_COMMENT && before.first_on_line) {
      lines.push_back(text.substr(text.starts_with("/// ") ? 4 : 3));
    } else {
      break;
    }
  }
  std::string doc;
  for (std::size_t i = lines.size(); i-- > 0;) {
    doc += lines[i];
    if (i > 0) doc += '\n';
  }
  return doc;
}

void Builder::missing_comma(antlr4::ParserRuleContext* before, antlr4::ParserRuleContext* next) {
  const ast::Span at = span(next->getStart());
  out_.report(Code::unexpected_token, at, fmt::format("`,` is missing before `{}`", text_of(at)))
      .label("begins the next one")
      .suggest("insert `,`", source::after(span(before)), ",");
}

bool Builder::repeated(std::vector<std::pair<std::string, ast::Span>>& seen, const std::string& clause,
                       ast::Span at) {
  for (const auto& [word, first] : seen) {
    if (word != clause) continue;
    out_.report(Code::repeated_clause, at, fmt::format("`{}` stands twice", clause))
        .label("here again")
        .also(first, "first here");
    return true;
  }
  seen.emplace_back(clause, at);
  return false;
}

bool Builder::check_word(const ast::Name& word, const std::vector<std::string_view>& choices,
                         std::string_view what) {
  if (word.text.empty() || std::find(choices.begin(), choices.end(), word.text) != choices.end()) return true;
  std::vector<std::string> quoted;
  for (const std::string_view choice : choices) quoted.push_back(fmt::format("`{}`", choice));
  auto& d = out_.report(Code::unknown_word, word.span, fmt::format("`{}` is no {}", word.text, what));
  d.label("expected " + base::join_choices(quoted, "or"));
  if (const std::string_view meant = base::nearest(word.text, choices); !meant.empty()) {
    d.suggest(fmt::format("did you mean `{}`?", meant), word.span, std::string(meant));
  }
  return false;
}

std::optional<ast::Name> Builder::chosen(Parser::NameContext* ctx,
                                         const std::vector<std::string_view>& choices,
                                         std::string_view what) {
  ast::Name word = name(ctx);
  if (!check_word(word, choices, what)) return std::nullopt;
  return word;
}

}  // namespace weir::parse
