// The front half in one call: a script with all that it uses becomes a checked flow program.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/analyse/analyse.h"
#include "compiler/ast/declarations.h"
#include "compiler/ast/tree.h"
#include "compiler/build_flow/build.h"
#include "compiler/diagnostics/diagnostic.h"
#include "compiler/flow/flow.h"
#include "compiler/source/files.h"

namespace weir::driver {

// Everything that one compilation owns; findings and spans refer to `files`.
struct Front {
  source::Files files;
  ast::Tree tree;
  std::deque<ast::Module> modules;  // the script first, then what it uses
  std::deque<ast::Module> prelude;
  diagnostics::Diagnostics findings;     // sorted
  std::optional<flow::Program> program;  // nothing if there are errors
  std::vector<build_flow::Test> tests;
  std::optional<analyse::Analysis> analysis;  // nothing if no flow could be built
  std::string mistake;  // of the compiler: what is wrong with the flow that it built; mostly empty
};

// The bytes of a regular file; nothing if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path);

// Texts that stand in for files that a script uses, by overlay_name(path).
using Overlay = std::map<std::string, std::string>;
std::string overlay_name(const std::string& path);

// Checks a text that is in memory, under the name `path`; suggestions are as they were made. `use` is resolved beside
// it.
std::unique_ptr<Front> check_text(const std::string& path, std::string text, const Overlay& overlay = {});

// A flow in its text form. nullptr if it cannot be read or is not sound.
std::unique_ptr<Front> read_flow(const std::string& path, const std::string& text, std::string& error);

}  // namespace weir::driver
