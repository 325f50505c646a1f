// `weir completion bash|zsh|fish`: a script that completes commands, options and their words in that shell. It is made
// of the commands themselves, so that it cannot fall behind them.
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/driver/command.h"

namespace weir::driver {
namespace {

struct Flag {
  std::string name;  // with its dashes
  std::string description;
  bool takes_value = false;
  std::vector<std::string> values;  // if they are fixed
};

struct Command {
  std::string path;  // "state pending"; empty: weir itself
  std::string name;
  std::string description;
  std::vector<Flag> flags;
  std::vector<std::string> values;  // of its first positional, if they are fixed
  std::vector<Command> commands;
};

// CLI11 shows the members of a set as "TEXT:{a,b}", and gives them nowhere else.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  std::vector<std::string> values;
  if (open == std::string::npos || type.back() != '}') return values;
  for (std::size_t at = open + 1; at < type.size();) {
    const std::size_t end = type.find_first_of(",}", at);
    values.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

Command read(const CLI::App& app, const std::string& path) {
  Command out{path, app.get_name(), app.get_description(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    const bool takes_value = option->get_items_expected_max() > 0 && option->get_type_size() > 0;
    for (const std::string& name : option->get_lnames())
      out.flags.push_back({"--" + name, option->get_description(), takes_value, values_of(*option)});
    for (const std::string& name : option->get_snames())
      out.flags.push_back({"-" + name, option->get_description(), takes_value, values_of(*option)});
    if (option->get_positional() && out.values.empty()) out.values = values_of(*option);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.commands.push_back(read(*command, path + (path.empty() ? "" : " ") + command->get_name()));
  return out;
}

// Of all commands.
Command read_all(const CLI::App& app) {
  Command weir = read(app, "");
  for (Command& command : weir.commands) {
    if (command.name != "help") continue;
    for (const Command& other : weir.commands) command.values.push_back(other.name);
  }
  return weir;
}

void each(const Command& command, const std::function<void(const Command&)>& use) {
  use(command);
  for (const Command& below : command.commands) each(below, use);
}

// In single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string words(const Command& command) {
  std::string out;
  for (const Command& below : command.commands) out += (out.empty() ? "" : " ") + below.name;
  for (const std::string& value : command.values) out += (out.empty() ? "" : " ") + value;
  return out;
}

std::string bash(const Command& weir) {
  std::string paths;
  std::string values;
  std::string flags;
  std::string plain;
  each(weir, [&](const Command& command) {
    if (!command.path.empty()) paths += (paths.empty() ? "" : "|") + shell_quoted(command.path);
    std::string names;
    for (const Flag& flag : command.flags) {
      names += (names.empty() ? "" : " ") + flag.name;
      if (!flag.takes_value) continue;
      const std::string reply =
          flag.values.empty() ? "return"
                              : fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\")); return",
                                            shell_quoted(fmt::format("{}", fmt::join(flag.values, " "))));
      values += fmt::format("    {}) {} ;;\n", shell_quoted(command.path + " " + flag.name), reply);
    }
    flags += fmt::format("    {}) words={} ;;\n", shell_quoted(command.path), shell_quoted(names));
    plain += fmt::format("    {}) words={} ;;\n", shell_quoted(command.path), shell_quoted(words(command)));
  });
  return fmt::format(
      R"(# Completion of weir for bash: source <(weir completion bash)
_weir() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command= words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{command:+$command }}${{COMP_WORDS[i]}}" in
      {}) command="${{command:+$command }}${{COMP_WORDS[i]}}" ;;
    esac
  done
  # The value of an option; where it is any text or file, bash completes files.
  case "$command $before" in
{}  esac
  if [[ $word == -* ]]; then
    case "$command" in
{}    esac
  else
    case "$command" in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o bashdefault -o default -F _weir weir
)",
      paths, values, flags, plain);
}

