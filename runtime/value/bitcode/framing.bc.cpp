// Finds where records begin and end in a batch of input.
#include <cstring>

#include "runtime/value/helpers.h"

namespace {

struct Line {
  const char* begin;
  const char* end;   // without LF and CR
  const char* next;  // null: unfinished
};

inline Line take_line(const char* begin, const char* end, std::uint32_t last) {
  const char* newline =
      begin == end ? nullptr : static_cast<const char*>(std::memchr(begin, '\n', end - begin));
  if (newline == nullptr && (last == 0 || begin == end)) {
    return {begin, end, nullptr};
  }
  const char* line_end = newline == nullptr ? end : newline;
  const char* next = newline == nullptr ? end : newline + 1;
  if (line_end != begin && line_end[-1] == '\r') {
    --line_end;
  }
  return {begin, line_end, next};
}

inline bool blank_json(const char* begin, const char* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t' || *begin == '\r')) {
    ++begin;
  }
  return begin == end;
}

// The LF that ends the CSV record, or `end`. A quote opens at the begin of a field only.
inline const char* csv_end(const char* p, const char* end) {
  for (;;) {
    if (p != end && *p == '"') {
      ++p;
      for (;;) {
        p = p == end ? nullptr : static_cast<const char*>(std::memchr(p, '"', end - p));
        if (p == nullptr) {
          return end;
        }
        ++p;
        if (p == end || *p != '"') {
          break;
        }
        ++p;
      }
    }
    while (p != end && *p != ',' && *p != '\n') {
      ++p;
    }
    if (p == end || *p == '\n') {
      return p;
    }
    ++p;
  }
}

}  // namespace

extern "C" {

const char* weir_find_newline(const char* p, const char* end) {
  return p == end ? nullptr : static_cast<const char*>(std::memchr(p, '\n', end - p));
}

int32_t weir_frame_json(const char** cursor, const char* end, uint32_t last, weir_str* record) {
  for (;;) {
    const Line line = take_line(*cursor, end, last);
    if (line.next == nullptr) {
      return 0;
    }
    *cursor = line.next;
    if (line.begin != line.end &&
        (static_cast<unsigned char>(*line.begin) > ' ' || !blank_json(line.begin, line.end))) {
      *record = {line.begin, static_cast<std::uint64_t>(line.end - line.begin)};
      return 1;
    }
  }
}

int32_t weir_frame_line(const char** cursor, const char* end, uint32_t last, weir_str* record) {
  for (;;) {
    const Line line = take_line(*cursor, end, last);
    if (line.next == nullptr) {
      return 0;
    }
    *cursor = line.next;
    if (line.begin != line.end) {
      *record = {line.begin, static_cast<std::uint64_t>(line.end - line.begin)};
      return 1;
    }
  }
}

int32_t weir_frame_csv(const char** cursor, const char* end, uint32_t last, weir_str* record) {
  for (;;) {
    Line line = take_line(*cursor, end, last);
    if (line.next == nullptr) {
      return 0;
    }
    if (line.begin != line.end && std::memchr(line.begin, '"', line.end - line.begin) != nullptr) {
      const char* stop = csv_end(line.begin, end);
      if (stop == end && last == 0) {
        return 0;
      }
      line.next = stop == end ? end : stop + 1;
      line.end = stop != line.begin && stop[-1] == '\r' ? stop - 1 : stop;
    }
    *cursor = line.next;
    if (line.begin != line.end) {
      *record = {line.begin, static_cast<std::uint64_t>(line.end - line.begin)};
      return 1;
    }
  }
}

const char* weir_skip_bom(const weir_input* input) {
  const char* p = input->data;
  if (input->base == 0 && input->end - p >= 3 && std::memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
    return p + 3;
  }
  return p;
}

}  // extern "C"
