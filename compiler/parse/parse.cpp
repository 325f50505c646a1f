#include "compiler/parse/parse.h"

#include <algorithm>

#include <fmt/core.h>

#include "compiler/base/text.h"
#include "compiler/parse/big_stack.h"
#include "compiler/parse/builder.h"
#include "compiler/parse/chunk_source.h"
#include "compiler/parse/messages.h"
#include "compiler/parse/repair.h"
#include "compiler/parse/split.h"
#include "compiler/parse/stub.h"
#include "compiler/parse/verify.h"

namespace weir::parse {

namespace {

using diagnostics::Code;

// One chunk's parser with what it needs to live.
class ChunkParser {
 public:
  ChunkParser(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
              diagnostics::Diagnostics& out)
      : chunk_(chunk),
        tokens_(tokens),
        file_(file),
        out_(out),
        source_(chunk, tokens, file.text()),
        stream_(&source_),
        parser_(&stream_) {
    parser_.removeErrorListeners();
  }

  // Parses by `rule`: first without full context and without recovery, which is enough for nearly every right text.
  // The parse tree lives as long as this object.
  template <typename Context>
  Context* parse(Context* (Parser::*rule)()) {
    auto* simulator = parser_.getInterpreter<antlr4::atn::ParserATNSimulator>();
    simulator->setPredictionMode(antlr4::atn::PredictionMode::SLL);
    parser_.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
    try {
      return (parser_.*rule)();
    } catch (const antlr4::ParseCancellationException&) {
    }
    parser_.reset();
    simulator->setPredictionMode(antlr4::atn::PredictionMode::LL);
    const auto messages = std::make_shared<Messages>(chunk_, tokens_, file_, out_);
    parser_.setErrorHandler(messages);
    Context* tree = (parser_.*rule)();
    failed_ = messages->failed();
    return tree;
  }

  bool failed() const { return failed_; }

