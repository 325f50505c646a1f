#include "compiler/driver/front_end.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "compiler/ast/print.h"
#include "compiler/diagnostics/render.h"
#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"
#include "compiler/parse/parse.h"

namespace weir::driver {

namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Exit FrontEnd::read(const std::string& script, bool parse_only) {
  std::string text;
  if (script == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream file(script, std::ios::binary);
    if (!file) {
      fmt::print(stderr, "error: cannot read {}\n", script);
      return Exit::usage;
    }
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  if (ends_with(script, ".flow")) return read_flow(text);
  return read_script(script, std::move(text), parse_only);
}

Exit FrontEnd::read_flow(const std::string& text) {
  auto program = flow::read(text);
  if (!program) {
    fmt::print(stderr, "error: {}\n", flow::to_string(program.error()));
    return Exit::refused;
  }
  const std::vector<flow::Fault> faults = flow::verify(*program);
  if (!faults.empty()) {
    fmt::print(stderr, "error: {}\n", flow::to_string(faults));
    return Exit::refused;
  }
  program_ = std::move(*program);
  return Exit::success;
}

Exit FrontEnd::read_script(const std::string& script, std::string text, bool parse_only) {
  diagnostics::Diagnostics findings;
  ast::Tree tree;
  const source::FileId file = files_.add(script, std::move(text));
  const ast::Module module = parse::parse_file(file, files_, tree, findings);
  if (parse_only) syntax_tree_ = ast::print(module);
  findings.sort();
  fputs(diagnostics::render_text(findings, files_, {.colour = isatty(STDERR_FILENO) != 0}).c_str(), stderr);
  if (findings.has_errors()) return Exit::refused;
  if (!parse_only) {
    fmt::print(stderr, "error: this build has no checker\n");
    return Exit::failed;
  }
  return Exit::success;
}

}  // namespace weir::driver
