#pragma once

#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "runtime/entry/bind.h"
#include "runtime/entry/fake_program.h"
#include "runtime/exec/input_buffer.h"
#include "runtime/exec/run.h"
#include "runtime/files/test_folder.h"

/// For tests: runs of the hand-written program on a folder of its own, in this process or in a child that may be
/// killed, with everything that was decided on record.
namespace weir::entry::fake {

inline Flags flags_of(std::uint64_t records, std::uint32_t workers) {
  Flags flags;
  flags.checkpoint = exec::CheckpointMode::records;
  flags.checkpoint_records = records;
  flags.parallelism = workers;
  return flags;
}

inline std::string random_lines(std::mt19937& random, int lines) {
  std::string text;
  std::int64_t time = static_cast<std::int64_t>(random() % 40) - 20;
  for (int line = 0; line < lines; ++line) {
    time += static_cast<std::int64_t>(random() % 7) - 1;
    std::int64_t jitter = random() % 8 == 0 ? -static_cast<std::int64_t>(random() % 40) : 0;
    if (random() % 17 == 0) {
      text += "not a record\n";
    } else if (random() % 23 == 0) {
      text += "\n";
    } else {
      text += fmt::format("{}{} {} {}\n", static_cast<char>('a' + random() % 3), random() % 5, time + jitter,
                          random() % 1000);
    }
  }
  if (!text.empty() && random() % 3 == 0) text.pop_back();
  return text;
}

class Harness {
 public:
  Harness() {
    std::filesystem::create_directories(folder_ / "in");
    plan_.pattern_a = folder_ / "in/a*";
    plan_.pattern_b = folder_ / "in/b*";
    plan_.out = folder_ / "out";
  }

  PlanText& plan() { return plan_; }
  std::string path(std::string_view name) const { return folder_ / name; }
  std::string input(const std::string& name, const std::string& contents) const {
    std::string where = folder_ / ("in/" + name);
    std::ofstream(where, std::ios::binary | std::ios::trunc) << contents;
    return where;
  }
  void append(const std::string& name, const std::string& contents) const {
    std::ofstream(folder_ / ("in/" + name), std::ios::binary | std::ios::app) << contents;
  }

  struct Ended {
    Result<void> result;
    exec::RunReport report;
    std::vector<std::string> messages;
  };
  /// `decided` is called for every decided epoch; it may ask for a stop.
  using Decided = std::function<void(const protocol::Manifest&, exec::StopRequest&)>;
  Ended run(Flags flags, const Decided& decided = nullptr, files::Files* files = nullptr,
            std::optional<files::FailOrder> order = std::nullopt) {
    std::string text = plan_text(plan_);
    weir_program_t program = code(text);
    flags.state_folder = folder_ / "state";
    auto system = files::make_system_files();
    std::vector<files::FailOrder> orders;
    if (order) orders.push_back(*order);
    auto failpoints = files::Failpoints::make(orders, "");
    base::SystemClock clock;
    base::SystemRandom random;
    base::MemoryLogger logger;
    files::Host host{files ? *files : *system, **failpoints, clock, random, logger};
    auto plan = exec::read_plan(text);
    if (!plan) return {std::unexpected(plan.error()), {}, {}};
    auto bound = BoundProgram::make(program, *plan, flags);
    if (!bound) return {std::unexpected(bound.error()), {}, {}};
    exec::StopRequest stop;
    exec::Phase phase;
    exec::Observer observer;
    observer.decided = [&](const protocol::Manifest& manifest) {
      record(manifest);
      if (decided) decided(manifest, stop);
    };
    exec::Run run((*bound)->program(), (*bound)->options(), observer,
                  [&] { return (*bound)->connectors(host); }, host, stop, phase);
    Result<void> result = run.run();
    return {std::move(result), run.report(), std::move(logger.messages)};
  }

  /// The same in a child process. The signal that ended it, or 0 and the exit code 0 or 1.
  struct Child {
    int signal = 0;
    int exit = 0;
  };
  Child run_in_child(const Flags& flags, std::optional<files::FailOrder> order, bool lossy = false,
                     const Decided& decided = nullptr) {
    pid_t child = ::fork();
    if (child == 0) {
      ::setenv("WEIR_FILES", lossy ? "lossy" : "system", 1);
      auto layer = files::make_files_from_environment();
      Ended ended = run(flags, decided, layer->get(), order);
      if (!ended.result) fmt::print(stderr, "{}\n", ended.result.error().to_string());
      ::_exit(ended.result ? 0 : ended.result.error().is(RunError::fenced) ? 4 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) return {WTERMSIG(status), 0};
    return {0, WEXITSTATUS(status)};
  }

  /// A child that suspends itself at a failpoint; `wake` lets it go on and gives its exit code.
  pid_t suspended_child(const Flags& flags, files::FailOrder order) {
    order.action = files::FailAction::stop;
    pid_t child = ::fork();
    if (child == 0) {
      Ended ended = run(flags, nullptr, nullptr, order);
      ::_exit(ended.result ? 0 : ended.result.error().is(RunError::fenced) ? 4 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    return child;
  }
  static int wake(pid_t child) {
    ::kill(child, SIGCONT);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Everything decided so far, by the manifests and the staged files that they name.
  Output decided() const {
    Output output;
    for (const auto& [sink, files] : contents_)
      for (const auto& [name, rows] : files) add_rows(output, sink, rows);
    return output;
  }

  /// Everything that a plain listing of the target folders shows.
  Output published() const {
    Output output;
    for (const char* sink : {"evens", "sums", "letters", "late", "rejected"}) {
      std::error_code none;
      for (const auto& entry :
           std::filesystem::directory_iterator(folder_ / ("out/" + std::string(sink)), none)) {
        std::string name = entry.path().filename();
        if (!name.starts_with(".") && !name.starts_with("_")) add_rows(output, sink, read(entry.path()));
      }
    }
    return output;
  }

  /// Every file below the test's folder but the lock, with its contents.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
      if (entry.is_regular_file() && entry.path().filename() != "LOCK")
        all[entry.path()] = read(entry.path());
    return all;
  }

  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  void record(const protocol::Manifest& manifest) {
    for (const protocol::SinkState& sink : manifest.sinks)
      for (const protocol::StagedFile& file : sink.files) {
        std::string staged = read(sink.target + "/" + file.staged);
        if (staged.empty()) staged = read(sink.target + "/" + file.name);
        contents_[sink.name][file.name] = staged.substr(0, file.length);
      }
  }

  files::TestFolder folder_;
  PlanText plan_;
  std::map<std::string, std::map<std::string, std::string>> contents_;  // by sink, by final name
};

}  // namespace weir::entry::fake
