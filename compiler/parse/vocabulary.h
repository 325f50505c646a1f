// What kinds of tokens mean to people: sets, words and phrases. Kinds are those of the generated lexer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weir::parse {

// A name or a contextual word.
bool is_name(std::size_t kind);
bool is_reserved(std::size_t kind);
bool is_contextual(std::size_t kind);

// Whether an expression can begin / end with it.
bool starts_operand(std::size_t kind);
bool ends_operand(std::size_t kind);

// A binary or postfix operator: it can only follow an operand.
bool continues_operand(std::size_t kind);

bool is_opening(std::size_t kind);
bool is_closing(std::size_t kind);
// The closing kind that belongs to an opening one.
std::size_t partner(std::size_t opening);

// Kind of a contextual or reserved word; 0 if `word` is neither.
std::size_t word_kind(std::string_view word);

// "`where`", "a name", "a number": how to name the kind in a message.
std::string phrase(std::size_t kind);

// Words that begin a declaration, and those that begin a pipeline step.
const std::vector<std::string_view>& declaration_words();
const std::vector<std::string_view>& step_words();

// What people coming from elsewhere write for a declaration word or a step; "" if unknown.
std::string_view foreign_declaration(std::string_view word);
std::string_view foreign_step(std::string_view word);

}  // namespace weir::parse
