#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/files/files.h"

namespace weir::files {

/// What changes a disk or makes a change durable.
enum class Operation {
  create,
  append,
  write_at,
  truncate,
  sync,
  link,
  rename,
  unlink,
  make_folder,
  remove_folder,
  sync_folder,
};
std::string_view to_string(Operation operation);

/// What happens instead of an operation. With `error` 0 it is carried out. With `torn` a write puts the first half of
/// its bytes there and then fails.
struct Fault {
  int error = 0;
  bool torn = false;
};

/// Asked before each operation, by the thread that does it. May also end the process.
using FaultPlan = std::function<Fault(Operation operation, const std::string& path)>;

/// Passes everything on to `below`, which it owns, except for what the plan refuses.
std::unique_ptr<Files> make_faulty_files(std::unique_ptr<Files> below, FaultPlan plan);

/// The same without owning `below`.
std::unique_ptr<Files> make_faulty_files(Files& below, FaultPlan plan);

/// "OPERATION@N:EIO", "OPERATION@N:ENOSPC", "OPERATION@N:torn": the Nth operation of that kind (from 1; "any" is every
/// kind) fails. With "+" after N, every later one as well. Any thread.
Result<FaultPlan> parse_fault_plan(std::string_view text);

}  // namespace weir::files
