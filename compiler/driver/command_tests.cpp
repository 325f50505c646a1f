// `weir test SCRIPT`: runs the tests of a script, each as a real program under several parallelisms.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/command.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/crash/process.h"
#include "compiler/driver/read_front.h"
#include "compiler/driver/test/compare.h"
#include "compiler/driver/test/program.h"
#include "compiler/flow/text.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

struct TestOptions {
  std::string script;
  std::string filter;
};

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "weir-test-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void print_differences(const std::vector<test::Difference>& differences) {
  for (const test::Difference& difference : differences) {
    if (!difference.missing.empty()) fmt::print("  expected in `{}`, not there:\n", difference.stream);
    for (const std::string& row : difference.missing) fmt::print("    {}\n", row);
    if (!difference.unexpected.empty()) fmt::print("  in `{}`, not expected:\n", difference.stream);
    for (const std::string& row : difference.unexpected) fmt::print("    {}\n", row);
  }
}

// True if the test passes; prints why not.
bool run_test(const Front& front, const build_flow::Test& test, const fs::path& folder) {
  for (const int parallelism : {1, 3}) {
    const fs::path place = folder / fmt::format("p{}", parallelism);
    const auto program = test::make_program(*front.program, test, place);
    if (!program) {
      fmt::print("  {}\n", program.error());
      return false;
    }
    const fs::path flow = place / "test.flow";
    std::ofstream(flow, std::ios::binary) << flow::print(*program);
    CompileOptions compile;
    compile.script = flow.string();
    compile.optimise = false;
    compile.output = place / "program";
    if (!compile_script(compile)) {
      fmt::print("  the test does not compile\n");
      return false;
    }
    const crash::Command command{{compile.output.string(), "--state", (place / "state").string(),
                                  "--parallelism", std::to_string(parallelism)},
                                 {},
                                 (place / "log").string()};
    const crash::Ending ending = crash::run(command, std::chrono::seconds(60));
    if (!ending.succeeded()) {
      fmt::print("  the program ended with {} (parallelism {}):\n{}", crash::describe(ending), parallelism,
                 read(place / "log"));
      return false;
    }
    const auto differences = test::compare(test, *front.program, front.files, place / "out");
    if (!differences.empty()) {
      fmt::print("  with parallelism {}:\n", parallelism);
      print_differences(differences);
      return false;
    }
  }
  return true;
}

int run(const TestOptions& options) {
  std::string error;
  const auto front = read_front(options.script, error);
  if (front == nullptr) {
    fmt::print(stderr, "weir: {}\n", error);
    return static_cast<int>(Exit::usage);
  }
  diagnostics::RenderOptions render;
  render.colour = isatty(STDERR_FILENO) != 0;
  std::fputs(diagnostics::render_text(front->findings, front->files, render).c_str(), stderr);
  if (!front->program) return static_cast<int>(Exit::refused);

  int passed = 0;
  int failed = 0;
  for (const build_flow::Test& test : front->tests) {
    if (test.title.find(options.filter) == std::string::npos) continue;
    const TemporaryFolder folder;
    if (folder.path().empty()) {
      fmt::print(stderr, "weir: no temporary folder can be made\n");
      return static_cast<int>(Exit::refused);
    }
    fmt::print("test \"{}\" ...\n", test.title);
    const bool ok = run_test(*front, test, folder.path());
    fmt::print("  {}\n", ok ? "ok" : "FAILED");
    std::fflush(stdout);
    ++(ok ? passed : failed);
  }
  if (passed + failed == 0 && !options.filter.empty()) {
    fmt::print(stderr, "weir: no test of {} has `{}` in its title:\n", options.script, options.filter);
    for (const build_flow::Test& test : front->tests) fmt::print(stderr, "  {}\n", test.title);
    return static_cast<int>(Exit::usage);
  }
  if (passed + failed == 0) fmt::print("{} has no tests\n", options.script);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return static_cast<int>(failed == 0 ? Exit::success : Exit::refused);
}

}  // namespace

void add_test(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<TestOptions>();
  CLI::App* command = app.add_subcommand("test", "Run the tests of a script");
  command->add_option("script", options->script, "The script, - for stdin")->required();
  command->add_option("--filter", options->filter, "Only tests whose title has this in it");
  command->callback([options, &outcome] { outcome.status = run(*options); });
}

}  // namespace weir::driver
