// The fields of one CSV record, one after the other.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/abi/abi.h"
#include "runtime/value/scratch.h"

namespace weir::value {

struct CsvField {
  std::string_view text;  // a view of the record, or of the scratch arena when quotes were doubled
  bool quoted = false;
  std::uint64_t at = 0;  // offset of its first byte
};

class CsvFields {
 public:
  explicit CsvFields(std::string_view record) : record_(record) {}
  // False at the end, and at an error.
  bool next(weir_worker* worker, CsvField* field);
  // Null when there is none.
  const char* error() const { return error_; }
  std::uint64_t error_at() const { return at_; }

 private:
  bool fail(std::uint64_t at, const char* what) {
    at_ = at;
    error_ = what;
    return false;
  }
  bool quoted(weir_worker* worker, CsvField* field);

  std::string_view record_;
  std::uint64_t at_ = 0;
  bool done_ = false;
  const char* error_ = nullptr;
};

// Frees the scratch arena of a worker that is used outside of a run.
class ScratchOwner {
 public:
  explicit ScratchOwner(weir_worker* worker) : worker_(worker) {}
  ScratchOwner(const ScratchOwner&) = delete;
  ScratchOwner& operator=(const ScratchOwner&) = delete;
  ~ScratchOwner() { weir_scratch_free(worker_); }

 private:
  weir_worker* worker_;
};

}  // namespace weir::value
