#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Every run error by name; the value is its code. Rows: run_errors.def.
enum class RunError : std::uint16_t {
#define WEIR_RUN_ERROR(number, name, domain, retry, title, explanation) name = number,
#include "runtime/base/run_errors.def"
#undef WEIR_RUN_ERROR
};

struct RunErrorInfo {
  RunError error;
  std::string_view name;
  std::string_view domain;
  bool retryable;
  std::string_view title;
  std::string_view explanation;
};

/// All rows, ascending numbers.
std::span<const RunErrorInfo> run_errors();
const RunErrorInfo& info(RunError error);

/// Why a step failed: a run error (a code with a text that `weir explain` knows), a message with the particulars
/// (names, paths, values), and the operating system's error number where there is one (else 0).
class [[nodiscard]] Status {
 public:
  Status(RunError error, std::string message, int system_error = 0)
      : error_(error), system_error_(system_error), message_(std::move(message)) {}

  RunError error() const { return error_; }
  int code() const { return static_cast<int>(error_); }
  std::string_view domain() const { return info(error_).domain; }
  bool retryable() const { return info(error_).retryable; }
  int system_error() const { return system_error_; }
  const std::string& message() const { return message_; }
  bool is(RunError error) const { return error_ == error; }

  /// "E6021: a newer run has taken over: MESSAGE"
  std::string to_string() const;

 private:
  RunError error_;
  int system_error_;
  std::string message_;
};

template <typename T>
using Result = std::expected<T, Status>;

inline std::unexpected<Status> fail(RunError error, std::string message, int system_error = 0) {
  return std::unexpected<Status>(Status(error, std::move(message), system_error));
}

}  // namespace weir

#define WEIR_CONCAT_INNER(a, b) a##b
#define WEIR_CONCAT(a, b) WEIR_CONCAT_INNER(a, b)

/// WEIR_TRY(auto file, files.open(path)): the value, or returns the error from the enclosing function.
#define WEIR_TRY(declaration, ...) \
  WEIR_TRY_INNER(WEIR_CONCAT(weir_result_, __COUNTER__), declaration, __VA_ARGS__)
#define WEIR_TRY_INNER(result, declaration, ...)                       \
  auto result = (__VA_ARGS__);                                         \
  if (!result) [[unlikely]]                                            \
    return std::unexpected<::weir::Status>(std::move(result).error()); \
  declaration = *std::move(result)

/// The same for a Result<void>.
#define WEIR_CHECK(...)                                                             \
  do {                                                                              \
    if (auto weir_check_result = (__VA_ARGS__); !weir_check_result) [[unlikely]]    \
      return std::unexpected<::weir::Status>(std::move(weir_check_result).error()); \
  } while (false)
