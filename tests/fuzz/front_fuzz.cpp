// Any text goes through the front end without a crash, every finding says something and can be drawn, and what is
// accepted has a flow that holds and can be lowered.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "compiler/diagnostics/render.h"
#include "compiler/driver/front.h"
#include "compiler/lower/lower.h"
#include "tests/fuzz/mutate.h"

namespace {

void require(bool holds, const char* what, const std::string& shown) {
  if (!holds) {
    std::fprintf(stderr, "%s:\n%s\n", what, shown.c_str());
    std::abort();
  }
}

void check_findings(const weir::diagnostics::Diagnostics& findings, const weir::source::Files& files) {
  for (const weir::diagnostics::Diagnostic& finding : findings.all()) {
    const std::string drawn = render_text(finding, files);
    require(finding.message.find(' ') != std::string::npos, "a finding of one word", drawn);
    require(drawn.size() > finding.message.size(), "a finding that draws nothing", drawn);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string text =
      weir::fuzz::mutate(std::string_view(reinterpret_cast<const char*>(data), size), seed);
  const std::size_t length = text.size() < max_size ? text.size() : max_size;
  std::memcpy(data, text.data(), length);
  return length;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto front =
      weir::driver::check_text("fuzz.weir", std::string(reinterpret_cast<const char*>(data), size));
  check_findings(front->findings, front->files);
  require(front->mistake.empty(), "a flow that does not hold", front->mistake);
  require(front->program.has_value() != front->findings.has_errors(),
          "neither a program nor an error, or both", render_text(front->findings, front->files));
  if (front->program) {
    weir::lower::Request request;
    request.program = &*front->program;
    request.optimise = false;
    const auto plan = weir::lower::plan(request);
    require(plan.has_value(), "accepted, and not lowered", plan ? std::string() : plan.error());
  }
  return 0;
}
