#include "compiler/driver/read_front.h"

#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>

#include "compiler/driver/suggestions.h"

namespace weir::driver {

namespace fs = std::filesystem;

std::unique_ptr<Front> read_front(const std::string& script, std::string& error) {
  std::optional<std::string> text;
  if (script == "-") {
    text = std::string(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    text = read_file(script);
  }
  if (!text) {
    std::error_code ignored;
    error = fs::exists(script, ignored) ? script + " cannot be read" : script + " does not exist";
    return nullptr;
  }
  if (script.ends_with(".flow")) return read_flow(script, *text, error);
  auto front = check_text(script, std::move(*text));
  keep_sound_suggestions(*front, script);
  return front;
}

}  // namespace weir::driver
