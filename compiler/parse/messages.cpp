#include "compiler/parse/messages.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/vocabulary.h"

namespace weir::parse {

namespace {

using Parser = grammar::WeirParser;
using antlr4::misc::IntervalSet;
using diagnostics::Code;

constexpr std::size_t most_reports = 4;  // of one declaration; later ones mostly follow from the first

// Where the parser was, in words; "" where that says nothing.
std::string_view where(std::size_t rule) {
  switch (rule) {
    case Parser::RulePipeline_decl:
      return "a `pipeline`";
    case Parser::RuleSetting:
    case Parser::RuleCheckpoint_part:
      return "a setting of the `pipeline`";
    case Parser::RuleUse_decl:
      return "a `use`";
    case Parser::RuleType_decl:
      return "a `type`";
    case Parser::RuleRecord_body:
      return "the fields of a `type`";
    case Parser::RuleField_decl:
      return "a field of a `type`";
    case Parser::RuleEnum_body:
      return "the values of a `type`";
    case Parser::RuleFn_decl:
      return "a `fn`";
    case Parser::RuleExtern_decl:
      return "an `extern fn`";
    case Parser::RuleParams:
    case Parser::RuleFn_param:
      return "the parameters of a function";
    case Parser::RuleParam_decl:
      return "a `param`";
    case Parser::RuleSource_decl:
    case Parser::RuleSource_clause:
      return "a `source`";
    case Parser::RuleTable_decl:
      return "a `table`";
    case Parser::RulePolicy:
      return "an `on` clause: `fail`, `drop` or `to` and a stream's name";
    case Parser::RuleAccept:
      return "an `accept` clause: a guarantee and the reason in quotes";
    case Parser::RuleConnector:
      return "a connector";
    case Parser::RuleStream_decl:
      return "a `stream`";
    case Parser::RuleSink_decl:
    case Parser::RuleSink_clause:
      return "a `sink`";
    case Parser::RuleTest_decl:
    case Parser::RuleTest_step:
      return "a `test`";
    case Parser::RuleType_expr:
    case Parser::RuleSimple_type:
      return "a type";
    case Parser::RuleQuery:
      return "a pipeline";
    case Parser::RuleStep:
      return "a step of a pipeline";
    case Parser::RuleItem:
    case Parser::RuleItems:
      return "a list of columns";
    case Parser::RuleAssignment:
      return "`name = expression`";
    case Parser::RuleRenaming:
      return "`new = old`";
    case Parser::RuleAggregate_item:
      return "`name = aggregate(…)`";
    case Parser::RuleAggregate_clause:
      return "an `aggregate`";
    case Parser::RuleWindow:
      return "a window";
    case Parser::RuleEmit:
      return "an `emit` clause";
    case Parser::RuleJoin_bounds:
      return "a `join`";
    case Parser::RuleList:
      return "a list";
    case Parser::RuleRecord:
    case Parser::RuleRecord_entry:
      return "a record";
    case Parser::RuleMatch_arm:
    case Parser::RulePattern:
    case Parser::RuleSimple_pattern:
      return "an arm of a `match`";
    case Parser::RuleArgs:
    case Parser::RuleArg:
      return "the arguments of a call";
    case Parser::RuleString:
    case Parser::RuleString_part:
      return "a string";
    default:
      return "";
  }
}

bool contains(const IntervalSet& set, std::size_t kind) {
  return set.contains(kind);
}

// Marks that people write for each other.
bool is_confused(std::size_t found, std::size_t meant) {
  static constexpr std::pair<std::size_t, std::size_t> pairs[] = {
      {Parser::ARROW, Parser::FAT_ARROW}, {Parser::ARROW, Parser::ARM_ARROW},
      {Parser::FAT_ARROW, Parser::ARROW}, {Parser::COLON, Parser::ASSIGN},
      {Parser::ASSIGN, Parser::COLON},    {Parser::EQUAL, Parser::ASSIGN},
      {Parser::BAR, Parser::PIPE_STEP},   {Parser::COLON, Parser::ARROW},
      {Parser::COLON, Parser::ARM_ARROW}};
  return std::any_of(std::begin(pairs), std::end(pairs),
                     [&](const auto& pair) { return pair.first == found && pair.second == meant; });
}

// The expected kinds in words, the most telling first.
std::vector<std::string> phrases(const IntervalSet& expected) {
  std::vector<std::string> out;
  const bool name = contains(expected, Parser::NAME);
  const bool pattern = contains(expected, Parser::INT) && name && !contains(expected, Parser::L_PAREN);
  const bool expression = contains(expected, Parser::INT) && contains(expected, Parser::L_PAREN) && name;
  const bool goes_on = contains(expected, Parser::COALESCE) && contains(expected, Parser::K_AND);
  // After a type: what could make the type longer is not what is missing.
  const bool after_type = contains(expected, Parser::QUESTION) && !expression;
  const bool text_only = contains(expected, Parser::STRING_OPEN) && !contains(expected, Parser::INT);
  std::set<std::string> seen;
  const auto add = [&](std::string phrase) {
    if (seen.insert(phrase).second) out.push_back(std::move(phrase));
  };
  if (expression) {
    add("an expression");
  } else if (pattern) {
    add("a pattern");
  } else if (name) {
    add("a name");
  }
  if (text_only) add("a string");
  std::vector<std::string> words;
  for (const ssize_t signed_kind : expected.toList()) {
    if (signed_kind <= 0) continue;
    const auto kind = static_cast<std::size_t>(signed_kind);
    if (kind == antlr4::Token::EOF || kind == Parser::BACKTICK || kind == Parser::NAME ||
        kind == Parser::RAW_STRING || kind == Parser::STRING_OPEN || kind == Parser::BAD_STRING ||
        kind == Parser::BAD_OPERATOR)
      continue;
    if (name && is_contextual(kind)) continue;
    if (after_type && (kind == Parser::QUESTION || kind == Parser::LESS || kind == Parser::L_PAREN)) continue;
    if ((expression || pattern) && starts_operand(kind)) continue;
    if (goes_on && (continues_operand(kind) || kind == Parser::L_PAREN || kind == Parser::FAT_ARROW))
      continue;
    if (kind == Parser::K_LET_IN || !is_contextual(kind)) {
      add(phrase(kind));
    } else {
      words.push_back(phrase(kind));
    }
  }
  for (std::string& word : words) add(std::move(word));
  if (out.empty() && goes_on) out.emplace_back("an operator");
  if (out.size() > 9) {
    out.resize(8);
    out.emplace_back("…");
  }
  return out;
}

}  // namespace

void Messages::reportNoViableAlternative(antlr4::Parser* parser, const antlr4::NoViableAltException& e) {
  complain(parser, e.getOffendingToken(), getExpectedTokens(parser));
}

void Messages::reportInputMismatch(antlr4::Parser* parser, const antlr4::InputMismatchException& e) {
  complain(parser, e.getOffendingToken(), e.getExpectedTokens());
}

void Messages::reportFailedPredicate(antlr4::Parser* parser, const antlr4::FailedPredicateException& e) {
  complain(parser, e.getOffendingToken(), getExpectedTokens(parser));
}

void Messages::reportUnwantedToken(antlr4::Parser* parser) {
  if (inErrorRecoveryMode(parser)) return;
  beginErrorCondition(parser);
  complain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}

void Messages::reportMissingToken(antlr4::Parser* parser) {
  if (inErrorRecoveryMode(parser)) return;
  beginErrorCondition(parser);
  complain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}

void Messages::sync(antlr4::Parser* parser) {
  const antlr4::Token* token = parser->getCurrentToken();
  const auto index = static_cast<std::size_t>(token->getTokenIndex());
  const bool fresh = index != synced_at_;
  const IntervalSet expected = getExpectedTokens(parser);
  synced_ = fresh ? expected : synced_.Or(expected);
  synced_at_ = index;
  DefaultErrorStrategy::sync(parser);
}

IntervalSet Messages::all_expected(std::size_t index, const IntervalSet& expected) const {
  return index == synced_at_ ? synced_.Or(expected) : expected;
}

source::Span Messages::place(std::size_t index) const {
  if (index < chunk_.tokens.size()) return span_of(tokens_[chunk_.tokens[index]], file_.id());
  // The end: just after the last token, where something is missing.
  if (chunk_.tokens.empty()) return {file_.id(), 0, 0};
  return source::after(span_of(tokens_[chunk_.tokens.back()], file_.id()));
}

std::string_view Messages::text(std::size_t index) const {
  return index < chunk_.tokens.size() ? text_of(tokens_[chunk_.tokens[index]], file_.text())
                                      : std::string_view{};
}

void Messages::complain(antlr4::Parser* parser, antlr4::Token* found, const IntervalSet& expected_here) {
  failed_ = true;
  if (chunk_.quiet || found == nullptr) return;
  const auto index = static_cast<std::size_t>(found->getTokenIndex());
  const IntervalSet expected = all_expected(index, expected_here);
  // Close behind another mistake, or a closing bracket after one: most likely its consequence.
  const bool at_end = index >= chunk_.tokens.size();
  const std::uint32_t line_start = file_.line_start(file_.position(place(index).offset).line);
  const bool consequence = reports_ > 0 && (index < next_ || line_start == last_line_start_ || at_end ||
                                            is_closing(tokens_[chunk_.tokens[index]].kind));
  if (consequence || reports_ >= most_reports) return;
  next_ = index + 3;
  last_line_start_ = line_start;
  ++reports_;
  if (!at_end && reserved_as_name(tokens_[chunk_.tokens[index]], expected)) return;

  std::vector<std::string> choices = phrases(expected);
  const std::string shown = at_end ? "the end of the declaration" : fmt::format("`{}`", text(index));
  std::string message;
  if (choices.empty()) {
    message = at_end ? "the declaration ends too early" : fmt::format("{} does not belong here", shown);
  } else {
    message = fmt::format("expected {}, found {}", base::join_choices(choices, "or"), shown);
  }
  auto& d = out_.report(Code::unexpected_token, place(index), std::move(message));
  const auto* ctx = parser->getContext();
  std::string_view context;
  for (const auto* c = ctx; c != nullptr && context.empty();
       c = dynamic_cast<const antlr4::ParserRuleContext*>(c->parent)) {
    context = where(c->getRuleIndex());
  }
  if (at_end) {
    d.label("something is missing here");
  } else {
    d.label(context.empty() ? "unexpected" : fmt::format("unexpected in {}", context));
  }
  propose(d, index, expected);
}

bool Messages::reserved_as_name(const Token& found, const IntervalSet& expected) {
  if (!is_reserved(found.kind) || !contains(expected, Parser::NAME) || contains(expected, found.kind))
    return false;
  const std::string word(text_of(found, file_.text()));
  if (contains(expected, Parser::INT)) return false;  // an expression is expected: see propose
  out_.report(Code::reserved_word, span_of(found, file_.id()), fmt::format("`{}` is a reserved word", word))
      .label("a name is expected here")
      .suggest("as a name it stands in backticks", span_of(found, file_.id()), "`" + word + "`");
  return true;
}

// Candidates for an edit, most likely first; the caller keeps the first that really helps.
void Messages::propose(diagnostics::Diagnostic& d, std::size_t index, const IntervalSet& expected) {
  const bool at_end = index >= chunk_.tokens.size();
  const std::size_t kind = at_end ? 0 : tokens_[chunk_.tokens[index]].kind;
  const auto before = [&](std::size_t n) { return index >= n ? tokens_[chunk_.tokens[index - n]] : Token{}; };
  const bool ends = at_end || is_closing(kind) || kind == Parser::PIPE_STEP;
  if (before(1).kind == Parser::COMMA && ends)
    d.suggest("remove the last `,`", span_of(before(1), file_.id()), "");
  if (before(2).kind == Parser::COMMA && is_contextual(before(1).kind)) {
    d.suggest(fmt::format("remove the `,` before `{}`", text(index - 1)), span_of(before(2), file_.id()), "");
  }
  propose_idiom(d, index);
  if (!at_end && is_reserved(kind) && contains(expected, Parser::NAME)) {
    d.suggest("as a name it stands in backticks", place(index), fmt::format("`{}`", text(index)));
  }
  if (!at_end && is_name(kind)) propose_words(d, index, expected);
  static constexpr std::pair<std::size_t, const char*> marks[] = {
      {Parser::COMMA, ","},       {Parser::COLON, ":"},       {Parser::ASSIGN, "="},
      {Parser::ARROW, "->"},      {Parser::FAT_ARROW, "=>"},  {Parser::ARM_ARROW, "=>"},
      {Parser::PIPE_STEP, "|>"},  {Parser::K_THEN, "then"},   {Parser::K_LET_IN, "in"},
      {Parser::K_FROM, "from"},   {Parser::K_TO, "to"},       {Parser::K_AS, "as"},
      {Parser::K_BY, "by"},       {Parser::K_WITH, "with"},   {Parser::K_ON, "on"},
      {Parser::K_EVERY, "every"}, {Parser::K_AFTER, "after"}, {Parser::K_ERROR, "error"}};
  if (index > 0 && !at_end) {
    for (const bool preferred : {true, false}) {
      for (const auto& [mark, spelt] : marks) {
        if (!contains(expected, mark) || (is_contextual(mark) && contains(expected, Parser::NAME))) continue;
        if (is_confused(kind, mark) == preferred) propose_mark(d, index, mark, spelt);
      }
    }
  }
  const bool is_mark = !at_end && kind >= Parser::PIPE_STEP && kind <= Parser::BAR;
  if (is_mark) d.suggest("remove it", place(index), "");
  advise(d, index, expected);
}

// What is written otherwise in other languages.
void Messages::propose_idiom(diagnostics::Diagnostic& d, std::size_t index) {
  const std::string_view found = text(index);
  const auto token = [&](std::size_t i) -> const Token& { return tokens_[chunk_.tokens[i]]; };
  if (found == "elif" || found == "elsif" || found == "elseif")
    d.suggest("write `else if`", place(index), "else if");
  const bool unit =
      found == "s" || found == "m" || found == "h" || found == "d" || found == "ms" || found == "us";
  if (unit && index > 0 && token(index - 1).kind == Parser::INT) {
    const source::Span number = place(index - 1);
    d.suggest("a duration is one word", {number.file, number.end(), place(index).offset - number.end()}, "");
  }
  if (found != ",") return;
  // x in (a, b)
  std::size_t open = index;
  while (open > 0 && token(open).kind != Parser::L_PAREN) --open;
  std::size_t close = index;
  while (close < chunk_.tokens.size() && token(close).kind != Parser::R_PAREN) ++close;
  if (open > 0 && token(open - 1).kind == Parser::K_IN && close < chunk_.tokens.size()) {
    d.suggest("a list stands in brackets", {{place(open), "["}, {place(close), "]"}});
  }
}

// How the idea that was meant is said in Weir.
void Messages::advise(diagnostics::Diagnostic& d, std::size_t index, const IntervalSet& expected) const {
  const std::string_view found = text(index);
  const bool in_expression = contains(expected, Parser::COALESCE);
  if (found == "?" && in_expression) d.help("`if c then a else b` chooses between two values");
  if (found == "between" && in_expression) d.help("`a <= x and x <= b` tests for a range");
  if (found == "when" && in_expression)
    d.help("`match x { 1 => a, _ => b }` or `if c then a else b` chooses");
  if (found == "like" && in_expression)
    d.help("`x.starts_with(\"a\")`, `x.contains(\"a\")`, or a regular expression");
  if (found == "(" && contains(expected, Parser::ASSIGN) && !in_expression)
    d.help("an aggregate has a name: `n = count()`");
  if (found == "=" && contains(expected, Parser::ARROW))
    d.help("a function names the type of its result: `-> int`");
}

// A misspelt word of the language, or another word where few are possible.
void Messages::propose_words(diagnostics::Diagnostic& d, std::size_t index, const IntervalSet& expected) {
  if (contains(expected, Parser::NAME)) return;
  std::vector<std::string> words;
  for (const ssize_t k : expected.toList()) {
    if (k > 0 && (is_contextual(static_cast<std::size_t>(k)) || is_reserved(static_cast<std::size_t>(k)))) {
      const std::string quoted = phrase(static_cast<std::size_t>(k));
      words.push_back(quoted.substr(1, quoted.size() - 2));
    }
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  if (const std::string_view meant = base::nearest(text(index), views); !meant.empty()) {
    d.suggest(fmt::format("did you mean `{}`?", meant), place(index), std::string(meant));
  }
  if (words.size() > 4) return;
  for (const std::string& word : words) d.suggest(fmt::format("write `{}`", word), place(index), word);
}

// In place of what was found if that is a mark or takes the place of one, or before it.
void Messages::propose_mark(diagnostics::Diagnostic& d, std::size_t index, std::size_t mark,
                            const std::string& spelt) {
  const Token& found = tokens_[chunk_.tokens[index]];
  const source::Span at = place(index);
  const source::Span last = span_of(tokens_[chunk_.tokens[index - 1]], file_.id());
  const bool tight = mark == Parser::COMMA || mark == Parser::COLON;
  const bool spaced_after = found.end() < file_.text().size() && file_.text()[found.end()] == ' ';
  const bool is_mark = found.kind >= Parser::PIPE_STEP && found.kind <= Parser::BAR;
  if (is_mark || (is_contextual(found.kind) && mark == Parser::ASSIGN)) {
    // The space before a mark goes or comes with it.
    const source::Span whole =
        found.first_on_line ? at : source::Span{at.file, last.end(), at.end() - last.end()};
    const std::string before = tight || found.first_on_line ? "" : " ";
    d.suggest(fmt::format("write `{}`", spelt), whole, before + spelt + (spaced_after ? "" : " "));
  }
  const bool apart = last.end() != at.offset;
  std::string inserted = tight ? spelt : " " + spelt;
  if (!apart) inserted += ' ';
  d.suggest(fmt::format("insert `{}`", spelt), source::after(last), inserted);
}

}  // namespace weir::parse
