#include "compiler/driver/compile.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "compiler/driver/front_end.h"
#include "compiler/flow/text.h"
#include "compiler/link/link.h"
#include "compiler/lower/lower.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

std::unexpected<Exit> failed(const std::string& message) {
  fmt::print(stderr, "error: {}\n", message);
  return std::unexpected(Exit::failed);
}

// A file that goes away with the object.
struct TemporaryFile {
  std::string path;
  ~TemporaryFile() {
    if (!path.empty()) unlink(path.c_str());
  }
};

std::expected<void, std::string> write_temporary(TemporaryFile& file, const std::string& bytes) {
  std::string path = (fs::temp_directory_path() / "weir-XXXXXX.o").string();
  const int descriptor = mkstemps(path.data(), 2);
  if (descriptor < 0) return std::unexpected("cannot create a file in " + fs::temp_directory_path().string());
  file.path = path;
  const std::unique_ptr<FILE, int (*)(FILE*)> stream(fdopen(descriptor, "wb"), fclose);
  if (stream == nullptr || fwrite(bytes.data(), 1, bytes.size(), stream.get()) != bytes.size() ||
      fflush(stream.get()) != 0) {
    return std::unexpected("cannot write " + path);
  }
  return {};
}

std::expected<std::string, Exit> link_object(const std::string& object, const CompileOptions& options,
                                             const fs::path& kit) {
  TemporaryFile file;
  if (auto written = write_temporary(file, object); !written) return failed(written.error());
  std::error_code ignored;
  if (options.output.has_parent_path()) fs::create_directories(options.output.parent_path(), ignored);
  if (auto linked = link::link_program({.kit = kit, .objects = {file.path}, .output = options.output}); !linked) {
    return failed(linked.error());
  }
  return std::string();
}

}  // namespace

std::expected<Stage, std::string> stage_by_name(const std::string& name) {
  if (name == "ast") return Stage::ast;
  if (name == "flow") return Stage::flow;
  if (name == "llvm") return Stage::llvm;
  if (name == "asm") return Stage::assembly;
  return std::unexpected("there is no stage `" + name + "`: ast, flow, llvm or asm");
}

std::expected<std::string, Exit> compile_script(const CompileOptions& options) {
  FrontEnd front;
  if (const Exit status = front.read(options.script, options.stage == Stage::ast); status != Exit::success) {
    return std::unexpected(status);
  }
  if (options.stage == Stage::ast) return front.syntax_tree();
  if (options.stage == Stage::flow) return flow::print(front.program());

  const fs::path kit = link::installed_kit();
  lower::Request request;
  request.program = &front.program();
  request.files = &front.files();
  request.helpers = kit / "helpers.bc";
  request.optimise = options.optimise;
  request.emit = options.stage == Stage::llvm       ? lower::Emit::llvm
                 : options.stage == Stage::assembly ? lower::Emit::assembly
                                                    : lower::Emit::object;
  request.weir_version = WEIR_VERSION;
  request.report = front.report();
  request.report_json = front.report_json();
  request.guarantees = front.guarantees();
  auto code = lower::compile(request);
  if (!code) return failed(code.error());
  if (options.stage != Stage::executable) return *code;
  return link_object(*code, options, kit);
}

}  // namespace weir::driver
