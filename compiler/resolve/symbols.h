// What a program declares, by name. Pointers are into the syntax tree, which must outlive the table.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/declarations.h"
#include "compiler/diagnostics/diagnostic.h"

namespace weir::resolve {

using source::Span;

enum class StreamKind {
  source,
  stream,
  table,     // `table N = …` and `table N: T from …`
  rejected,  // what `on error to` feeds
  late,      // what `on late to` feeds
};

struct Stream {
  StreamKind kind = StreamKind::stream;
  std::string name;
  const ast::Decl* decl = nullptr;              // source, stream, table
  std::vector<const ast::SourceDecl*> sources;  // rejected, late: what feeds it, in written order
  Span span;                                    // the name where it is declared first
};

// Types, functions, params and streams have a space of names each; they are told apart by where they stand.
struct Symbols {
  const ast::PipelineDecl* pipeline = nullptr;
  std::map<std::string, const ast::Decl*, std::less<>> types;      // records and enums
  std::map<std::string, const ast::Decl*, std::less<>> functions;  // FnDecl and ExternFnDecl
  std::map<std::string, const ast::FnDecl*, std::less<>> prelude;  // of the standard library
  std::map<std::string, const ast::ParamDecl*, std::less<>> params;
  std::map<std::string, Stream, std::less<>> streams;

  // In written order, duplicates left out.
  std::vector<const ast::FnDecl*> function_order;
  std::vector<const ast::ParamDecl*> param_order;
  std::vector<const ast::RecordTypeDecl*> type_order;
  std::vector<std::string> stream_order;
  std::vector<const ast::SinkDecl*> sinks;
  std::vector<const ast::TestDecl*> tests;
};

// Collects the declarations of `modules`, the script's own first. Reports names that are declared twice; the first wins.
Symbols collect(const std::vector<const ast::Module*>& modules,
                const std::vector<const ast::Module*>& prelude, diagnostics::Diagnostics& out);

// Names the nearest candidate in the finding, with the edit. False if none is near.
bool did_you_mean(diagnostics::Diagnostic& finding, Span span, std::string_view word,
                  const std::vector<std::string>& candidates);

// The name of the declaration, empty for `use` and tests.
const ast::Name* name_of(const ast::Decl& decl);

}  // namespace weir::resolve
