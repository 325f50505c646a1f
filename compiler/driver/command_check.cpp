// `weir check SCRIPT`: findings on stderr, then the guarantee report on stdout.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/command.h"
#include "compiler/driver/read_front.h"
#include "compiler/driver/suggestions.h"

namespace weir::driver {
namespace {

struct CheckOptions {
  std::string script;
  std::string format = "text";
  std::string require;  // a guarantee that every sink must have; empty: none
  bool fix = false;
};

diagnostics::Format format_of(const std::string& name) {
  if (name == "json") return diagnostics::Format::json;
  if (name == "sarif") return diagnostics::Format::sarif;
  if (name == "github") return diagnostics::Format::github;
  return diagnostics::Format::text;
}

// False if the file could not be written.
bool apply_fixes(const Front& front, const std::string& script, int& applied) {
  const std::string text = fixed_script(front, script, applied);
  if (applied == 0) return true;
  std::ofstream out(script, std::ios::binary | std::ios::trunc);
  out << text;
  return static_cast<bool>(out.flush());
}

// Text is for people and goes to stderr; what programs read goes to stdout.
void print_findings(const CheckOptions& options, const Front& front) {
  diagnostics::RenderOptions render;
  render.colour = isatty(STDERR_FILENO) != 0 && options.format == "text";
  const std::string findings =
      diagnostics::render(format_of(options.format), front.findings, front.files, render);
  if (options.format != "json") {
    std::fputs(findings.c_str(), options.format == "text" ? stderr : stdout);
    return;
  }
  const bool reported = front.analysis.has_value() && !front.findings.has_errors();
  const std::string report = reported ? analyse::to_json(front.analysis->report) : "null\n";
  std::printf("{\"findings\": %s, \"report\": %s}\n", findings.c_str(), report.c_str());
}

int compare_with_required(const CheckOptions& options, const analyse::Report& report) {
  if (options.require.empty()) return static_cast<int>(Exit::success);
  const auto required = analyse::parse_guarantee(options.require);
  const analyse::Guarantee least = analyse::least_guarantee(report);
  if (least >= *required) return static_cast<int>(Exit::success);
  std::fprintf(stderr, "required: %s; the weakest sink: %s\n", options.require.c_str(),
               std::string(analyse::to_string(least)).c_str());
  return static_cast<int>(Exit::below);
}

std::string guarantee_error(const std::string& text) {
  return analyse::parse_guarantee(text).has_value()
             ? ""
             : "expected `exactly once`, `effectively once`, `at least once` or `best effort`";
}

int check(const CheckOptions& options) {
  std::string error;
  auto front = read_front(options.script, error);
  if (front == nullptr) {
    std::fprintf(stderr, "weir: %s\n", error.c_str());
    return static_cast<int>(Exit::usage);
  }
  if (options.fix && options.script != "-") {
    int applied = 0;
    if (!apply_fixes(*front, options.script, applied)) {
      std::fprintf(stderr, "weir: %s cannot be written\n", options.script.c_str());
      return static_cast<int>(Exit::refused);
    }
    if (applied > 0) {
      std::fprintf(stderr, "applied %d %s to %s\n", applied, applied == 1 ? "edit" : "edits",
                   options.script.c_str());
      front = read_front(options.script, error);
      if (front == nullptr) return static_cast<int>(Exit::refused);
    }
  }

  print_findings(options, *front);
  if (!front->mistake.empty()) {
    std::fprintf(stderr, "weir: a mistake of the compiler, please report it:\n%s", front->mistake.c_str());
    return static_cast<int>(Exit::refused);
  }
  if (front->findings.has_errors()) return static_cast<int>(Exit::refused);
  if (front->analysis && options.format == "text")
    std::fputs(analyse::to_text(front->analysis->report).c_str(), stdout);
  return front->analysis ? compare_with_required(options, front->analysis->report)
                         : static_cast<int>(Exit::success);
}

}  // namespace

void add_check(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check a script and say what it guarantees");
  command->add_option("script", options->script, "The script, - for stdin")->required();
  command->add_option("--format", options->format, "Form of the findings")
      ->check(CLI::IsMember({"text", "json", "sarif", "github"}));
  command
      ->add_option("--require", options->require, "The guarantee that every sink must have; exit 3 below it")
      ->check(guarantee_error);
  command->add_flag("--fix", options->fix,
                    "Apply the suggested edits that are the only one of their finding");
  command->callback([options, &outcome] { outcome.status = check(*options); });
}

}  // namespace weir::driver
