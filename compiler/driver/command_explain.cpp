// `weir explain CODE`: what a finding means. `weir explain SCRIPT --…`: what the compiler derived of a script.
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "compiler/diagnostics/explain.h"
#include "compiler/diagnostics/render.h"
#include "compiler/driver/command.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/explain/crash_points.h"
#include "compiler/driver/explain/errors.h"
#include "compiler/driver/explain/plan.h"
#include "compiler/driver/read_front.h"

namespace weir::driver {
namespace {

struct ExplainOptions {
  std::string target;
  bool plan = false;
  bool identity = false;
  bool crash_points = false;
  std::string emit;
};

int explain_code(diagnostics::Code code) {
  std::fputs(diagnostics::explain(code).c_str(), stdout);
  return static_cast<int>(Exit::success);
}

int emit(const ExplainOptions& options) {
  CompileOptions compile;
  compile.script = options.target;
  compile.stage = *stage_by_name(options.emit);
  const auto text = compile_script(compile);
  if (!text) return static_cast<int>(text.error());
  std::fputs(text->c_str(), stdout);
  return static_cast<int>(Exit::success);
}

int explain_script(const ExplainOptions& options) {
  if (!options.emit.empty()) return emit(options);
  std::string error;
  const auto front = read_front(options.target, error);
  if (front == nullptr) {
    std::fprintf(stderr, "weir: %s\n", error.c_str());
    return static_cast<int>(Exit::usage);
  }
  diagnostics::RenderOptions render;
  render.colour = isatty(STDERR_FILENO) != 0;
  std::fputs(diagnostics::render_text(front->findings, front->files, render).c_str(), stderr);
  std::fputs(front->mistake.c_str(), stderr);
  if (!front->program || !front->analysis) return static_cast<int>(Exit::refused);
  if (options.plan) std::fputs(explain::plan(*front->program).c_str(), stdout);
  if (options.identity) {
    std::fputs(analyse::identity_listing(*front->program, *front->analysis).c_str(), stdout);
  }
  if (options.crash_points) std::fputs(explain::crash_points(*front->program).c_str(), stdout);
  const bool nothing = !options.plan && !options.identity && !options.crash_points;
  if (nothing) std::fputs(analyse::to_text(front->analysis->report).c_str(), stdout);
  return static_cast<int>(Exit::success);
}

int run_explain(const ExplainOptions& options) {
  std::error_code error;
  if (std::filesystem::exists(options.target, error)) return explain_script(options);
  if (const auto code = diagnostics::parse_code(options.target)) return explain_code(*code);
  if (const auto page = explain::error_page(options.target)) {
    std::fputs(page->c_str(), stdout);
    return static_cast<int>(Exit::success);
  }
  const std::string& target = options.target;
  if (target.size() == 5 && std::isalpha(static_cast<unsigned char>(target[0])) != 0 &&
      target.find_first_not_of("0123456789", 1) == std::string::npos) {
    std::fprintf(stderr, "weir: there is no code %s\n", target.c_str());
    return static_cast<int>(Exit::usage);
  }
  return explain_script(options);
}

}  // namespace

void add_explain(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      app.add_subcommand("explain", "Explain a code, or what the compiler derived of a script");
  command->add_option("target", options->target, "A code such as E0105, or a script (- for stdin)")
      ->required();
  command->add_flag("--plan", options->plan, "How the program runs: stages, exchanges, state");
  command->add_flag("--identity", options->identity, "What names the rows of each stream");
  command->add_flag("--crash-points", options->crash_points, "Where a crash matters, and what recovery does");
  command->add_option("--emit", options->emit, "Print what a stage made")
      ->check(CLI::IsMember({"ast", "flow", "llvm", "asm"}));
  command->callback([options, &outcome] { outcome.status = run_explain(*options); });
}

}  // namespace weir::driver
