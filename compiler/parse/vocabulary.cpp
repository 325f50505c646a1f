#include "compiler/parse/vocabulary.h"

#include <algorithm>
#include <map>

#include "compiler/parse/byte_stream.h"
#include "grammar/WeirLexer.h"

namespace weir::parse {

using Lexer = grammar::WeirLexer;

bool is_contextual(std::size_t kind) {
  return kind >= Lexer::K_ACCEPT && kind <= Lexer::K_WITHIN;
}
bool is_name(std::size_t kind) {
  return kind == Lexer::NAME || kind == Lexer::BACKTICK || is_contextual(kind);
}
bool is_reserved(std::size_t kind) {
  return (kind >= Lexer::K_TRUE && kind <= Lexer::K_CAPTURE) || kind == Lexer::K_LET_IN;
}

namespace {

bool is_literal(std::size_t kind) {
  switch (kind) {
    case Lexer::K_TRUE:
    case Lexer::K_FALSE:
    case Lexer::K_NULL:
    case Lexer::INT:
    case Lexer::HEX:
    case Lexer::DECIMAL:
    case Lexer::FLOAT:
    case Lexer::DURATION:
    case Lexer::SIZE:
    case Lexer::BAD_NUMBER:
    case Lexer::TIMESTAMP:
    case Lexer::DATE_LITERAL:
    case Lexer::BAD_TIMESTAMP:
    case Lexer::RAW_STRING:
    case Lexer::BAD_STRING:
    case Lexer::F_QUOTED:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool starts_operand(std::size_t kind) {
  switch (kind) {
    case Lexer::STRING_OPEN:
    case Lexer::L_PAREN:
    case Lexer::L_BRACKET:
    case Lexer::L_BRACE:
    case Lexer::MINUS:
    case Lexer::K_NOT:
    case Lexer::F_NOT:
    case Lexer::K_IF:
    case Lexer::K_LET:
    case Lexer::K_MATCH:
    case Lexer::K_TRY:
    case Lexer::K_CAPTURE:
      return true;
    default:
      return is_literal(kind) || is_name(kind);
  }
}

bool ends_operand(std::size_t kind) {
  switch (kind) {
    case Lexer::STRING_CLOSE:
    case Lexer::R_PAREN:
    case Lexer::R_BRACKET:
    case Lexer::R_BRACE:
      return true;
    default:
      return is_literal(kind) || is_name(kind);
  }
}

bool continues_operand(std::size_t kind) {
  switch (kind) {
    case Lexer::DOT:
    case Lexer::SAFE_DOT:
    case Lexer::L_BRACKET:
    case Lexer::STAR:
    case Lexer::SLASH:
    case Lexer::PERCENT:
    case Lexer::BAD_OPERATOR:
    case Lexer::PLUS:
    case Lexer::MINUS:
    case Lexer::COALESCE:
    case Lexer::EQUAL:
    case Lexer::NOT_EQUAL:
    case Lexer::LESS:
    case Lexer::LESS_EQUAL:
    case Lexer::GREATER:
    case Lexer::GREATER_EQUAL:
    case Lexer::ASSIGN:
    case Lexer::K_NOT:
    case Lexer::K_IN:
    case Lexer::K_IS:
    case Lexer::K_AND:
    case Lexer::K_OR:
      return true;
    default:
      return false;
  }
}

bool is_opening(std::size_t kind) {
  return kind == Lexer::L_PAREN || kind == Lexer::L_BRACKET || kind == Lexer::L_BRACE ||
         kind == Lexer::INTERP_OPEN;
}

bool is_closing(std::size_t kind) {
  return kind == Lexer::R_PAREN || kind == Lexer::R_BRACKET || kind == Lexer::R_BRACE;
}

std::size_t partner(std::size_t opening) {
  if (opening == Lexer::L_PAREN) return Lexer::R_PAREN;
  if (opening == Lexer::L_BRACKET) return Lexer::R_BRACKET;
  return Lexer::R_BRACE;
}

namespace {

// 'where' -> where; empty for kinds that have no fixed text.
std::string fixed_text(std::size_t kind) {
  static ByteStream empty("");
  static const grammar::WeirLexer lexer(&empty);
  std::string name = lexer.getVocabulary().getLiteralName(kind);
  if (name.size() < 2 || name.front() != '\'') return "";
  return name.substr(1, name.size() - 2);
}

}  // namespace

std::size_t word_kind(std::string_view word) {
  static const std::map<std::string, std::size_t, std::less<>> words = [] {
    std::map<std::string, std::size_t, std::less<>> out;
    for (std::size_t kind = Lexer::K_TRUE; kind <= Lexer::K_CAPTURE; ++kind) out[fixed_text(kind)] = kind;
    for (std::size_t kind = Lexer::K_ACCEPT; kind <= Lexer::K_WITHIN; ++kind) out[fixed_text(kind)] = kind;
    return out;
  }();
  const auto found = words.find(word);
  return found == words.end() ? 0 : found->second;
}

std::string phrase(std::size_t kind) {
  switch (kind) {
    case Lexer::NAME:
    case Lexer::BACKTICK:
      return "a name";
    case Lexer::INT:
    case Lexer::HEX:
    case Lexer::DECIMAL:
    case Lexer::FLOAT:
    case Lexer::BAD_NUMBER:
      return "a number";
    case Lexer::DURATION:
      return "a duration";
    case Lexer::SIZE:
      return "a size";
    case Lexer::TIMESTAMP:
    case Lexer::BAD_TIMESTAMP:
      return "a timestamp";
    case Lexer::DATE_LITERAL:
      return "a date";
    case Lexer::STRING_OPEN:
    case Lexer::STRING_TEXT:
    case Lexer::STRING_CLOSE:
    case Lexer::ESCAPE:
    case Lexer::RAW_STRING:
    case Lexer::F_QUOTED:
      return "a string";
    case Lexer::K_LET_IN:
      return "`in`";
    case Lexer::ARM_ARROW:
      return "`=>`";
    default:
      break;
  }
  if (kind == antlr4::Token::EOF) return "the end";
  const std::string text = fixed_text(kind);
  return text.empty() ? "something else" : "`" + text + "`";
}

const std::vector<std::string_view>& declaration_words() {
  static const std::vector<std::string_view> words = {
      "pipeline", "use", "type", "fn", "extern", "param", "source", "stream", "table", "sink", "test"};
  return words;
}

const std::vector<std::string_view>& step_words() {
  static const std::vector<std::string_view> words = {
      "where", "select", "extend",  "drop", "rename",   "flatten", "aggregate", "scan",
      "join",  "left",   "semi",    "anti", "sequence", "lookup",  "union",     "dedup",
      "top",   "latest", "changes", "key",  "assert",   "capture"};
  return words;
}

std::string_view foreign_declaration(std::string_view word) {
  static const std::map<std::string_view, std::string_view> words = {
      {"function", "fn"},     {"func", "fn"},         {"def", "fn"},           {"fun", "fn"},
      {"proc", "fn"},         {"struct", "type"},     {"record", "type"},      {"enum", "type"},
      {"class", "type"},      {"interface", "type"},  {"import", "use"},       {"include", "use"},
      {"require", "use"},     {"output", "sink"},     {"target", "sink"},      {"input", "source"},
      {"view", "stream"},     {"query", "stream"},    {"const", "param"},      {"var", "param"},
      {"parameter", "param"}, {"config", "pipeline"}, {"settings", "pipeline"}};
  const auto found = words.find(word);
  return found == words.end() ? std::string_view{} : found->second;
}

std::string_view foreign_step(std::string_view word) {
  static const std::map<std::string_view, std::string_view> words = {
      {"filter", "where"},        {"having", "where"},
      {"map", "select"},          {"project", "select"},
      {"derive", "extend"},       {"with_column", "extend"},
      {"let", "extend"},          {"compute", "extend"},
      {"mutate", "extend"},       {"exclude", "drop"},
      {"remove", "drop"},         {"unnest", "flatten"},
      {"explode", "flatten"},     {"flat_map", "flatten"},
      {"group", "aggregate"},     {"group_by", "aggregate"},
      {"groupby", "aggregate"},   {"summarize", "aggregate"},
      {"summarise", "aggregate"}, {"reduce", "aggregate"},
      {"fold", "scan"},           {"distinct", "dedup"},
      {"unique", "dedup"},        {"deduplicate", "dedup"},
      {"order", "top"},           {"sort", "top"},
      {"limit", "top"},           {"take", "top"},
      {"concat", "union"},        {"merge", "union"},
      {"check", "assert"},        {"inner", "join"}};
  const auto found = words.find(word);
  return found == words.end() ? std::string_view{} : found->second;
}

}  // namespace weir::parse
