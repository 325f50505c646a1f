#include "compiler/parse/chunk_source.h"

namespace weir::parse {

ChunkSource::ChunkSource(const Chunk& chunk, const std::vector<Token>& tokens, std::string_view text)
    : chunk_(chunk), tokens_(tokens), stream_(text) {}

std::unique_ptr<antlr4::Token> ChunkSource::nextToken() {
  const std::pair<antlr4::TokenSource*, antlr4::CharStream*> origin(this, &stream_);
  if (next_ < chunk_.tokens.size()) {
    const Token& token = tokens_[chunk_.tokens[next_++]];
    return std::make_unique<antlr4::CommonToken>(origin, token.kind, antlr4::Token::DEFAULT_CHANNEL,
                                                 token.offset, token.end() - 1);
  }
  const std::size_t end = chunk_.tokens.empty() ? 0 : tokens_[chunk_.tokens.back()].end();
  return std::make_unique<antlr4::CommonToken>(origin, antlr4::Token::EOF, antlr4::Token::DEFAULT_CHANNEL,
                                               end, end);
}

}  // namespace weir::parse
