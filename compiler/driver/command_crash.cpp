// `weir crash SCRIPT`: kills the compiled program at every crash point and checks that nothing is lost or doubled.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "compiler/driver/command.h"
#include "compiler/driver/crash/campaign.h"
#include "compiler/driver/crash/process.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

struct CrashOptions {
  std::string script;
  std::vector<std::string> binds;
  std::vector<std::string> sets;
  unsigned parallelism = 2;
  std::uint64_t checkpoint_records = 0;
  bool quick = false;
  bool keep = false;
  unsigned jobs = 2;
};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs a helper process; false with its output on stderr when it fails.
bool must_run(std::vector<std::string> arguments, const std::string& output) {
  const crash::Ending ending = crash::run({std::move(arguments), {}, output}, std::chrono::seconds(120));
  if (ending.succeeded()) return true;
  fputs(read(output).c_str(), stderr);
  return false;
}

// Reads what the program has from its own plan. An error text when it cannot be tested.
std::string describe_program(const std::string& plan_text, unsigned parallelism, crash::Plan& plan) {
  const auto json = nlohmann::json::parse(plan_text, nullptr, false);
  if (json.is_discarded()) return "the program's plan cannot be read";
  bool bounded = true;
  for (const auto& source : json["sources"]) {
    if (source["connector"] == "stdin") {
      return fmt::format(
          "source {} reads stdin, which cannot be read again after a crash; read a file instead",
          source["name"].get<std::string>());
    }
    bounded = bounded && !source.value("follow", false);
  }
  for (const auto& sink : json["sinks"]) {
    if (sink["connector"] == "file") plan.sinks.push_back(sink["name"]);
  }
  if (plan.sinks.empty()) return "no sink keeps its output: add a file sink";
  plan.features.words = {"sink", "again", "pending", "open", "rolled", "stop"};
  if (bounded) plan.features.words.insert("bounded");
  if (!json["operators"].empty()) {
    plan.features.words.insert("state");
    if (parallelism > 1) plan.features.words.insert("exchange");
  }
  return "";
}

void print(const crash::Report& report) {
  fmt::print("{} records, {} epochs of {} records, {} rows in the undisturbed run\n\n", report.records,
             report.epochs, report.checkpoint_records, report.rows);
  fmt::print("{:<10} {:<28} {:>8} {:>8}\n", "step", "crash point", "crashes", "passed");
  std::uint64_t crashes = 0;
  std::uint64_t passed = 0;
  for (const crash::PointResult& point : report.points) {
    if (!point.applies && point.crashes == 0) continue;
    const char* note = "";
    if (point.crashes == 0) {
      note = "  never hit";
    } else if (point.passed != point.crashes) {
      note = "  FAILED";
    }
    fmt::print("{:<10} {:<28} {:>8} {:>8}{}\n", point.step, point.point, point.crashes, point.passed, note);
    crashes += point.crashes;
    passed += point.passed;
  }
  for (const crash::Failure& failure : report.failures) {
    fmt::print("\nFAILED {}\n  {}\n", failure.what, failure.found);
    if (!failure.reproduce.empty()) fmt::print("  again, in an empty folder $DIR:{}\n", failure.reproduce);
  }
  fmt::print("\n{} crashes, {} recovered to the same output\n", crashes, passed);
}

int crash_script(const CrashOptions& options) {
  std::string folder = (fs::temp_directory_path() / "weir-crash-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    fmt::print(stderr, "error: no folder for the runs in {}\n", fs::temp_directory_path().string());
    return static_cast<int>(Exit::refused);
  }
  const std::unique_ptr<const std::string, void (*)(const std::string*)> cleanup(
      options.keep ? nullptr : &folder, [](const std::string* path) {
        std::error_code ignored;
        fs::remove_all(*path, ignored);
      });

  crash::Plan plan;
  plan.app = folder + "/app";
  plan.folder = folder;
  plan.quick = options.quick;
  plan.jobs = options.jobs;
  plan.checkpoint_records = options.checkpoint_records;
  plan.flags = {fmt::format("--parallelism={}", options.parallelism)};
  for (const std::string& bind : options.binds) plan.flags.push_back("--bind=" + bind);
  for (const std::string& set : options.sets) plan.flags.push_back("--set=" + set);

  const std::string self = fs::read_symlink("/proc/self/exe").string();
  if (!must_run({self, "build", options.script, "-o", plan.app}, folder + "/build-output")) {
    return static_cast<int>(Exit::refused);
  }
  if (!must_run({plan.app, "--plan"}, folder + "/plan.json")) return static_cast<int>(Exit::refused);
  const std::string refusal = describe_program(read(folder + "/plan.json"), options.parallelism, plan);
  if (!refusal.empty()) {
    fmt::print(stderr, "error: {}\n", refusal);
    return static_cast<int>(Exit::refused);
  }

  const bool terminal = isatty(STDERR_FILENO) != 0;
  auto said = std::chrono::steady_clock::now();
  const crash::Report report = run_campaign(plan, [&](const std::string& line) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal) {
      fmt::print(stderr, "\r{}\033[K", line);
    } else if (now - said > std::chrono::seconds(10)) {
      said = now;
      fmt::print(stderr, "{}\n", line);
    }
  });
  if (terminal) fputs("\r\033[K", stderr);
  if (!report.refusal.empty()) {
    fmt::print(stderr, "error: {}\n", report.refusal);
    return static_cast<int>(Exit::refused);
  }
  print(report);
  if (options.keep) fmt::print("kept in {}\n", folder);
  return report.passed() ? 0 : static_cast<int>(Exit::refused);
}

}  // namespace

void add_crash(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<CrashOptions>();
  CLI::App* command = app.add_subcommand(
      "crash", "Kill the program at every crash point, recover it, compare with an undisturbed run");
  command->add_option("SCRIPT", options->script, "the pipeline")->required();
  command->add_option("--bind", options->binds, "SOURCE=GLOB: read these files instead");
  command->add_option("--set", options->sets, "NAME=VALUE of a param");
  command->add_option("--parallelism", options->parallelism, "workers (default 2)")->check(CLI::Range(1, 64));
  command->add_option("--checkpoint-records", options->checkpoint_records,
                      "records per epoch (default: a tenth of the input)");
  command->add_flag("--quick", options->quick, "each point once in each of two modes, not of four");
  command->add_flag("--keep", options->keep, "keep the folder of the runs");
  command->add_option("--jobs", options->jobs, "runs at a time (default 2)")->check(CLI::Range(1, 64));
  command->callback([options, &outcome] { outcome.status = crash_script(*options); });
}

}  // namespace weir::driver
