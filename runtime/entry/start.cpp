#include "runtime/entry/start.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "runtime/entry/bind.h"
#include "runtime/entry/console.h"
#include "runtime/entry/flags.h"
#include "runtime/entry/signals.h"
#include "runtime/exec/plan.h"
#include "runtime/exec/run.h"

namespace weir::entry {
namespace {

constexpr int bad_use = 2;

int exit_code_of(const Status& status) {
  if (status.is(RunError::fenced)) return 4;
  if (status.is(RunError::bad_parameter)) return bad_use;
  return 1;
}

int refuse(const Status& status) {
  fmt::print(stderr, "weir: error: {}\n", status.to_string());
  return exit_code_of(status);
}

/// A standard stream that is closed would be the number of the next file that is opened: of the log, of an output.
void open_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", O_RDWR);
}

/// Every split has a file open.
void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

/// --fresh: the state goes, if nobody runs on it and the outputs may go too. A value: leave with it.
Result<std::optional<int>> start_over(files::Host& host, const BoundProgram& bound, const Flags& flags) {
  std::vector<std::string> claimed;
  for (const std::string& target : bound.targets()) {
    WEIR_TRY(bool there, files::exists(host.files, files::join(target, ".weir/claim.json")));
    if (there) claimed.push_back(target);
  }
  if (!claimed.empty() && !flags.replace_output) {
    std::string list;
    for (const std::string& target : claimed) list += "\n  " + target;
    fmt::print(stderr,
               "weir: error: starting over would leave the output of the earlier run in:{}\n"
               "weir: --fresh --replace-output removes exactly the files that it published\n",
               list);
    return bad_use;
  }
  WEIR_TRY(bool any, files::exists(host.files, flags.state_folder));
  if (!any) return std::nullopt;
  WEIR_TRY(auto lock,
           host.files.lock(files::join(flags.state_folder, "LOCK"), fmt::format("pid {}\n", ::getpid())));
  WEIR_CHECK(exec::remove_state(host, flags.state_folder));
  return std::nullopt;
}

}  // namespace

int start(const weir_program_t& code, int count, const char* const* arguments) {
  open_standard_streams();
  if (code.abi_version != WEIR_ABI_VERSION)
    return refuse(Status(RunError::plan_invalid,
                         fmt::format("the program was made for runtime interface {}, this is {}",
                                     code.abi_version, WEIR_ABI_VERSION)));
  std::string_view plan_text(code.plan.data, code.plan.size);
  auto plan = exec::read_plan(plan_text);
  if (!plan) return refuse(plan.error());
  ParsedFlags parsed = parse_flags(count, arguments, *plan);
  if (parsed.exit) return *parsed.exit;
  if (const char* epochs = std::getenv("WEIR_JOURNAL_EPOCHS"); epochs && *epochs)
    parsed.flags.journal_epochs = std::strtoull(epochs, nullptr, 10);
  const Flags& flags = parsed.flags;
  if (flags.plan || flags.guarantees) {
    const std::string text = fmt::format("{}\n", flags.plan ? plan_text : std::string_view(plan->report));
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
    return refuse(Status(RunError::view_failed, std::strerror(errno)));
  }
  if (!flags.summary_file.empty() && !std::ofstream(flags.summary_file, std::ios::app)) {
    fmt::print(stderr, "weir: error: --summary: {} cannot be written: {}\n", flags.summary_file,
               std::strerror(errno));
    return bad_use;
  }
  raise_file_limit();
  exec::StopRequest stop;
  exec::Phase phase;
  Signals signals(stop, phase, flags.stop_within_us);

  auto files = files::make_files_from_environment();
  if (!files) return refuse(files.error());
  auto failpoints = files::Failpoints::from_environment();
  if (!failpoints) return refuse(failpoints.error());
  base::SystemClock clock;
  base::SystemRandom random;
  base::StderrLogger logger;
  files::Host host{**files, **failpoints, clock, random, logger};

  auto bound = BoundProgram::make(code, std::move(*plan), flags);
  if (!bound) return refuse(bound.error());
  if (flags.fresh) {
    auto leave = start_over(host, **bound, flags);
    if (!leave) return refuse(leave.error());
    if (*leave) return **leave;
  }
  Console console((*bound)->program().plan, flags);
  exec::Run run((*bound)->program(), (*bound)->options(), console.observer(),
                [&] { return (*bound)->connectors(host); }, host, stop, phase);
  Result<void> result = run.run();
  int exit_code = result ? 0 : exit_code_of(result.error());
  if (result)
    console.end(run.report());
  else
    console.failure(result.error());
  if (!flags.summary_file.empty()) {
    std::ofstream out(flags.summary_file);
    out << summary_text(run.report(), (*bound)->program().plan, exit_code,
                        result ? "" : result.error().to_string());
    if (!out.flush()) {
      fmt::print(stderr, "weir: error: --summary: {} is not whole: {}\n", flags.summary_file,
                 std::strerror(errno));
      if (exit_code == 0) exit_code = 1;
    }
  }
  return exit_code;
}

}  // namespace weir::entry
