// A test as a program of its own: sources read files with the given rows, every stream that is expected is written to a
// folder, and no connector of the script is opened.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "compiler/build_flow/build.h"
#include "compiler/flow/flow.h"

namespace weir::driver::test {

// Below `folder`: in/SOURCE/*, out/STREAM/*, state. The given rows are written; the error is a sentence.
std::expected<flow::Program, std::string> make_program(const flow::Program& script,
                                                       const build_flow::Test& test,
                                                       const std::filesystem::path& folder);

}  // namespace weir::driver::test
