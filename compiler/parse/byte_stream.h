// A text as ANTLR input whose symbols are bytes: indices are byte offsets and no text is invalid.
#pragma once

#include <string>
#include <string_view>

#include "antlr4-runtime.h"

namespace weir::parse {

// Does not own the text.
class ByteStream final : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text) {}

  void consume() override;
  std::size_t LA(ssize_t offset) override;
  ssize_t mark() override { return 0; }
  void release(ssize_t) override {}
  std::size_t index() override { return at_; }
  void seek(std::size_t index) override { at_ = std::min(index, text_.size()); }
  std::size_t size() override { return text_.size(); }
  std::string getSourceName() const override { return "script"; }
  std::string getText(const antlr4::misc::Interval& interval) override;
  std::string toString() const override { return std::string(text_); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace weir::parse
