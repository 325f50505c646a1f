// What a test expects against what the program wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "compiler/build_flow/build.h"
#include "compiler/source/files.h"

namespace weir::driver::test {

struct Difference {
  std::string stream;
  std::vector<std::string> missing;     // expected rows as written in the script
  std::vector<std::string> unexpected;  // rows of the program, JSON
};

// One entry per stream that differs. Rows are compared as a multiset; an expected row says which fields count.
std::vector<Difference> compare(const build_flow::Test& test, const flow::Program& script,
                                const source::Files& files, const std::filesystem::path& out_folder);

}  // namespace weir::driver::test
