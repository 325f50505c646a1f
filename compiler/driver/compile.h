// Script to executable: the stages in order, and where each can be printed.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "compiler/driver/command.h"

namespace weir::driver {

// The stages whose result can be printed instead of an executable.
enum class Stage { ast, flow, llvm, assembly, executable };

struct CompileOptions {
  std::string script;    // a script, or a flow program in its text form (*.flow); "-": standard input
  bool optimise = true;  // -O2, else -O0
  Stage stage = Stage::executable;
  std::filesystem::path output;  // of the executable
};

// What `stage` printed; empty for an executable, which then stands at `output`. Findings go to stderr; the error is the
// status to exit with.
std::expected<std::string, Exit> compile_script(const CompileOptions& options);

// "ast", "flow", "llvm", "asm"; anything else is no stage.
std::expected<Stage, std::string> stage_by_name(const std::string& name);

}  // namespace weir::driver
