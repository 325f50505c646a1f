// Fuzzes the decoders: no input may crash them, and
// - JSON is taken and refused as a second parser does (apart from types), and as the checking helper does;
// - what was decoded, written and decoded again is written the same;
// - a plain token that the helpers for generated parsers take has the value that the reference decoder finds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/value/decoder.h"
#include "runtime/value/helpers.h"
#include "runtime/value/scalar_text.h"
#include "runtime/value/text_tables.h"
#include "runtime/value/value_testing.h"

namespace {

using namespace weir::value;
using weir::value::testing::Record;

[[noreturn]] void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what, text.c_str());
  std::abort();
}

const weir_type* record_type() {
  static const weir_type* type = [] {
    Record inner;
    inner.add("x", testing::optional(testing::int_type())).add("y", testing::optional(testing::float_type()));
    Record record;
    record.add("s", testing::optional(testing::string_type()))
        .add("i", testing::optional(testing::int_type()))
        .add("d", testing::optional(testing::decimal_type(12, 2)))
        .add("w", testing::optional(testing::decimal_type(38, 10)))
        .add("f", testing::optional(testing::float_type()))
        .add("b", testing::optional(testing::bool_type()))
        .add("t", testing::optional(testing::timestamp_type()))
        .add("u", testing::optional(testing::timestamp_type(WEIR_TIME_UNIX_MS)))
        .add("p", testing::optional(testing::duration_type()))
        .add("r", testing::optional(testing::bytes_type()))
        .add("l", testing::optional(testing::list(testing::int_type())))
        .add("m", testing::optional(testing::map(inner.type())));
    return record.type();
  }();
  return type;
}

// Says whether a second parser stopped at a number that is too large for it, and for nothing else.
struct NumberRange : nlohmann::json_sax<nlohmann::json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    too_large = error.id == 406;
    return false;
  }
  bool too_large = false;
};

std::string written(const weir_type* type, const std::string& frame) {
  std::string out(weir_json_bound(type, frame.data()), '\0');
  char* end = weir_put_json(out.data(), type, frame.data());
  if (end == nullptr || end > out.data() + out.size()) {
    fail("not written within its bound", "");
  }
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

void fuzz_json(weir_worker* worker, const std::string& text) {
  const weir_type* type = record_type();
  std::string frame(type->size, '\0');
  weir_str detail = {};
  const std::uint32_t code = weir_decode_json(worker, type, text.data(), text.size(), frame.data(), &detail);
  const std::string padded = text + std::string(WEIR_INPUT_PADDING, '7');
  const char* end = padded.data() + text.size();
  const char* skipped = weir_skip_value(padded.data(), end);
  while (skipped != nullptr && skipped < end && std::strchr(" \t\r\n", *skipped) != nullptr &&
         *skipped != '\0') {
    ++skipped;
  }
  NumberRange range;
  nlohmann::json::sax_parse(text, &range);
  if (code == 5017 || range.too_large) {
    return;
  }
  // The second parser skips a byte-order mark and takes NUL for the end.
  const bool valid = nlohmann::json::accept(text) && !text.starts_with("\xEF\xBB\xBF") &&
                     text.find('\0') == std::string::npos;
  if (valid ? code == 5001 || code == 5002 : code == 0) {
    fail("the parsers disagree", text);
  }
  if (skipped == end ? !valid : valid && text.size() < 128) {
    fail("the checking helper disagrees", text);
  }
  if (code != 0) {
    if (detail.size == 0) {
      fail("an error without a message", text);
    }
    return;
  }
  const std::string once = written(type, frame);
  std::string again(type->size, '\0');
  // The wire form of `u` is a number only on the way in.
  const bool has_unix = once.find("\"u\":null") == std::string::npos;
  if (!has_unix) {
    if (weir_decode_json(worker, type, once.data(), once.size(), again.data(), &detail) != 0) {
      fail("what was written is not read", once);
    }
    if (written(type, again) != once) {
      fail("what was written is read differently", once);
    }
  }
  std::string key(weir_key_size(type->fields[0].type, frame.data()), '\0');
  if (weir_key_put(key.data(), type->fields[0].type, frame.data()) != key.data() + key.size()) {
    fail("a key is not as long as was said", text);
  }
}

template <typename T, typename Read>
void compare(weir_worker* worker, const weir_type& type, const std::string& token, Read read) {
  const std::string padded = token + "," + std::string(WEIR_INPUT_PADDING, '7');
  T fast = {}, slow = {};
  const char* stop = read(padded.data(), padded.data() + token.size(), &fast);
  if (stop != padded.data() + token.size()) {
    return;
  }
  Reason reason;
  if (scalar_from_text(worker, type, token, &slow, reason) != 0 ||
      std::memcmp(&fast, &slow, sizeof fast) != 0) {
    fail("a helper disagrees with the reference decoder", token);
  }
}

void fuzz_tokens(weir_worker* worker, const std::string& token) {
  static const weir_type* ints = testing::int_type();
  static const weir_type* decimals = testing::decimal_type(12, 2);
  static const weir_type* floats = testing::float_type();
  static const weir_type* times = testing::timestamp_type();
  static const weir_type* nanos = testing::timestamp_type(WEIR_TIME_UNIX_NS);
  static const weir_type* millis = testing::timestamp_type(WEIR_TIME_UNIX_MS);
  compare<std::int64_t>(worker, *ints, token, weir_read_int);
  compare<std::int64_t>(worker, *decimals, token, [](const char* p, const char* end, std::int64_t* out) {
    return weir_read_decimal(p, end, 2, 12, out);
  });
  compare<double>(worker, *floats, token, weir_read_float);
  compare<std::int64_t>(worker, *times, token, weir_read_timestamp);
  compare<std::int64_t>(worker, *nanos, token, [](const char* p, const char* end, std::int64_t* out) {
    return weir_read_unix_time(p, end, 9, 0, out);
  });
  compare<std::int64_t>(worker, *millis, token, [](const char* p, const char* end, std::int64_t* out) {
    return weir_read_unix_time(p, end, 3, 0, out);
  });
}

void fuzz_csv(weir_worker* worker, const std::string& text) {
  static const weir_type* type = [] {
    Record record;
    record.add("a", testing::string_type()).add("b", testing::optional(testing::string_type()));
    return record.type();
  }();
  static const auto decoder = open_decoder({"csv", type, {"-"}, nullptr, 0, "a,b"});
  const char* cursor = text.data();
  weir_str record;
  while (weir_frame_csv(&cursor, text.data() + text.size(), 1, &record) != 0) {
    std::string frame(type->size, '\0');
    weir_str detail = {};
    if (weir_decode_csv(worker, decoder->get(), record.data, record.size, frame.data(), &detail) != 0) {
      continue;
    }
    std::string line(weir_csv_bound(type, frame.data()), '\0');
    char* end = weir_put_csv(line.data(), type, frame.data());
    if (end > line.data() + line.size()) {
      fail("not written within its bound", text);
    }
    line.resize(static_cast<std::size_t>(end - line.data()));
    std::string again(type->size, '\0');
    if (line != "-," && !line.starts_with("-,") && !line.ends_with(",-") &&
        (weir_decode_csv(worker, decoder->get(), line.data(), line.size(), again.data(), &detail) != 0 ||
         written(type, frame) != written(type, again))) {
      fail("what was written is read differently", line);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  testing::Worker worker;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 4) {
    case 0:
      fuzz_tokens(worker.get(), text);
      break;
    case 1:
      fuzz_csv(worker.get(), text);
      break;
    default:
      fuzz_json(worker.get(), text);
  }
  return 0;
}
