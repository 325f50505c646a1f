// What all parts of checking share. Lives for one check; not thread safe.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/catalog/functions.h"
#include "compiler/check/functions.h"
#include "compiler/check/type_expr.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"
#include "compiler/resolve/symbols.h"
#include "compiler/source/files.h"

namespace weir::check {

using diagnostics::Code;
using diagnostics::Diagnostic;
using source::Span;

struct Context {
  Context(const source::Files& all_files, const resolve::Symbols& all_symbols,
          const catalog::Functions& functions_known, diagnostics::Diagnostics& findings);

  const source::Files& files;
  const resolve::Symbols& symbols;
  const catalog::Functions& library;
  diagnostics::Diagnostics& out;
  Types types;
  FunctionTable functions;
  std::vector<flow::Param> params;
  std::map<std::string, int, std::less<>> param_index;
  std::vector<bool> param_computed;  // reaches more than addresses

  // The source text, on one line and shortened, for messages.
  std::string text(Span span) const;
  // The source text as it stands, for edits.
  std::string raw(Span span) const;
  // Reports that something is not supported yet. `way_out` is what to write instead.
  Diagnostic& unsupported(Span span, const std::string& what, std::string way_out);
};

}  // namespace weir::check