std::string zsh(const Command& weir) {
  // In zsh a colon parts a word from its description.
  const auto described = [](const std::string& name, const std::string& description) {
    std::string safe;
    for (const char c : name) safe += c == ':' ? "\\:" : std::string(1, c);
    return shell_quoted(safe + ":" + description);
  };
  std::string paths;
  std::string values;
  std::string flags;
  std::string plain;
  each(weir, [&](const Command& command) {
    if (!command.path.empty()) paths += (paths.empty() ? "" : "|") + shell_quoted(command.path);
    std::string names;
    for (const Flag& flag : command.flags) {
      names += " " + described(flag.name, flag.description);
      if (!flag.takes_value) continue;
      values += fmt::format(
          "    {}) {}; return ;;\n", shell_quoted(command.path + " " + flag.name),
          flag.values.empty() ? "_files" : fmt::format("compadd -- {}", fmt::join(flag.values, " ")));
    }
    flags += fmt::format("    {}) list=({}) ;;\n", shell_quoted(command.path), names);
    std::string below;
    for (const Command& next : command.commands) below += " " + described(next.name, next.description);
    for (const std::string& value : command.values) below += " " + described(value, "");
    plain += fmt::format("    {}) list=({}) ;;\n", shell_quoted(command.path), below);
  });
  return fmt::format(
      R"(#compdef weir
# Completion of weir for zsh: in a file _weir in a folder of $fpath, or source <(weir completion zsh)
_weir() {{
  local command= i
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    case "${{command:+$command }}${{words[i]}}" in
      {}) command="${{command:+$command }}${{words[i]}}" ;;
    esac
  done
  case "$command ${{words[CURRENT-1]}}" in
{}  esac
  if [[ ${{words[CURRENT]}} == -* ]]; then
    case "$command" in
{}    esac
  else
    case "$command" in
{}    esac
  fi
  if (( ${{#list}} )); then _describe weir list; else _files; fi
}}
if [[ ${{funcstack[1]}} == _weir ]]; then _weir "$@"; else compdef _weir weir; fi
)",
      paths, values, flags, plain);
}

std::string fish(const Command& weir) {
  std::string out = "# Completion of weir for fish: weir completion fish | source\n";
  each(weir, [&](const Command& command) {
    // Seen so far: the command's own words, and none of those below it.
    std::string condition = command.path.empty() ? "" : "__fish_seen_subcommand_from ";
    condition += command.path.empty() ? "" : command.name;
    std::string below;
    for (const Command& next : command.commands) below += " " + next.name;
    const std::string none_below = below.empty() ? "" : "not __fish_seen_subcommand_from" + below;
    const std::string joint = condition.empty() || none_below.empty() ? "" : "; and ";
    const std::string here = shell_quoted(condition + joint + none_below);
    for (const Command& next : command.commands) {
      out += fmt::format("complete -c weir -n {} -f -a {} -d {}\n", here, next.name,
                         shell_quoted(next.description));
    }
    for (const std::string& value : command.values)
      out += fmt::format("complete -c weir -n {} -f -a {}\n", here, value);
    for (const Flag& flag : command.flags) {
      const bool longer = flag.name.starts_with("--");
      out += fmt::format("complete -c weir -n {} {} {} -d {}", here, longer ? "-l" : "-s",
                         flag.name.substr(longer ? 2 : 1), shell_quoted(flag.description));
      if (flag.takes_value && flag.values.empty()) out += " -r";
      if (!flag.values.empty())
        out += " -x -a " + shell_quoted(fmt::format("{}", fmt::join(flag.values, " ")));
      out += '\n';
    }
  });
  return out;
}

}  // namespace

void add_completion(CLI::App& app, Outcome& outcome) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, shell, &outcome] {
    const Command weir = read_all(app);
    const std::string script = *shell == "bash" ? bash(weir) : *shell == "zsh" ? zsh(weir) : fish(weir);
    std::fputs(script.c_str(), stdout);
    outcome.status = static_cast<int>(Exit::success);
  });
}

}  // namespace weir::driver
