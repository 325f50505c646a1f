// `weir help [COMMAND…]`: the same text as the command's `--help`; of a code, its explanation.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/diagnostics/explain.h"
#include "compiler/driver/command.h"
#include "compiler/driver/explain/errors.h"

namespace weir::driver {
namespace {

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

int unknown(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = names_of(app);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view meant = base::nearest(word, views);
  std::fprintf(stderr, "weir: %s has no command `%s`%s%s%s\n", app.get_name().c_str(), word.c_str(),
               meant.empty() ? "" : "; did you mean `", std::string(meant).c_str(),
               meant.empty() ? "" : "`?");
  return static_cast<int>(Exit::usage);
}

int help(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() == 1) {
    std::optional<std::string> text = explain::error_page(words.front());
    if (const auto code = diagnostics::parse_code(words.front())) text = diagnostics::explain(*code);
    if (text) {
      std::fputs(text->c_str(), stdout);
      return static_cast<int>(Exit::success);
    }
  }
  const CLI::App* command = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    const auto found =
        command->get_subcommands([&](const CLI::App* below) { return below->get_name() == word; });
    if (found.empty()) return unknown(*command, word);
    command = found.front();
    path += " " + word;
  }
  // Not App::help, which would print that of `help`, being the command that was given.
  const std::string text = command->get_formatter()->make_help(command, path, CLI::AppFormatMode::Normal);
  std::fputs(text.c_str(), stdout);
  return static_cast<int>(Exit::success);
}

}  // namespace

void add_help(CLI::App& app, Outcome& outcome) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "Print what a command does, and its options");
  command->add_option("command", *words,
                      "A command such as check, or a code such as E0105; none: all commands");
  command->callback([&app, words, &outcome] { outcome.status = help(app, *words); });
}

}  // namespace weir::driver
