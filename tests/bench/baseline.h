// What both hand-written programs share: input by large reads into a padded buffer, output by large writes,
// RFC 3339 both ways. Tuned for this data, as a careful programmer would write it for one query: simdjson
// On-Demand (the library that Weir's reference parser uses), fields asked for in the order of the input.
// No checkpoint, no recovery, no handling of late or broken records beyond stopping.
#pragma once

#include <simdjson.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace baseline {

inline void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// Calls line(begin, end) for each line; at least SIMDJSON_PADDING readable bytes follow `end`.
template <typename Line>
void each_line(const char* path, Line line) {
  const int file = ::open(path, O_RDONLY);
  if (file < 0) fail(path);
  constexpr std::size_t kBlock = 1u << 20;
  std::vector<char> buffer(2 * kBlock + simdjson::SIMDJSON_PADDING);
  std::size_t held = 0;
  for (;;) {
    const ssize_t got = ::read(file, buffer.data() + held, kBlock);
    if (got < 0) fail("read");
    const std::size_t size = held + static_cast<std::size_t>(got);
    const char* at = buffer.data();
    const char* end = at + size;
    while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
      const char* stop = static_cast<const char*>(found);
      if (stop != at) line(at, stop);
      at = stop + 1;
    }
    held = static_cast<std::size_t>(end - at);
    if (got == 0) {
      if (held > 0) line(at, end);
      break;
    }
    std::memmove(buffer.data(), at, held);
  }
  ::close(file);
}

class Output {
 public:
  explicit Output(const char* path)
      : file_(::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644)), buffer_(1u << 20) {
    if (file_ < 0) fail(path);
  }
  ~Output() {
    flush();
    if (::fsync(file_) != 0) fail("fsync");
    ::close(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  char* room(std::size_t size) {
    if (used_ + size > buffer_.size()) flush();
    return buffer_.data() + used_;
  }
  void advance_to(const char* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }

 private:
  void flush() {
    std::size_t done = 0;
    while (done < used_) {
      const ssize_t wrote = ::write(file_, buffer_.data() + done, used_ - done);
      if (wrote < 0) fail("write");
      done += static_cast<std::size_t>(wrote);
    }
    used_ = 0;
  }
  int file_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

inline char* put(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}
inline char* put(char* at, std::int64_t value) {
  return std::to_chars(at, at + 24, value).ptr;
}

// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
inline std::int64_t days_from_civil(std::int64_t y, unsigned m, unsigned d) {
  y -= m <= 2;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const auto yoe = static_cast<unsigned>(y - era * 400);
  const unsigned doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  const unsigned doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  return era * 146097 + static_cast<std::int64_t>(doe) - 719468;
}

inline int two(const char* at) {
  return (at[0] - '0') * 10 + (at[1] - '0');
}

// "YYYY-MM-DDThh:mm:ss[.fraction]Z" to microseconds.
inline std::int64_t parse_time(std::string_view text) {
  const char* at = text.data();
  const std::int64_t days = days_from_civil(two(at) * 100 + two(at + 2), static_cast<unsigned>(two(at + 5)),
                                            static_cast<unsigned>(two(at + 8)));
  std::int64_t micros = 0;
  if (at[19] == '.') {
    std::int64_t scale = 100000;
    for (std::size_t i = 20; i + 1 < text.size(); ++i, scale /= 10) micros += (at[i] - '0') * scale;
  }
  return ((days * 24 + two(at + 11)) * 60 + two(at + 14)) * 60'000'000 + two(at + 17) * 1'000'000ll + micros;
}

inline char* put_two(char* at, unsigned value) {
  at[0] = static_cast<char>('0' + value / 10);
  at[1] = static_cast<char>('0' + value % 10);
  return at + 2;
}

inline char* put_time(char* at, std::int64_t micros) {
  std::int64_t days = micros / 86'400'000'000;
  std::int64_t rest = micros % 86'400'000'000;
  const std::int64_t z = days + 719468;
  const std::int64_t era = z / 146097;
  const auto doe = static_cast<unsigned>(z - era * 146097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  const unsigned day = doy - (153 * mp + 2) / 5 + 1;
  const unsigned month = mp < 10 ? mp + 3 : mp - 9;
  const auto year = static_cast<unsigned>(yoe + era * 400 + (month <= 2));
  at = put_two(at, year / 100);
  at = put_two(at, year % 100);
  *at++ = '-';
  at = put_two(at, month);
  *at++ = '-';
  at = put_two(at, day);
  *at++ = 'T';
  const auto seconds = static_cast<unsigned>(rest / 1'000'000);
  at = put_two(at, seconds / 3600);
  *at++ = ':';
  at = put_two(at, seconds / 60 % 60);
  *at++ = ':';
  at = put_two(at, seconds % 60);
  auto fraction = static_cast<unsigned>(rest % 1'000'000);
  if (fraction != 0) {
    *at++ = '.';
    for (unsigned scale = 100000; fraction != 0; scale /= 10) {
      *at++ = static_cast<char>('0' + fraction / scale);
      fraction %= scale;
    }
  }
  *at++ = 'Z';
  return at;
}

}  // namespace baseline
