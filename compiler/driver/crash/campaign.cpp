#include "compiler/driver/crash/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "compiler/driver/crash/output.h"
#include "compiler/driver/crash/process.h"

namespace weir::driver::crash {
namespace {

namespace fs = std::filesystem;

// One case: the orders of consecutive runs in one folder; the last run has no order and must end well.
struct Case {
  Mode mode;
  std::string point;                // that this case is about
  std::vector<std::string> orders;  // WEIR_FAILPOINT of each run that is to be killed
  bool stop = false;                // the first order suspends the program; it is then asked to stop
};

std::string describe_case(const Case& item) {
  return fmt::format("{} ({})", fmt::join(item.orders, ", then "), item.mode.name);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string last_lines(const std::string& text) {
  constexpr std::size_t kLimit = 600;
  return text.size() <= kLimit ? text : "…" + text.substr(text.size() - kLimit);
}

// First crashes that are kept for a recovery point.
constexpr std::size_t most_bases = 8;

class Campaign {
 public:
  Campaign(const Plan& plan, const std::function<void(const std::string&)>& progress)
      : plan_(plan), progress_(progress) {}

  Report run();

 private:
  struct Step {
    Ending ending;
    Hits hits;
    std::string output;
  };

  bool measure();
  bool undisturbed(const Mode& mode, Hits& hits);
  bool stopped(const Mode& mode, Hits& hits);
  std::vector<Mode> modes() const;
  void execute(std::vector<Case> cases);
  void try_case(const Case& item, std::size_t number);
  void recovery_cases(std::size_t attempt, std::vector<Case>& cases);
  void fail(const Case& item, const std::string& found);
  void finish();

  Command command(const std::string& folder, const Mode& mode, std::size_t run) const;
  Step step(const std::string& folder, const Case& item, std::size_t run);

  const Plan& plan_;
  const std::function<void(const std::string&)>& progress_;
  Report report_;
  Output expected_;
  std::mutex mutex_;  // guards everything below and report_
  struct Tally {
    std::uint64_t crashes = 0;
    std::uint64_t passed = 0;
  };
  std::map<std::string, Tally> tally_;
  // Recovery point in a mode -> cases whose last run hit it.
  std::map<std::string, std::vector<Case>> recoveries_;
  std::set<std::string> second_crashes_;  // recovery points in a mode that a second crash came to
  std::size_t done_ = 0;
  std::size_t planned_ = 0;
  std::size_t folders_ = 0;
};

Command Campaign::command(const std::string& folder, const Mode& mode, std::size_t run) const {
  Command result;
  result.arguments = {plan_.app};
  result.arguments.insert(result.arguments.end(), plan_.flags.begin(), plan_.flags.end());
  result.arguments.insert(result.arguments.end(),
                          {"--state", folder + "/state", "--redirect-sinks", folder + "/out", "--until-end",
                           "--summary", folder + "/summary.json"});
  const std::uint64_t records = report_.checkpoint_records;
  result.arguments.push_back("--checkpoint=" +
                             (records == 0 ? std::string("never") : fmt::format("{}rec", records)));
  if (mode.roll_each) result.arguments.push_back("--roll-every=0s");
  result.environment = {{"WEIR_FAILPOINT_LOG", fmt::format("{}/hits-{}", folder, run)},
                        {"WEIR_FAILPOINT", ""},
                        {"WEIR_FILES", mode.lossy ? "lossy" : ""},
                        {"WEIR_JOURNAL_EPOCHS", "2"}};  // for checkpoints and journals in few epochs
  result.output = folder + "/output";
  return result;
}

Campaign::Step Campaign::step(const std::string& folder, const Case& item, std::size_t run) {
  Command process = command(folder, item.mode, run);
  if (run < item.orders.size()) process.environment[1].second = item.orders[run];
  Step result;
  result.ending = crash::run(process, plan_.limit, item.stop && run == 0 ? SIGTERM : 0);
  result.hits = parse_hits(read_file(fmt::format("{}/hits-{}", folder, run)));
  result.output = read_file(process.output);
  return result;
}

// Size of the input: a run without barriers before the end.
bool Campaign::measure() {
  const std::string folder = plan_.folder + "/measure";
  fs::create_directories(folder);
  const Case item{{"undisturbed", false, false}, "", {}, false};
  const Step run = step(folder, item, 0);
  if (!run.ending.succeeded()) {
    report_.refusal = fmt::format("the undisturbed run ended with {}:\n{}", describe(run.ending), run.output);
    return false;
  }
  const auto summary = nlohmann::json::parse(read_file(folder + "/summary.json"), nullptr, false);
  if (!summary.is_discarded() && summary.contains("sources")) {
    for (const auto& source : summary["sources"]) report_.records += source.value("read", std::uint64_t{0});
  }
  expected_ = read_output(folder + "/out", plan_.sinks);
  report_.rows = row_count(expected_);
  if (report_.records < 10) {
    report_.refusal =
        fmt::format("the input has {} records; at least 10 are needed for several epochs", report_.records);
    return false;
  }
  report_.checkpoint_records = plan_.checkpoint_records != 0
                                   ? plan_.checkpoint_records
                                   : std::max<std::uint64_t>(1, report_.records / 10);
  return true;
}

bool Campaign::undisturbed(const Mode& mode, Hits& hits) {
  const std::string folder = fmt::format("{}/undisturbed-{}", plan_.folder, folders_++);
  fs::create_directories(folder);
  const Step run = step(folder, {mode, "", {}, false}, 0);
  hits = run.hits;
  const Output output = read_output(folder + "/out", plan_.sinks);
  std::string found = run.ending.succeeded() ? difference(expected_, output)
                                             : describe(run.ending) + "\n" + last_lines(run.output);
  if (found.empty()) return true;
  report_.failures.push_back({fmt::format("no crash at all ({})", mode.name), found, ""});
  return false;
}

// A run that is asked to stop in its fourth epoch.
bool Campaign::stopped(const Mode& mode, Hits& hits) {
  const std::string folder = fmt::format("{}/stopped-{}", plan_.folder, folders_++);
  fs::create_directories(folder);
  const Step run = step(folder, {mode, "", {"barrier_before@4:stop"}, true}, 0);
  hits = run.hits;
  if (run.ending.succeeded()) return true;
  report_.failures.push_back(
      {fmt::format("SIGTERM ({})", mode.name), describe(run.ending) + "\n" + last_lines(run.output), ""});
  return false;
}

std::vector<Mode> Campaign::modes() const {
  std::vector<Mode> all;
  for (bool roll_each : {true, false}) {
    for (bool lossy : {false, true}) {
      if (plan_.quick && roll_each != lossy) continue;
      all.push_back({fmt::format("{}, files roll {}", lossy ? "unsynced lost" : "page cache kept",
                                 roll_each ? "each epoch" : "at the end"),
                     lossy, roll_each});
    }
  }
  return all;
}

void Campaign::fail(const Case& item, const std::string& found) {
  std::string lines;
  for (std::size_t run = 0; run <= item.orders.size(); ++run) {
    Command process = command("$DIR", item.mode, run);
    if (run < item.orders.size()) process.environment[1].second = item.orders[run];
    lines += "\n    ";
    for (const auto& [name, value] : process.environment) {
      if (!value.empty() && name != "WEIR_FAILPOINT_LOG") lines += name + "=" + value + " ";
    }
    lines += fmt::format("{}", fmt::join(process.arguments, " "));
  }
  report_.failures.push_back({describe_case(item), found, lines});
}

void Campaign::try_case(const Case& item, std::size_t number) {
  const std::string folder = fmt::format("{}/case-{}", plan_.folder, number);
  fs::create_directories(folder);
  bool crashed = true;
  std::string found;
  Step last;
  for (std::size_t run = 0; run <= item.orders.size() && found.empty(); ++run) {
    last = step(folder, item, run);
    const bool to_be_killed = run < item.orders.size();
    if (to_be_killed && last.ending.succeeded()) {
      crashed = false;  // this run did not come by that often: no crash, but it must be right all the same
      break;
    }
    if (to_be_killed ? !last.ending.killed() : !last.ending.succeeded()) {
      found =
          fmt::format("run {} ended with {}\n{}", run + 1, describe(last.ending), last_lines(last.output));
    }
  }
  if (crashed || found.empty()) found += difference(expected_, read_output(folder + "/out", plan_.sinks));
  std::error_code ignored;
  fs::remove_all(folder, ignored);

  const std::lock_guard lock(mutex_);
  if (!found.empty()) fail(item, found);
  Tally& tally = tally_[item.point];
  if (crashed) {
    ++tally.crashes;
    if (found.empty()) ++tally.passed;
    if (item.orders.size() > 1) second_crashes_.insert(item.point + " " + item.mode.name);
    for (const auto& [point, epochs] : last.hits) {
      std::vector<Case>& bases = recoveries_[point + " " + item.mode.name];
      if (item.orders.size() == 1 && bases.size() < most_bases) bases.push_back(item);
    }
  }
  ++done_;
  progress_(fmt::format("{} of {} crashes, {} failed", done_, planned_, report_.failures.size()));
}

void Campaign::execute(std::vector<Case> cases) {
  planned_ += cases.size();
  std::atomic<std::size_t> next{0};
  const std::size_t first = folders_;
  folders_ += cases.size();
  auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) try_case(cases[i], first + i);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, plan_.jobs); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

// A second crash, while the first is being recovered from. With several workers a first crash does not leave the same to
// recovery each time: points that were not come to are tried after another first crash.
void Campaign::recovery_cases(std::size_t attempt, std::vector<Case>& cases) {
  for (const Mode& mode : modes()) {
    for (const Point& info : points()) {
      if (info.step != "recovery" && info.step != "start") continue;
      const std::string key = std::string(info.name) + " " + mode.name;
      const auto bases = recoveries_.find(key);
      if (bases == recoveries_.end() || attempt >= bases->second.size() || second_crashes_.contains(key))
        continue;
      Case item = bases->second[attempt];
      item.point = info.name;
      item.orders.push_back(fmt::format("{}@1", info.name));
      cases.push_back(item);
    }
  }
}

void Campaign::finish() {
  for (const Point& info : points()) {
    PointResult result{std::string(info.name), std::string(info.step), reachable(info.needs, plan_.features),
                       0, 0};
    const auto tally = tally_.find(result.point);
    if (tally != tally_.end()) {
      result.crashes = tally->second.crashes;
      result.passed = tally->second.passed;
    }
    report_.points.push_back(result);
  }
}

Report Campaign::run() {
  if (!measure()) return report_;
  std::vector<Case> cases;
  for (const Mode& mode : modes()) {
    Hits hits;
    undisturbed(mode, hits);
    const auto barriers = hits.find("barrier_before");
    if (barriers != hits.end())
      report_.epochs = std::max<std::uint64_t>(report_.epochs, barriers->second.size());
    Hits stop_hits;
    stopped(mode, stop_hits);
    for (const Point& info : points()) {
      const std::string name(info.name);
      if (const auto hit = hits.find(name); hit != hits.end()) {
        std::vector<std::uint64_t> chosen = occurrences(info.step, hit->second);
        if (plan_.quick) chosen = {chosen[chosen.size() / 2]};
        for (std::uint64_t n : chosen) cases.push_back({mode, name, {fmt::format("{}@{}", name, n)}, false});
      } else if (const auto stop = stop_hits.find(name); stop != stop_hits.end() && info.step != "start") {
        cases.push_back(
            {mode, name, {fmt::format("barrier_before@4:stop,{}@{}", name, stop->second.size())}, true});
      }
    }
  }
  execute(cases);
  for (std::size_t attempt = 0; attempt < most_bases; ++attempt) {
    cases.clear();
    recovery_cases(attempt, cases);
    execute(cases);
  }
  finish();
  return report_;
}

}  // namespace

bool Report::passed() const {
  if (!refusal.empty() || !failures.empty()) return false;
  return std::all_of(points.begin(), points.end(), [](const PointResult& point) {
    return !point.applies || (point.crashes > 0 && point.passed == point.crashes);
  });
}

Report run_campaign(const Plan& plan, const std::function<void(const std::string&)>& progress) {
  return Campaign(plan, progress).run();
}

}  // namespace weir::driver::crash
