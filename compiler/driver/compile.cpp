#include "compiler/driver/compile.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "compiler/analyse/report/report.h"
#include "compiler/ast/print.h"
#include "compiler/diagnostics/render.h"
#include "compiler/driver/read_front.h"
#include "compiler/flow/text.h"
#include "compiler/flow/verify.h"
#include "compiler/link/link.h"
#include "compiler/lower/lower.h"
#include "compiler/parse/big_stack.h"

namespace weir::driver {
namespace {

namespace fs = std::filesystem;

std::unexpected<Exit> failed(const std::string& message) {
  fmt::print(stderr, "error: {}\n", message);
  return std::unexpected(Exit::refused);
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

// A checked program and what owns it.
struct Source {
  std::unique_ptr<Front> front;         // of a script
  std::unique_ptr<flow::Program> read;  // of a flow text
  const flow::Program* program = nullptr;
  std::string tree;  // the syntax tree, where it was asked for
};

std::expected<Source, Exit> read_flow(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed("cannot read " + path);
  auto program = flow::read(std::string(std::istreambuf_iterator<char>(file), {}));
  if (!program) {
    failed(path + ":" + flow::to_string(program.error()));
    return std::unexpected(Exit::refused);
  }
  if (const std::vector<flow::Fault> faults = flow::verify(*program); !faults.empty()) {
    failed(flow::to_string(faults));
    return std::unexpected(Exit::refused);
  }
  Source source;
  source.read = std::make_unique<flow::Program>(std::move(*program));
  source.program = source.read.get();
  return source;
}

std::expected<Source, Exit> read_source(const CompileOptions& options) {
  if (options.script.ends_with(".flow")) return read_flow(options.script);
  Source source;
  std::string error;
  source.front = read_front(options.script, error);
  if (source.front == nullptr) {
    failed(error);
    return std::unexpected(Exit::usage);
  }
  const Front& front = *source.front;
  fputs(diagnostics::render_text(front.findings, front.files, {.colour = isatty(STDERR_FILENO) != 0}).c_str(),
        stderr);
  if (options.stage == Stage::ast) {
    source.tree = ast::print(front.modules.front());
    return source;
  }
  if (!front.mistake.empty()) return failed("a mistake of the compiler, please report it:\n" + front.mistake);
  if (!front.program) return std::unexpected(Exit::refused);
  source.program = &*front.program;
  return source;
}

std::expected<std::string, Exit> link_object(const std::string& object, const CompileOptions& options,
                                             const fs::path& kit) {
  TemporaryFile file;
  if (auto written = write_temporary(file, object); !written) return failed(written.error());
  std::error_code ignored;
  if (options.output.has_parent_path()) fs::create_directories(options.output.parent_path(), ignored);
  if (auto linked = link::link_program({.kit = kit, .objects = {file.path}, .output = options.output});
      !linked) {
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
  auto source = read_source(options);
  if (!source) return std::unexpected(source.error());
  if (options.stage == Stage::ast) return std::move(source->tree);
  if (options.stage == Stage::flow) return flow::print(*source->program);

  const fs::path kit = link::installed_kit();
  lower::Request request;
  request.program = source->program;
  request.files = source->front == nullptr ? nullptr : &source->front->files;
  request.helpers = kit / "helpers.bc";
  request.optimise = options.optimise;
  request.emit = options.stage == Stage::llvm       ? lower::Emit::llvm
                 : options.stage == Stage::assembly ? lower::Emit::assembly
                                                    : lower::Emit::object;
  request.weir_version = WEIR_VERSION;
  if (source->front != nullptr && source->front->analysis) {
    const analyse::Report& report = source->front->analysis->report;
    request.report = analyse::to_text(report);
    request.report_json = analyse::to_json(report);
    for (const analyse::SinkReport& sink : report.sinks) {
      request.guarantees.emplace_back(analyse::to_string(sink.guarantee));
    }
  }
  std::expected<std::string, std::string> code;
  // Expressions may be nested as deeply as the parser allows.
  parse::run_on_big_stack([&] { code = lower::compile(request); });
  if (!code) return failed(code.error());
  if (options.stage != Stage::executable) return *code;
  return link_object(*code, options, kit);
}

}  // namespace weir::driver
