// Turns object files into an executable with the link kit, in this process, without a compiler on the machine.
//
// The kit is a folder: weir_rt.o (the runtime with its third-party archives, prelinked), the C library's start files,
// libc_nonshared.a, and helpers.bc, which the linker does not use. The machine's own libc.so.6 and libm.so.6 are
// linked dynamically; nothing else is needed to link or to run.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace weir::link {

struct LinkRequest {
  std::filesystem::path kit;  // folder of the kit
  std::vector<std::filesystem::path>
      objects;                   // position-independent ELF objects; they define what the runtime needs
  std::filesystem::path output;  // replaced when it exists
};

// Links. The output appears at its name only when it is whole. On failure: the linker's messages, one per line, or
// what the machine lacks. May be called again after a failure. Not thread-safe: one link at a time per process.
std::expected<void, std::string> link_program(const LinkRequest& request);

// The kit that belongs to the running executable: <folder of the executable>/../lib/weir/kit. The folder need not
// exist; link_program then names the file that it misses.
std::filesystem::path installed_kit();

}  // namespace weir::link
