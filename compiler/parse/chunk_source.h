// The tokens of one chunk as ANTLR wants them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/parse/byte_stream.h"
#include "compiler/parse/split.h"
#include "compiler/parse/tokens.h"

namespace weir::parse {

// Token number n of the stream is token chunk.tokens[n] of the list; one EOF token follows, just after the last.
class ChunkSource final : public antlr4::TokenSource {
 public:
  // All arguments must outlive it.
  ChunkSource(const Chunk& chunk, const std::vector<Token>& tokens, std::string_view text);

  std::unique_ptr<antlr4::Token> nextToken() override;
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return &stream_; }
  std::string getSourceName() override { return "script"; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override { return &factory_; }

 private:
  const Chunk& chunk_;
  const std::vector<Token>& tokens_;
  ByteStream stream_;
  std::size_t next_ = 0;
  antlr4::CommonTokenFactory factory_;
};

}  // namespace weir::parse
