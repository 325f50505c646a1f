// `weir build SCRIPT`: a native executable, or what a stage of the compiler made of the script.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "compiler/driver/compile.h"

namespace weir::driver {
namespace {

struct BuildOptions {
  std::string script;
  std::string output;
  std::string emit;
  int level = 2;
};

// To standard output, or to the file that was named.
int print_stage(const std::string& text, const std::string& output) {
  const bool named = !output.empty() && output != "-";
  const std::unique_ptr<FILE, int (*)(FILE*)> file(named ? fopen(output.c_str(), "wb") : nullptr,
                                                   [](FILE* f) { return f == nullptr ? 0 : fclose(f); });
  FILE* out = named ? file.get() : stdout;
  if (out == nullptr || fwrite(text.data(), 1, text.size(), out) != text.size() || fflush(out) != 0) {
    fmt::print(stderr, "error: cannot write {}: {}\n", named ? output : "standard output", strerror(errno));
    return static_cast<int>(Exit::refused);
  }
  return static_cast<int>(Exit::success);
}

int build(const BuildOptions& options) {
  CompileOptions compile;
  compile.script = options.script;
  compile.optimise = options.level > 0;
  if (!options.emit.empty()) {
    const auto stage = stage_by_name(options.emit);
    if (!stage) {
      fmt::print(stderr, "error: {}\n", stage.error());
      return static_cast<int>(Exit::usage);
    }
    compile.stage = *stage;
  }
  compile.output = options.output.empty() ? std::filesystem::path(options.script).stem()
                                          : std::filesystem::path(options.output);
  const auto result = compile_script(compile);
  if (!result) return static_cast<int>(result.error());
  if (options.emit.empty()) return static_cast<int>(Exit::success);
  return print_stage(*result, options.output);
}

}  // namespace

void add_build(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "Compile a script to a native executable");
  command->add_option("script", options->script, "The script")->required();
  command->add_option(
      "-o,--output", options->output,
      "The executable (default: named as the script, without ending), or the file for `--emit`");
  command->add_option("-O", options->level, "Optimisation: 0 or 2 (default)")->check(CLI::IsMember({0, 2}));
  command->add_option("--emit", options->emit, "Print a stage instead: ast, flow, llvm or asm");
  command->callback([options, &outcome] { outcome.status = build(*options); });
}

}  // namespace weir::driver
