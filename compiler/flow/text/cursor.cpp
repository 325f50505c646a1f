#include "compiler/flow/text/cursor.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "compiler/flow/text/tokens.h"

namespace weir::flow::text {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

void Cursor::fail(std::string message) {
  if (error_.has_value()) return;
  ReadError error;
  for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) {
    ++error.column;
    if (text_[i] == '\n') {
      ++error.line;
      error.column = 1;
    }
  }
  error.message = std::move(message);
  error_ = std::move(error);
  at_ = text_.size();
}

void Cursor::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at_;
    } else if (sees("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

std::string_view Cursor::plain_word() const {
  if (at_end() || !starts_name(text_[at_])) return "";
  std::size_t end = at_;
  while (end < text_.size() && continues_name(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

char Cursor::after_name() const {
  Cursor ahead = *this;
  if (ahead.plain_word().empty() && !ahead.sees("`")) return 0;
  ahead.name();
  return ahead.at_end() ? '\0' : ahead.text_[ahead.at_];
}

bool Cursor::take(std::string_view mark) {
  if (!sees(mark)) return false;
  at_ += mark.size();
  skip_blanks();
  return true;
}

bool Cursor::take_word(std::string_view word) {
  return sees_word(word) && take(word);
}

void Cursor::expect(std::string_view mark) {
  if (!take(mark)) fail("`" + std::string(mark) + "` is expected");
}

void Cursor::expect_word(std::string_view word) {
  if (!take_word(word)) fail("`" + std::string(word) + "` is expected");
}

std::string Cursor::name() {
  if (sees("`")) return escaped('`');
  const std::string word(plain_word());
  if (word.empty()) {
    fail("a name is expected");
    return "";
  }
  take(word);
  return word;
}

std::string Cursor::quoted() {
  if (!sees("\"")) {
    fail("a text in quotes is expected");
    return "";
  }
  return escaped('"');
}

std::string Cursor::escaped(char quote) {
  std::string out;
  std::size_t i = at_ + 1;
  for (; i < text_.size() && text_[i] != quote; ++i) {
    if (text_[i] != '\\') {
      out += text_[i];
      continue;
    }
    const char c = i + 1 < text_.size() ? text_[++i] : '\0';
    if (c == 'n') {
      out += '\n';
    } else if (c == 't') {
      out += '\t';
    } else if (c == '\\' || c == quote) {
      out += c;
    } else if (c == 'x' && i + 2 < text_.size() && hex_digit(text_[i + 1]) >= 0 &&
               hex_digit(text_[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text_[i + 1]) * 16 + hex_digit(text_[i + 2]));
      i += 2;
    } else {
      at_ = i;
      fail("unknown escape in a text");
      return "";
    }
  }
  if (i >= text_.size()) {
    fail("a text has no end");
    return "";
  }
  at_ = i + 1;
  skip_blanks();
  return out;
}

bool Cursor::sees_number() const {
  if (at_end()) return false;
  if (is_digit(text_[at_])) return true;
  return text_[at_] == '-' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
}

std::string Cursor::number() {
  if (!sees_number()) {
    fail("a number is expected");
    return "";
  }
  std::size_t end = at_ + 1;
  const auto here = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  while (is_digit(here(end))) ++end;
  if (here(end) == '.' && is_digit(here(end + 1))) {
    ++end;
    while (is_digit(here(end))) ++end;
  }
  if (here(end) == 'e') {
    const std::size_t digits = end + (here(end + 1) == '+' || here(end + 1) == '-' ? 2 : 1);
    if (is_digit(here(digits))) {
      end = digits;
      while (is_digit(here(end))) ++end;
    }
  }
  const std::string out(text_.substr(at_, end - at_));
  at_ = end;
  skip_blanks();
  return out;
}

std::int64_t Cursor::integer() {
  const std::string digits = number();
  std::int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (!failed() && (result.ec != std::errc() || result.ptr != digits.data() + digits.size())) {
    fail("a whole number of 64 bits is expected");
  }
  return value;
}

std::string Cursor::raw_until(std::string_view stops) {
  const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
  const std::string out(text_.substr(at_, end - at_));
  at_ = end;
  skip_blanks();
  return out;
}

}  // namespace weir::flow::text
