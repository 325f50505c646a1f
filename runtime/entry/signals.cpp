#include "runtime/entry/signals.h"

#include <fmt/core.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

namespace weir::entry {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Signals::Signals(exec::StopRequest& stop, const exec::Phase& phase, std::int64_t stop_within_us)
    : stop_(stop), phase_(phase), stop_within_us_(stop_within_us) {
  sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  thread_ = std::thread([this] { wait(); });
}

Signals::~Signals() {
  done_ = true;
  thread_.join();
}

void Signals::wait() {
  using Clock = std::chrono::steady_clock;
  sigset_t set = stop_signals();
  Clock::time_point deadline = Clock::time_point::max();
  while (!done_) {
    timespec shortly{0, 20'000'000};
    int signal = sigtimedwait(&set, nullptr, &shortly);
    if (signal == SIGTERM || signal == SIGINT) {
      if (stop_.count.fetch_add(1) > 0) give_up("a second signal came");
      deadline = Clock::now() + std::chrono::microseconds(stop_within_us_);
    }
    if (Clock::now() >= deadline) give_up("--stop-within has passed");
  }
}

void Signals::give_up(const char* why) {
  Status status(RunError::stop_deadline, fmt::format("{}; blocked in: {}", why, phase_.get()));
  std::string line = "weir: error: " + status.to_string() + "\n";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, line.data(), line.size());
  ::_exit(1);
}

}  // namespace weir::entry
