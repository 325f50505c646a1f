#include "compiler/parse/byte_stream.h"

namespace weir::parse {

void ByteStream::consume() {
  if (at_ < text_.size()) ++at_;
}

std::size_t ByteStream::LA(ssize_t offset) {
  if (offset == 0) return 0;
  const auto at = static_cast<ssize_t>(at_) + (offset > 0 ? offset - 1 : offset);
  if (at < 0 || static_cast<std::size_t>(at) >= text_.size()) return antlr4::IntStream::EOF;
  return static_cast<unsigned char>(text_[static_cast<std::size_t>(at)]);
}

std::string ByteStream::getText(const antlr4::misc::Interval& interval) {
  if (interval.a < 0 || interval.b < interval.a) return "";
  const auto from = static_cast<std::size_t>(interval.a);
  if (from >= text_.size()) return "";
  return std::string(text_.substr(from, static_cast<std::size_t>(interval.b - interval.a) + 1));
}

}  // namespace weir::parse
