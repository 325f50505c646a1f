// From a script's text to checked flow, with all findings on the way. Shared by every subcommand that reads a script.
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/command.h"
#include "compiler/flow/flow.h"
#include "compiler/source/files.h"

namespace weir::driver {

class FrontEnd {
 public:
  // Reads `script` ("-": standard input; *.flow: the text form of flow) and prints what is wrong with it on stderr.
  // `parse_only` stops after the syntax tree.
  Exit read(const std::string& script, bool parse_only = false);

  const source::Files& files() const { return files_; }
  const flow::Program& program() const { return program_; }
  const std::string& syntax_tree() const { return syntax_tree_; }
  const std::string& report() const { return report_; }            // the guarantee report as text
  const std::string& report_json() const { return report_json_; }  // empty: none
  const std::vector<std::string>& guarantees() const { return guarantees_; }  // by sink

 private:
  Exit read_flow(const std::string& text);
  Exit read_script(const std::string& script, std::string text, bool parse_only);

  source::Files files_;
  flow::Program program_;
  std::string syntax_tree_;
  std::string report_;
  std::string report_json_;
  std::vector<std::string> guarantees_;
};

}  // namespace weir::driver
