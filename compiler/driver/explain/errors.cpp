#include "compiler/driver/explain/errors.h"

#include <fmt/core.h>

namespace weir::driver::explain {
namespace {

struct Row {
  int number;
  std::string_view title;
  std::string_view explanation;
};

constexpr Row of_records[] = {
#define WEIR_RECORD_ERROR(number, identifier, title, explanation) {number, title, explanation},
#include "runtime/abi/record_errors.def"
#undef WEIR_RECORD_ERROR
};

constexpr Row of_runs[] = {
#define WEIR_RUN_ERROR(number, name, domain, retry, title, explanation) {number, title, explanation},
#include "runtime/base/run_errors.def"
#undef WEIR_RUN_ERROR
};

constexpr std::string_view about_records =
    "An error of one record. What becomes of it is the source's `on error`: the run stops with the record's "
    "place (`fail`, the\n"
    "default), it is counted (`drop`), or it goes to a stream with its bytes, place and this code (`to`).\n";

}  // namespace

std::optional<std::string> error_page(std::string_view code) {
  for (const Row& row : of_records)
    if (code == fmt::format("E{}", row.number))
      return fmt::format("{}: {}\n\n{}\n\n{}", code, row.title, row.explanation, about_records);
  for (const Row& row : of_runs)
    if (code == fmt::format("E{}", row.number))
      return fmt::format("{}: {}\n\n{}\n\nAn error of a running program, or of its start.\n", code, row.title,
                         row.explanation);
  return std::nullopt;
}

}  // namespace weir::driver::explain
