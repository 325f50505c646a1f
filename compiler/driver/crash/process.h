// Child processes of `weir crash`: started with a changed environment, waited for with a limit.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace weir::driver::crash {

struct Command {
  std::vector<std::string> arguments;                            // [0] is the program
  std::vector<std::pair<std::string, std::string>> environment;  // added to or replacing the own one
  std::string output;                                            // file that gets stdout and stderr
};

struct Ending {
  enum class Kind { kExited, kSignalled, kTimedOut, kNotStarted };
  Kind kind = Kind::kNotStarted;
  int value = 0;  // exit status or signal
  bool killed() const { return kind == Kind::kSignalled && value == 9; }
  bool succeeded() const { return kind == Kind::kExited && value == 0; }
};

// "exit 1", "signal 11", "no end within 60 s".
std::string describe(const Ending& ending);

// Runs to the end, or kills it after `limit`. When the process suspends itself (SIGSTOP), it is sent `on_stop`
// (0: nothing) and continued. Any thread.
Ending run(const Command& command, std::chrono::seconds limit, int on_stop = 0);

}  // namespace weir::driver::crash
