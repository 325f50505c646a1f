// A place in a text that is read: tokens on demand, the first error. After an error the cursor stands at the end
// and every read gives an empty value, so that callers need not check after each step.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/flow/text.h"

namespace weir::flow::text {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_blanks(); }

  bool failed() const { return error_.has_value(); }
  bool at_end() const { return at_ >= text_.size(); }
  const std::optional<ReadError>& error() const { return error_; }
  void fail(std::string message);

  // Whether the text goes on with this mark (punctuation) or word (a whole name, not in backticks).
  bool sees(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
  bool sees_word(std::string_view word) const { return plain_word() == word; }
  // The plain name that stands here, "" if none.
  std::string_view plain_word() const;
  // The character after the name that stands here, blanks skipped; 0 if no name stands here.
  char after_name() const;

  bool take(std::string_view mark);  // if it stands here
  bool take_word(std::string_view word);
  void expect(std::string_view mark);
  void expect_word(std::string_view word);

  std::string name();    // plain or in backticks
  std::string quoted();  // a text in quotes
  std::int64_t integer();
  // Everything up to (not including) the first of `stops`, for raw forms.
  std::string raw_until(std::string_view stops);
  // A number's characters: sign, digits, point, exponent.
  std::string number();
  bool sees_number() const;

 private:
  void skip_blanks();
  std::string escaped(char quote);

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<ReadError> error_;
};

}  // namespace weir::flow::text
