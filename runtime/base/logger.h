#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::base {

enum class Level { info, warning, error };

/// Where messages for the operator go. Any thread.
class Logger {
 public:
  virtual ~Logger() = default;
  virtual void write(Level level, std::string_view message) = 0;

  void info(std::string_view message) { write(Level::info, message); }
  void warning(std::string_view message) { write(Level::warning, message); }
  void error(std::string_view message) { write(Level::error, message); }
};

/// One line per message on standard error, in one write(2): "weir: warning: …".
class StderrLogger final : public Logger {
 public:
  void write(Level level, std::string_view message) override;
};

/// Keeps what was said. For tests; one thread.
class MemoryLogger final : public Logger {
 public:
  void write(Level, std::string_view message) override { messages.emplace_back(message); }
  std::vector<std::string> messages;
};

}  // namespace weir::base
