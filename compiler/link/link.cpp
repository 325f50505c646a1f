#include "compiler/link/link.h"

#include <array>
#include <optional>
#include <system_error>

#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

namespace weir::link {
namespace {

namespace fs = std::filesystem;

constexpr const char* loader = "/lib64/ld-linux-x86-64.so.2";

// A shared library of the machine, by the name that the program will load it by.
std::optional<fs::path> system_library(const std::string& name) {
  constexpr std::array folders = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
                                  "/usr/lib64", "/usr/lib"};
  for (const char* folder : folders) {
    std::error_code ignored;
    fs::path path = fs::path(folder) / name;
    if (fs::exists(path, ignored)) {
      return path;
    }
  }
  return std::nullopt;
}

std::expected<std::vector<std::string>, std::string> arguments(const LinkRequest& request,
                                                               const fs::path& output) {
  std::vector<std::string> result = {"ld.lld",
                                     "-pie",
                                     "--gc-sections",
                                     "--eh-frame-hdr",
                                     "--build-id=none",
                                     "--hash-style=gnu",
                                     "-z",
                                     "relro",
                                     "-z",
                                     "now",
                                     "-dynamic-linker",
                                     loader,
                                     "-o",
                                     output.string()};
  std::string missing;
  auto add = [&](const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      missing += "missing file: " + path.string() + "\n";
    }
    result.push_back(path.string());
  };
  auto add_system = [&](const std::string& name) {
    if (std::optional<fs::path> path = system_library(name)) {
      result.push_back(path->string());
    } else {
      missing += "missing system library: " + name + "\n";
    }
  };

  add(request.kit / "Scrt1.o");
  add(request.kit / "crti.o");
  add(request.kit / "crtbeginS.o");
  for (const fs::path& object : request.objects) {
    add(object);
  }
  add(request.kit / "weir_rt.o");
  add_system("libc.so.6");
  add_system("libm.so.6");
  add(request.kit / "libc_nonshared.a");
  add(loader);
  add(request.kit / "crtendS.o");
  add(request.kit / "crtn.o");

  if (!missing.empty()) {
    return std::unexpected(missing);
  }
  return result;
}

}  // namespace

std::expected<void, std::string> link_program(const LinkRequest& request) {
  fs::path partial = request.output;
  partial += ".partial-" + std::to_string(getpid());

  auto args = arguments(request, partial);
  if (!args) {
    return std::unexpected(args.error());
  }
  std::vector<const char*> argv;
  for (const std::string& arg : *args) {
    argv.push_back(arg.c_str());
  }

  std::string messages;
  llvm::raw_string_ostream err(messages);
  llvm::raw_null_ostream out;
  const lld::Result linked = lld::lldMain(argv, out, err, {{lld::Gnu, &lld::elf::link}});
  std::error_code error;
  if (linked.retCode != 0) {
    fs::remove(partial, error);
    return std::unexpected(messages.empty() ? std::string("the linker failed without a message\n")
                                            : messages);
  }
  fs::rename(partial, request.output, error);
  if (error) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    return std::unexpected("cannot write " + request.output.string() + ": " + error.message() + "\n");
  }
  return {};
}

std::filesystem::path installed_kit() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / ".." / "lib" / "weir" / "kit").lexically_normal();
}

}  // namespace weir::link
