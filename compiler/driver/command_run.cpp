// `weir run SCRIPT [-- FLAGS]`: builds, then becomes the program.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "compiler/driver/compile.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string script;
  int level = 2;
  std::vector<std::string> flags;
};

// Where the program of a script is kept between runs. A newer build replaces the name, never the file of a running one.
fs::path program_path(const std::string& script) {
  fs::path cache;
  if (const char* folder = getenv("XDG_CACHE_HOME"); folder != nullptr && folder[0] != '\0') {
    cache = folder;
  } else if (const char* home = getenv("HOME"); home != nullptr && home[0] != '\0') {
    cache = fs::path(home) / ".cache";
  } else {
    cache = fs::temp_directory_path();
  }
  std::error_code ignored;
  const std::string absolute = fs::absolute(script, ignored).lexically_normal().string();
  const std::string stem = script == "-" ? "stdin" : fs::path(script).stem().string();
  return cache / "weir" / "run" / fmt::format("{:016x}", std::hash<std::string>{}(absolute)) / stem;
}

int run(const RunOptions& options) {
  CompileOptions compile;
  compile.script = options.script;
  compile.optimise = options.level > 0;
  compile.output = program_path(options.script);
  const auto result = compile_script(compile);
  if (!result) return static_cast<int>(result.error());

  const std::string program = compile.output.string();
  std::vector<const char*> arguments = {program.c_str()};
  for (const std::string& flag : options.flags) arguments.push_back(flag.c_str());
  arguments.push_back(nullptr);
  execv(program.c_str(), const_cast<char* const*>(arguments.data()));
  fmt::print(stderr, "error: cannot start {}\n", program);
  return static_cast<int>(Exit::refused);
}

}  // namespace

void add_run(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      app.add_subcommand("run", "Compile a script and run it; flags of the program follow `--`");
  command->add_option("script", options->script, "The script")->required();
  command->add_option("-O", options->level, "Optimisation: 0 or 2 (default)")->check(CLI::IsMember({0, 2}));
  command->add_option("flags", options->flags, "Flags of the program");
  command->callback([options, &outcome] { outcome.status = run(*options); });
}

}  // namespace weir::driver
