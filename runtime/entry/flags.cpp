#include "runtime/entry/flags.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <thread>

namespace weir::entry {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::pair<std::string, std::string>> parse_assignment(const std::string& text) {
  std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

/// Empty: fine.
std::string set_checkpoint(Flags& flags, const std::string& text) {
  if (text == "never") {
    flags.checkpoint = exec::CheckpointMode::never;
    return {};
  }
  if (text.ends_with("rec")) {
    auto records = parse_number(std::string_view(text).substr(0, text.size() - 3));
    if (!records || *records == 0)
      return "--checkpoint: the number of records must be at least 1, as in 100rec";
    flags.checkpoint = exec::CheckpointMode::records;
    flags.checkpoint_records = *records;
    return {};
  }
  auto every = parse_duration(text);
  if (!every || *every <= 0)
    return "--checkpoint takes a duration (10ms, 5s), a number of records (100rec), or never";
  flags.checkpoint = exec::CheckpointMode::time;
  flags.checkpoint_every_us = *every;
  return {};
}

std::string read_set_file(Flags& flags, const std::string& path) {
  std::ifstream in(path);
  if (!in) return fmt::format("--set-file: {} cannot be read", path);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    auto assignment = parse_assignment(line);
    if (!assignment) return fmt::format("--set-file: {}:{}: expected NAME=VALUE", path, number);
    flags.params.push_back(std::move(*assignment));
  }
  return {};
}

std::string check_names(const Flags& flags, const exec::Plan& plan) {
  for (const auto& [name, value] : flags.params)
    if (std::ranges::find(plan.params, name, &exec::ParamPlan::name) == plan.params.end())
      return fmt::format("--set {}: the program has no parameter of that name", name);
  for (const auto& [name, value] : flags.bindings) {
    auto source = std::ranges::find(plan.sources, name, &exec::SourcePlan::name);
    if (source == plan.sources.end())
      return fmt::format("--bind {}: the program has no source of that name", name);
    if (source->connector != exec::SourceConnector::file)
      return fmt::format("--bind {}: only a source of files can be bound to other files", name);
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> parse_duration(const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  auto number = parse_number(std::string_view(text).substr(0, digits));
  if (!number) return std::nullopt;
  std::string unit = text.substr(digits);
  std::uint64_t factor = unit == "us"   ? 1
                         : unit == "ms" ? 1'000
                         : unit == "s"  ? 1'000'000
                         : unit == "m"  ? 60'000'000
                         : unit == "h"  ? 3'600'000'000
                         : unit == "d"  ? 86'400'000'000
                                        : 0;
  std::uint64_t result = 0;
  if (factor == 0 || __builtin_mul_overflow(*number, factor, &result) || result > INT64_MAX)
    return std::nullopt;
  return static_cast<std::int64_t>(result);
}

ParsedFlags parse_flags(int count, const char* const* arguments, const exec::Plan& plan) {
  ParsedFlags parsed;
  Flags& flags = parsed.flags;
  flags.state_folder = plan.state_folder;
  flags.checkpoint_every_us = plan.checkpoint_every;
  flags.parallelism = plan.parallelism ? plan.parallelism : std::max(1u, std::thread::hardware_concurrency());

  std::string name = count > 0 ? arguments[0] : plan.pipeline;
  CLI::App app(
      fmt::format("Runs the pipeline {}. Relative paths are from the working folder.", plan.pipeline), name);
  std::string checkpoint;
  std::string stop_within;
  std::string roll_every;
  std::vector<std::string> sets;
  std::vector<std::string> set_files;
  std::vector<std::string> bindings;
  app.add_option("--state", flags.state_folder, "Where state lives (default: " + plan.state_folder + ")")
      ->type_name("DIR");
  // A new log counts from 1 again: whoever still writes to the old one has to be gone.
  auto* fresh = app.add_flag("--fresh", flags.fresh, "Forget the state and start over");
  app.add_flag("--replace-output", flags.replace_output,
               "With --fresh: remove the files that the earlier run of this pipeline published");
  app.add_flag(
         "--take-over", flags.take_over,
         "Take the state over from a process that still runs (not with --fresh: stop that process first)")
      ->excludes(fresh);
  app.add_flag("--verify-input", flags.verify_input,
               "Keep a checksum of all input that is read, for every later start to compare");
  app.add_option("--set", sets, "Set a parameter")->type_name("NAME=VALUE")->expected(1)->take_all();
  app.add_option("--set-file", set_files, "Set parameters from a file of NAME=VALUE lines")
      ->type_name("FILE");
  app.add_option("--bind", bindings, "Read a source from other files")
      ->type_name("SOURCE=GLOB")
      ->expected(1)
      ->take_all();
  app.add_option("--parallelism", flags.parallelism, "Number of workers")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  app.add_option("--checkpoint", checkpoint, "When to decide an epoch: 10ms, 5s, 100rec, never")
      ->type_name("D|Nrec|never");
  app.add_flag("--until-end", flags.until_end, "Stop followed sources where their files end now");
  app.add_flag("--drain", flags.drain, "Close all windows at the end of this run");
  app.add_option("--stop-within", stop_within, "How long a stop may take (default: 60s)")->type_name("D");
  app.add_flag("--guarantees", flags.guarantees, "Print the guarantee report and leave");
  app.add_option("--redirect-sinks", flags.redirect_sinks,
                 "Put every sink's files into a folder of its name in DIR")
      ->type_name("DIR");
  app.add_option("--roll-every", roll_every,
                 "Publish files of every sink when they are this old (0s: at each epoch)")
      ->type_name("D");
  app.add_flag("--plan", flags.plan, "Print what the compiler says about the program, as JSON, and leave");
  app.add_option("--summary", flags.summary_file, "Write counters as JSON to a file at the end")
      ->type_name("FILE");

  // CLI11 reports by exceptions; they end here.
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    parsed.exit = app.exit(error) == 0 && std::cout.flush() ? 0 : 2;
    return parsed;
  }

  auto refuse = [&](const std::string& message) {
    fmt::print(stderr, "weir: error: {}\n", message);
    parsed.exit = 2;
    return parsed;
  };
  if (!checkpoint.empty())
    if (std::string problem = set_checkpoint(flags, checkpoint); !problem.empty()) return refuse(problem);
  if (!stop_within.empty()) {
    auto within = parse_duration(stop_within);
    if (!within) return refuse("--stop-within takes a duration, as in 30s");
    flags.stop_within_us = *within;
  }
  if (!roll_every.empty()) {
    flags.roll_every_us = parse_duration(roll_every);
    if (!flags.roll_every_us) return refuse("--roll-every takes a duration, as in 10s");
  }
  for (const std::string& path : set_files)
    if (std::string problem = read_set_file(flags, path); !problem.empty()) return refuse(problem);
  for (const std::string& text : sets) {
    auto assignment = parse_assignment(text);
    if (!assignment) return refuse("--set " + text + ": expected NAME=VALUE");
    flags.params.push_back(std::move(*assignment));
  }
  for (const std::string& text : bindings) {
    auto assignment = parse_assignment(text);
    if (!assignment) return refuse("--bind " + text + ": expected SOURCE=GLOB");
    flags.bindings.push_back(std::move(*assignment));
  }
  if (std::string problem = check_names(flags, plan); !problem.empty()) return refuse(problem);
  if (flags.replace_output && !flags.fresh) return refuse("--replace-output is for use with --fresh");
  return parsed;
}

}  // namespace weir::entry
