#include "compiler/driver/crash/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

extern char** environ;

namespace weir::driver::crash {
namespace {

std::vector<std::string> merged_environment(const Command& command) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : command.environment) replaced = replaced || key == name;
    if (!replaced) merged.push_back(text);
  }
  for (const auto& [key, value] : command.environment) merged.push_back(key + "=" + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

std::string describe(const Ending& ending) {
  switch (ending.kind) {
    case Ending::Kind::kExited:
      return "exit " + std::to_string(ending.value);
    case Ending::Kind::kSignalled:
      return "signal " + std::to_string(ending.value);
    case Ending::Kind::kTimedOut:
      return "no end within " + std::to_string(ending.value) + " s";
    case Ending::Kind::kNotStarted:
      return std::string("not started: ") + std::strerror(ending.value);
  }
  return "";
}

Ending run(const Command& command, std::chrono::seconds limit, int on_stop) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = merged_environment(command);
  std::vector<char*> argv = pointers(arguments);
  std::vector<char*> envp = pointers(environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {Ending::Kind::kNotStarted, error};

  const auto deadline = std::chrono::steady_clock::now() + limit;
  auto pause = std::chrono::microseconds(200);
  for (;;) {
    int status = 0;
    const pid_t changed = waitpid(child, &status, WNOHANG | WUNTRACED);
    if (changed == child) {
      if (WIFEXITED(status)) return {Ending::Kind::kExited, WEXITSTATUS(status)};
      if (WIFSIGNALED(status)) return {Ending::Kind::kSignalled, WTERMSIG(status)};
      if (WIFSTOPPED(status)) {
        if (on_stop != 0) kill(child, on_stop);
        kill(child, SIGCONT);
      }
    }
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return {Ending::Kind::kTimedOut, static_cast<int>(limit.count())};
    }
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(5)) pause *= 2;
  }
}

}  // namespace weir::driver::crash