 private:
  const Chunk& chunk_;
  const std::vector<Token>& tokens_;
  const source::File& file_;
  diagnostics::Diagnostics& out_;
  ChunkSource source_;
  antlr4::CommonTokenStream stream_;
  Parser parser_;
  bool failed_ = false;
};

bool readable(const source::File& file, diagnostics::Diagnostics& out, const Limits& limits) {
  const std::string_view text = file.text();
  if (text.size() > limits.bytes) {
    out.report(Code::too_large, {file.id(), 0, 0},
               fmt::format("a script of more than {} MiB", limits.bytes >> 20))
        .label(fmt::format("{} bytes", text.size()))
        .help("data belongs into files that a `source` or a `table` reads");
    return false;
  }
  if (const std::size_t at = base::find_invalid_utf8(text); at != std::string_view::npos) {
    out.report(Code::not_utf8, {file.id(), static_cast<std::uint32_t>(at), 1}, "this byte is not UTF-8")
        .label(fmt::format("byte 0x{:02X}", static_cast<unsigned char>(text[at])))
        .help("save the script as UTF-8");
    return false;
  }
  return true;
}

// The documentation of the file: `///` lines at its start that an empty line parts from the first declaration.
std::string module_doc(const std::vector<Token>& tokens, std::string_view text) {
  std::string doc;
  for (const Token& token : tokens) {
    const std::string_view piece = text_of(token, text);
    if (token.kind == Parser::DOC_COMMENT) {
      if (!doc.empty()) doc += '\n';
      doc += piece.substr(piece.starts_with("/// ") ? 4 : 3);
    } else if (token.kind == Parser::SPACE) {
      if (!doc.empty() && std::count(piece.begin(), piece.end(), '\n') > 1) return doc;
    } else if (token.kind != Parser::BYTE_ORDER_MARK) {
      break;
    }
  }
  return "";
}

// From the first mistake in the chunk's text on.
source::Span unread_part(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
                         const diagnostics::Diagnostics& out) {
  const std::uint32_t begin = tokens[chunk.tokens.front()].offset;
  const std::uint32_t end = tokens[chunk.tokens.back()].end();
  std::uint32_t first = end;
  for (const diagnostics::Diagnostic& d : out.all()) {
    const std::uint32_t at = d.primary.span.offset;
    if (d.severity == diagnostics::Severity::error && at >= begin && at < first) first = at;
  }
  return {file.id(), first, end - first};
}

// What the builder finds on the line of a syntax error is mostly that error's consequence, and so is nearly all that it
// finds in a chunk whose brackets or strings are not closed.
void add_unless_known(diagnostics::Diagnostics& built, const source::File& file, std::uint32_t chunk_begin,
                      bool quiet, diagnostics::Diagnostics& out) {
  const auto line = [&](const diagnostics::Diagnostic& d) {
    return file.position(d.primary.span.offset).line;
  };
  for (diagnostics::Diagnostic& d : built.take()) {
    const bool of_one_word =
        d.code == Code::unknown_escape || d.code == Code::bad_number || d.code == Code::bad_timestamp;
    const bool known =
        std::any_of(out.all().begin(), out.all().end(), [&](const diagnostics::Diagnostic& other) {
          if (other.code != Code::unexpected_token || other.primary.span.offset < chunk_begin) return false;
          const bool same_place = other.primary.span.offset == d.primary.span.offset;
          return same_place || (!of_one_word && line(other) == line(d));
        });
    if (!known && (!quiet || of_one_word)) out.add(std::move(d));
  }
}

ast::Decl* parse_chunk(const Chunk& chunk, const std::vector<Token>& tokens, const source::File& file,
                       ast::Tree& tree, diagnostics::Diagnostics& out, const Limits& limits) {
  ast::Decl* decl = nullptr;
  bool failed = chunk.quiet || chunk.skip;
  if (!chunk.skip) {
    ChunkParser parser(chunk, tokens, file, out);
    auto* ctx = parser.parse(&Parser::declaration);
    failed = failed || parser.failed();
    diagnostics::Diagnostics built;
    decl = Builder(tokens, chunk.tokens, file, tree, built, limits).declaration(ctx);
    add_unless_known(built, file, tokens[chunk.tokens.front()].offset, chunk.quiet, out);
  }
  if (decl == nullptr) decl = stub(chunk, tokens, file, tree);
  if (decl == nullptr) return nullptr;
  decl->broken = decl->broken || failed;
  if (decl->broken) decl->unread = unread_part(chunk, tokens, file, out);
  return decl;
}

// Returns where the chunks begin.
std::vector<std::uint32_t> parse_all(ast::Module& module, const source::File& file, ast::Tree& tree,
                                     diagnostics::Diagnostics& out, const Limits& limits) {
  std::vector<Token> tokens = lex(file.text());
  repair(tokens, file.id(), file.text(), out);
  const std::vector<Chunk> chunks = split(tokens, file.id(), file.text(), limits, out);
  module.doc = module_doc(tokens, file.text());
  std::vector<std::uint32_t> starts;
  for (const Chunk& chunk : chunks) {
    starts.push_back(tokens[chunk.tokens.front()].offset);
    ast::Decl* decl = parse_chunk(chunk, tokens, file, tree, out, limits);
    if (decl != nullptr) module.decls.push_back(decl);
  }
  return starts;
}

// A text that is one expression.
ast::Expr* parse_alone(const source::File& file, ast::Tree& tree, diagnostics::Diagnostics& out,
                       const Limits& limits) {
  std::vector<Token> tokens = lex(file.text());
  repair(tokens, file.id(), file.text(), out);
  const Chunk chunk = whole(tokens, file.id(), file.text(), limits, out);
  if (chunk.skip) return nullptr;
  ChunkParser parser(chunk, tokens, file, out);
  auto* ctx = parser.parse(&Parser::lone_expression);
  return Builder(tokens, chunk.tokens, file, tree, out, limits).expression(ctx->expr());
}

}  // namespace

ast::Module parse_file(source::FileId id, const source::Files& files, ast::Tree& tree,
                       diagnostics::Diagnostics& out, const Limits& limits) {
  const source::File& file = files.file(id);
  ast::Module module;
  module.file = id;
  if (!readable(file, out, limits)) return module;
  run_on_big_stack([&] {
    diagnostics::Diagnostics found(limits.findings);
    const auto starts = parse_all(module, file, tree, found, limits);
    keep_helpful_edits(found, file, starts,
                       [&](const source::File& edited, diagnostics::Diagnostics& edited_out) {
                         ast::Tree scratch;
                         ast::Module other;
                         parse_all(other, edited, scratch, edited_out, limits);
                       });
    for (diagnostics::Diagnostic& d : found.take()) out.add(std::move(d));
  });
  return module;
}

ast::Expr* parse_expression(source::FileId id, const source::Files& files, ast::Tree& tree,
                            diagnostics::Diagnostics& out, const Limits& limits) {
  const source::File& file = files.file(id);
  if (!readable(file, out, limits)) return nullptr;
  ast::Expr* result = nullptr;
  run_on_big_stack([&] {
    diagnostics::Diagnostics found(limits.findings);
    result = parse_alone(file, tree, found, limits);
    keep_helpful_edits(found, file, {},
                       [&](const source::File& edited, diagnostics::Diagnostics& edited_out) {
                         ast::Tree scratch;
                         parse_alone(edited, scratch, edited_out, limits);
                       });
    if (found.has_errors()) result = nullptr;
    for (diagnostics::Diagnostic& d : found.take()) out.add(std::move(d));
  });
  return result;
}

}  // namespace weir::parse
