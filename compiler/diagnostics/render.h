// Findings as text for people and for programs. Pure: returns the text, writes nothing.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/source/files.h"

namespace weir::diagnostics {

enum class Format { text, json, sarif, github };

struct RenderOptions {
  bool colour = false;  // ANSI colours; only for a terminal
  int tab_width = 4;
};

// One finding drawn with its source lines, ends with a newline.
std::string render_text(const Diagnostic& diagnostic, const source::Files& files,
                        const RenderOptions& options = {});

// The first 100 findings, a blank line between them, then "2 errors, 1 warning". Empty for none.
std::string render_text(const Diagnostics& list, const source::Files& files,
                        const RenderOptions& options = {});

// One JSON array of objects {code, severity, title, message, file, line, column, end_line, end_column, …}.
// Columns count from 1 in bytes.
std::string render_json(const Diagnostics& list, const source::Files& files);

// SARIF 2.1.0 with the rules that occur, and fixes.
std::string render_sarif(const Diagnostics& list, const source::Files& files);

// Workflow commands ("::error file=…"), one a line.
std::string render_github(const Diagnostics& list, const source::Files& files);

std::string render(Format format, const Diagnostics& list, const source::Files& files,
                   const RenderOptions& options = {});

// The text of `file` with the suggestion's edits applied (those of other files are skipped).
// Overlapping edits: the later one is skipped.
std::string apply(const Suggestion& suggestion, const source::File& file);

}  // namespace weir::diagnostics
