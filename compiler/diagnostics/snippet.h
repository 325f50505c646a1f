// Draws labelled spans under the source lines that they stand on. Used by the text renderer only.
#pragma once

#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.h"
#include "compiler/diagnostics/render.h"
#include "compiler/source/files.h"

namespace weir::diagnostics {

// Colours of a drawing; empty strings without colour.
struct Palette {
  std::string error, warning, note, frame, secondary, added, removed, bold, reset;
  static Palette of(bool colour);
  const std::string& severity(Severity severity) const;
};

// Width of the largest line number of all spans.
std::size_t number_width(const Diagnostic& diagnostic, const source::Files& files);

// The " --> file:line:column" block and the lines of each file that `diagnostic` marks, the primary's file first.
// Every line ends with \n.
std::string draw_snippet(const Diagnostic& diagnostic, const source::Files& files, std::size_t number_width,
                         const Palette& palette, const RenderOptions& options);

// The lines that `suggestion` changes as a diff.
std::string draw_suggestion(const Suggestion& suggestion, const source::Files& files,
                            std::size_t number_width, const Palette& palette, const RenderOptions& options);

}  // namespace weir::diagnostics
