// Flow to machine code: the last stage but linking. Input: a verified flow program and the runtime's helpers as bitcode;
// output: an object file that defines `weir_program` (runtime/abi/abi.h), or its text as LLVM IR or assembly.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/flow/flow.h"
#include "compiler/source/files.h"

namespace weir::lower {

enum class Emit { object, llvm, assembly };

struct Request {
  const flow::Program* program = nullptr;
  const source::Files* files = nullptr;  // for line tables; null: without lines
  std::filesystem::path helpers;         // helpers.bc; empty: helpers stay calls
  bool optimise = true;                  // -O2, else -O0
  Emit emit = Emit::object;
  std::string cpu = "x86-64-v2";
  std::string weir_version;
  std::string report;  // the guarantee report, kept in the plan
  std::string report_json;
  std::vector<std::string> guarantees;  // by sink, in the order of the program
};

// The bytes of the object file or the text. The error says what cannot be lowered, or what LLVM refused: either is a
// mistake of the compiler. Not thread safe.
std::expected<std::string, std::string> compile(const Request& request);

// The plan alone, as it would stand in the object.
std::expected<std::string, std::string> plan(const Request& request);

}  // namespace weir::lower
