// The reference JSON parser: walks every value of the text, none skipped. The only includer of simdjson.
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/value/bitcode/digits.h"
#include "runtime/value/helpers.h"
#include "runtime/value/json_numbers.h"
#include "runtime/value/reason.h"
#include "runtime/value/scalar_text.h"
#include "runtime/value/text.h"

namespace weir::value {

namespace {

namespace ondemand = simdjson::ondemand;

// Reused between records of one thread: the parser's index and string buffers, and a copy of the text with the padding
// that it needs.
class Buffers {
 public:
  // Null when memory is short.
  char* padded(std::size_t size) {
    if (size + simdjson::SIMDJSON_PADDING > capacity_) {
      const std::size_t wanted = std::max<std::size_t>(2 * (size + simdjson::SIMDJSON_PADDING), 4096);
      text_.reset(new (std::nothrow) char[wanted]);
      capacity_ = text_ ? wanted : 0;
    }
    return text_.get();
  }
  ondemand::parser& parser() { return parser_; }

 private:
  ondemand::parser parser_;
  std::unique_ptr<char[]> text_;
  std::size_t capacity_ = 0;
};

// Where a value stands, from the record inwards.
struct Place {
  const Place* parent;
  std::string_view name;  // of a field or a map's key
  std::int64_t index;     // of a list's element, or a mark below
};
constexpr std::int64_t kFieldPlace = -1;
constexpr std::int64_t kKeyPlace = -2;

// Slots of one size that are appended in the scratch arena.
class Slots {
 public:
  Slots(weir_worker* worker, std::uint32_t size) : worker_(worker), size_(size) {}
  // The next slot, zero bytes.
  char* append() {
    if (count_ == capacity_) {
      capacity_ = capacity_ == 0 ? 8 : capacity_ * 2;
      auto* larger = static_cast<char*>(weir_scratch_take(worker_, capacity_ * size_));
      if (count_ != 0) {
        std::memcpy(larger, data_, count_ * size_);
      }
      data_ = larger;
    }
    char* slot = data_ + count_++ * size_;
    std::memset(slot, 0, size_);
    return slot;
  }
  char* at(std::uint64_t index) const { return data_ + index * size_; }
  std::uint64_t count() const { return count_; }
  const char* data() const { return data_; }

 private:
  weir_worker* worker_;
  std::uint64_t size_;
  char* data_ = nullptr;
  std::uint64_t count_ = 0;
  std::uint64_t capacity_ = 0;
};

std::string_view key_of(const char* entry) {
  weir_str key;
  std::memcpy(&key, entry, sizeof key);
  return {key.data, key.size};
}

std::string_view trim_end(std::string_view token) {
  while (!token.empty() &&
         (token.back() == ' ' || token.back() == '\t' || token.back() == '\n' || token.back() == '\r')) {
    token.remove_suffix(1);
  }
  return token;
}

// The first byte that is not white space behind the bracket that closes the one at `p`; `end` if there is none.
const char* behind_brackets(const char* p, const char* end) {
  int depth = 0;
  bool quoted = false;
  for (; p != end; ++p) {
    if (quoted) {
      quoted = *p != '"';
      if (*p == '\\' && p + 1 != end) {
        ++p;
      }
      continue;
    }
    quoted = *p == '"';
    depth += *p == '{' || *p == '[' ? 1 : *p == '}' || *p == ']' ? -1 : 0;
    if (depth == 0) {
      ++p;
      break;
    }
  }
  while (p != end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) {
    ++p;
  }
  return p;
}

// The first control character inside a string.
const char* control_in_string(const char* p, const char* end) {
  bool quoted = false;
  for (; p != end && !(quoted && static_cast<unsigned char>(*p) < 0x20); ++p) {
    if (quoted && *p == '\\' && p + 1 != end && static_cast<unsigned char>(p[1]) >= 0x20) {
      ++p;
    } else if (*p == '"') {
      quoted = !quoted;
    }
  }
  return p;
}

class Walk {
 public:
  Walk(weir_worker* worker, const char* original, const char* padded, std::uint64_t size)
      : worker_(worker), original_(original), padded_(padded), size_(size) {}

  // Every function returns 0 or the code of reason_.
  std::uint32_t document(ondemand::document& doc, const weir_type& type, char* frame);
  Reason& reason() { return reason_; }
  std::uint32_t utf8() {
    return reason_.set(5002, "byte {}: not valid UTF-8", weir_utf8_error(original_, size_) + 1);
  }
  std::uint32_t malformed(const char* at, std::string_view what) {
    return reason_.set(5001, "byte {}: {}", position(at), what);
  }

 private:
  std::uint32_t value(ondemand::value value, const weir_type* type, char* slot, const Place& place,
                      int depth);
  std::uint32_t object(ondemand::object object, const weir_type* type, char* slot, const Place* place,
                       int depth);
  std::uint32_t map(ondemand::object object, const weir_type& type, char* slot, const Place& place,
                    int depth);
  std::uint32_t array(ondemand::array array, const weir_type* type, char* slot, const Place& place,
                      int depth);
  std::uint32_t string(ondemand::value value, std::string_view token, const weir_type* type, char* slot,
                       const Place& place);
  std::uint32_t number(std::string_view token, const weir_type* type, char* slot, const Place& place);
  std::uint32_t literal(std::string_view token, const weir_type* type, char* slot, const Place& place);
  std::uint32_t null(const weir_type& type, const Place& place, const char* at);
  std::uint32_t sort(Slots& entries, const weir_type& type, const Place& place, weir_list* sorted);
  // Text behind the record's object, if there is any.
  std::uint32_t trailing(const char* at) { return malformed(at, "text behind the end of the object"); }
  std::uint32_t missing(const weir_type& type, const unsigned char* seen, const Place* place);
  std::uint32_t next_key(ondemand::field& field, std::string_view* key);

  // A string that was read from `raw` (behind its quote): a view of the input if nothing was escaped.
  std::string_view keep(std::string_view text, const char* raw, bool* valid);
  std::uint32_t wrong(std::string_view token, std::string_view found, const weir_type& type,
                      const Place& place);
  // Puts the field's name and the position before what scalar_from_text said.
  std::uint32_t placed(const Reason& inner, const Place& place, const char* at);
  void add_path(const Place* place);
  std::uint64_t position(const char* at) const {
    const auto offset = static_cast<std::uint64_t>(at - padded_);
    return (offset < size_ ? offset : size_) + 1;
  }

  weir_worker* worker_;
  const char* original_;
  const char* padded_;
  std::uint64_t size_;
  const char* last_ =
      nullptr;  // begin of the last token that was looked at, for the position of a grammar error
  ondemand::document* document_ = nullptr;
  Reason reason_;
};

void Walk::add_path(const Place* place) {
  if (place->parent != nullptr) {
    add_path(place->parent);
  }
  if (place->index >= 0) {
    reason_.add("[{}]", place->index);
  } else if (place->index == kKeyPlace) {
    reason_.add("[\"{}\"]", Shown{place->name});
  } else {
    reason_.add("{}{}", place->parent == nullptr ? "" : ".", place->name);
  }
}

std::uint32_t Walk::placed(const Reason& inner, const Place& place, const char* at) {
  reason_.set(inner.code, "field `");
  add_path(&place);
  return reason_.add("` at byte {}: {}", position(at), inner.view());
}

std::uint32_t Walk::wrong(std::string_view token, std::string_view found, const weir_type& type,
                          const Place& place) {
  char name[64];
  Reason inner;
  inner.set(5004, "expected {}, found {}", type_name(type, name), found);
  return placed(inner, place, token.data());
}

std::string_view Walk::keep(std::string_view text, const char* raw, bool* valid) {
  const char* end = padded_ + size_;
  if (static_cast<std::size_t>(end - raw) > text.size() && raw[text.size()] == '"' &&
      std::memcmp(raw, text.data(), text.size()) == 0) {
    *valid = true;
    return {original_ + (raw - padded_), text.size()};
  }
  *valid = weir_utf8_valid(text.data(), text.size()) != 0;
  auto* copy = static_cast<char*>(weir_scratch_take(worker_, text.size()));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

std::uint32_t Walk::string(ondemand::value value, std::string_view token, const weir_type* type, char* slot,
                           const Place& place) {
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS) {
    return malformed(token.data(), "a string with an invalid escape");
  }
  bool valid;
  const std::string_view kept = keep(text, token.data() + 1, &valid);
  if (!valid) {
    return malformed(token.data(), "a string with an unpaired surrogate");
  }
  if (type == nullptr) {
    return 0;
  }
  const bool unix_time = type->kind == WEIR_TIMESTAMP && type->time_codec >= WEIR_TIME_UNIX_S &&
                         type->time_codec <= WEIR_TIME_UNIX_NS;
  switch (type->kind) {
    case WEIR_DECIMAL:
    case WEIR_STRING:
    case WEIR_BYTES:
    case WEIR_TIMESTAMP:
    case WEIR_DURATION:
      if (!unix_time) {
        break;
      }
      [[fallthrough]];
    default:
      return wrong(token, "a string", *type, place);
  }
  Reason inner;
  return scalar_from_text(worker_, *type, kept, slot, inner) == 0 ? 0 : placed(inner, place, token.data());
}

std::uint32_t Walk::number(std::string_view token, const weir_type* type, char* slot, const Place& place) {
  if (!is_json_number(token)) {
    return malformed(token.data(), "not a number of JSON");
  }
  if (type == nullptr) {
    return 0;
  }
  const bool unix_time = type->kind == WEIR_TIMESTAMP && type->time_codec >= WEIR_TIME_UNIX_S &&
                         type->time_codec <= WEIR_TIME_UNIX_NS;
  if (type->kind != WEIR_INT && type->kind != WEIR_FLOAT && type->kind != WEIR_DECIMAL && !unix_time) {
    return wrong(token, "a number", *type, place);
  }
  Reason inner;
  return scalar_from_text(worker_, *type, token, slot, inner) == 0 ? 0 : placed(inner, place, token.data());
}

std::uint32_t Walk::literal(std::string_view token, const weir_type* type, char* slot, const Place& place) {
  if (token != "true" && token != "false") {
    return malformed(token.data(), "not a value of JSON");
  }
  if (type == nullptr) {
    return 0;
  }
  if (type->kind != WEIR_BOOL) {
    return wrong(token, token, *type, place);
  }
  *slot = token == "true" ? 1 : 0;
  return 0;
}

std::uint32_t Walk::null(const weir_type& type, const Place& place, const char* at) {
  char name[64];
  Reason inner;
  inner.set(5003, "null, but the type {} is not optional", type_name(type, name));
  return placed(inner, place, at);
}

std::uint32_t Walk::value(ondemand::value value, const weir_type* type, char* slot, const Place& place,
                          int depth) {
  const std::string_view token = trim_end(value.raw_json_token());
  last_ = token.data();
  if (token.empty()) {
    return malformed(token.data(), "a value is missing");
  }
  if (token[0] == 'n') {
    if (token != "null") {
      return malformed(token.data(), "not a value of JSON");
    }
    return type == nullptr || type->kind == WEIR_OPTIONAL ? 0 : null(*type, place, token.data());
  }
  if (type != nullptr && type->kind == WEIR_OPTIONAL) {
    slot[type->element->size] = 1;
    type = type->element;
  }
  switch (token[0]) {
    case '{': {
      if (depth >= static_cast<int>(WEIR_MAX_DEPTH)) {
        return reason_.set(5017, "byte {}: nested deeper than {} levels", position(token.data()),
                           WEIR_MAX_DEPTH);
      }
      if (type != nullptr && type->kind != WEIR_RECORD && type->kind != WEIR_MAP) {
        return wrong(token, "an object", *type, place);
      }
      ondemand::object object_value;
      if (value.get_object().get(object_value) != simdjson::SUCCESS) {
        return malformed(token.data(), "an object that is not closed");
      }
      return type != nullptr && type->kind == WEIR_MAP ? map(object_value, *type, slot, place, depth + 1)
                                                       : object(object_value, type, slot, &place, depth + 1);
    }
    case '[': {
      if (depth >= static_cast<int>(WEIR_MAX_DEPTH)) {
        return reason_.set(5017, "byte {}: nested deeper than {} levels", position(token.data()),
                           WEIR_MAX_DEPTH);
      }
      if (type != nullptr && type->kind != WEIR_LIST) {
        return wrong(token, "an array", *type, place);
      }
      ondemand::array array_value;
      if (value.get_array().get(array_value) != simdjson::SUCCESS) {
        return malformed(token.data(), "an array that is not closed");
      }
      return array(array_value, type, slot, place, depth + 1);
    }
    case '"':
      return string(value, token, type, slot, place);
    case 't':
    case 'f':
      return literal(token, type, slot, place);
    default:
      // Literals and numbers are judged by their token; the iterator steps over them by itself.
      return number(token, type, slot, place);
  }
}

std::uint32_t Walk::array(ondemand::array array, const weir_type* type, char* slot, const Place& place,
                          int depth) {
  Slots elements(worker_, type == nullptr ? 0 : type->element_size);
  std::int64_t index = 0;
  for (auto item : array) {
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS) {
      return malformed(last_, "an array that goes on badly behind this");
    }
    const Place here{&place, {}, index++};
    const std::uint32_t code = type == nullptr
                                   ? value(element, nullptr, nullptr, here, depth)
                                   : value(element, type->element, elements.append(), here, depth);
    if (code != 0) {
      return code;
    }
  }
  if (type != nullptr) {
    const weir_list list{elements.data(), elements.count()};
    std::memcpy(slot, &list, sizeof list);
  }
  return 0;
}

std::uint32_t Walk::next_key(ondemand::field& field, std::string_view* key) {
  const char* raw = field.key().raw();
  last_ = raw - 1;
  std::string_view text;
  if (field.unescaped_key().get(text) != simdjson::SUCCESS) {
    return malformed(last_, "a key with an invalid escape");
  }
  bool valid;
  *key = keep(text, raw, &valid);
  return valid ? 0 : malformed(last_, "a key with an unpaired surrogate");
}

std::uint32_t Walk::map(ondemand::object object, const weir_type& type, char* slot, const Place& place,
                        int depth) {
  Slots entries(worker_, type.element_size);
  for (auto item : object) {
    ondemand::field field;
    if (std::move(item).get(field) != simdjson::SUCCESS) {
      return malformed(last_, "an object that goes on badly behind this");
    }
    std::string_view key;
    if (const std::uint32_t code = next_key(field, &key); code != 0) {
      return code;
    }
    char* entry = entries.append();
    const weir_str stored{key.data(), key.size()};
    std::memcpy(entry, &stored, sizeof stored);
    const Place here{&place, key, kKeyPlace};
    if (const std::uint32_t code = value(field.value(), type.element, entry + type.value_offset, here, depth);
        code != 0) {
      return code;
    }
  }
  weir_list list;
  if (const std::uint32_t code = sort(entries, type, place, &list); code != 0) {
    return code;
  }
  std::memcpy(slot, &list, sizeof list);
  return 0;
}

std::uint32_t Walk::sort(Slots& entries, const weir_type& type, const Place& place, weir_list* sorted) {
  const std::uint64_t count = entries.count();
  *sorted = {entries.data(), count};
  bool ascending = true;
  for (std::uint64_t i = 1; i < count && ascending; ++i) {
    ascending = key_of(entries.at(i - 1)) < key_of(entries.at(i));
  }
  if (ascending) {
    return 0;
  }
  auto** order = static_cast<const char**>(weir_scratch_take(worker_, count * sizeof(char*)));
  for (std::uint64_t i = 0; i < count; ++i) {
    order[i] = entries.at(i);
  }
  std::sort(order, order + count, [](const char* a, const char* b) { return key_of(a) < key_of(b); });
  auto* copy = static_cast<char*>(weir_scratch_take(worker_, count * type.element_size));
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i != 0 && key_of(order[i - 1]) == key_of(order[i])) {
      reason_.set(5005, "field `");
      add_path(&place);
      return reason_.add("`: the key \"{}\" appears twice", Shown{key_of(order[i])});
    }
    std::memcpy(copy + i * type.element_size, order[i], type.element_size);
  }
  *sorted = {copy, count};
  return 0;
}

std::uint32_t Walk::missing(const weir_type& type, const unsigned char* seen, const Place* place) {
  for (std::uint32_t i = 0; i < type.field_count; ++i) {
    if (seen[i] == 0 && type.fields[i].type->kind != WEIR_OPTIONAL) {
      const weir_str name = type.fields[i].wire_name;
      const Place here{place, {name.data, name.size}, kFieldPlace};
      reason_.set(5003, "field `");
      add_path(&here);
      return reason_.add("` is missing");
    }
  }
  return 0;
}

std::uint32_t Walk::object(ondemand::object object, const weir_type* type, char* slot, const Place* place,
                           int depth) {
  unsigned char few[64] = {};
  unsigned char* seen = few;
  const std::uint32_t field_count = type == nullptr ? 0 : type->field_count;
  if (field_count > sizeof few) {
    seen = static_cast<unsigned char*>(weir_scratch_take(worker_, field_count));
    std::memset(seen, 0, field_count);
  }
  std::uint32_t expected = 0;  // keys usually come in the declared order
  for (auto item : object) {
    ondemand::field field;
    if (std::move(item).get(field) != simdjson::SUCCESS) {
      return malformed(last_, "an object that goes on badly behind this");
    }
    std::string_view key;
    if (const std::uint32_t code = next_key(field, &key); code != 0) {
      return code;
    }
    const weir_field* declared = nullptr;
    for (std::uint32_t i = 0; i < field_count && declared == nullptr; ++i) {
      const std::uint32_t at = expected + i < field_count ? expected + i : expected + i - field_count;
      const weir_str name = type->fields[at].wire_name;
      if (key == std::string_view(name.data, name.size)) {
        declared = &type->fields[at];
        expected = at + 1 < field_count ? at + 1 : 0;
        if (seen[at] != 0) {
          const Place here{place, key, kFieldPlace};
          reason_.set(5005, "field `");
          add_path(&here);
          return reason_.add("` at byte {}: appears a second time", position(last_));
        }
        seen[at] = 1;
      }
    }
    const Place here{place, key, kFieldPlace};
    const std::uint32_t code =
        declared == nullptr ? value(field.value(), nullptr, nullptr, here, depth)
                            : value(field.value(), declared->type, slot + declared->offset, here, depth);
    if (code != 0) {
      return code;
    }
  }
  if (place == nullptr) {
    // Not an object alone is worse than one without a field.
    const char* behind;
    if (document_->current_location().get(behind) == simdjson::SUCCESS) {
      return trailing(behind);
    }
  }
  return type == nullptr ? 0 : missing(*type, seen, place);
}

std::uint32_t Walk::document(ondemand::document& doc, const weir_type& type, char* frame) {
  const char* begin = padded_;
  const char* end = padded_ + size_;
  while (begin != end && (*begin == ' ' || *begin == '\t' || *begin == '\n' || *begin == '\r')) {
    ++begin;
  }
  last_ = begin;
  if (begin == end) {
    return malformed(begin, "nothing but white space");
  }
  if (*begin != '{') {
    // The padding is readable, so that the checking helper may look at it.
    const char* stop = weir_skip_value(begin, end);
    while (stop != nullptr && stop != end &&
           (*stop == ' ' || *stop == '\t' || *stop == '\n' || *stop == '\r')) {
      ++stop;
    }
    return stop == end ? reason_.set(5004, "byte {}: expected an object", position(begin))
                       : malformed(begin, "not a value of JSON");
  }
  ondemand::object root;
  if (doc.get_object().get(root) != simdjson::SUCCESS) {
    // The text's last token does not close an object.
    const char* behind = behind_brackets(begin, end);
    return behind == end ? malformed(end, "the object is not closed") : trailing(behind);
  }
  document_ = &doc;
  return object(root, &type, frame, nullptr, 1);
}

Buffers& thread_buffers() {
  thread_local Buffers buffers;
  return buffers;
}

}  // namespace

}  // namespace weir::value

extern "C" {

uint32_t weir_decode_json(weir_worker* worker, const weir_type* type, const char* data, uint64_t size,
                          void* frame, weir_str* detail) {
  using namespace weir::value;
  Buffers& buffers = thread_buffers();
  std::memset(frame, 0, type->size);
  std::uint32_t code;
  char* padded = buffers.padded(size);
  Walk walk(worker, data, padded, size);
  simdjson::ondemand::document doc;
  if (padded == nullptr || size > 0xFFFFFFF0u) {
    code = walk.reason().set(5018, "too long for the parser: {} bytes", size);
  } else {
    if (size != 0) {
      std::memcpy(padded, data, size);
    }
    std::memset(padded + size, ' ', simdjson::SIMDJSON_PADDING);
    const auto error = buffers.parser().iterate(padded, size, size + simdjson::SIMDJSON_PADDING).get(doc);
    switch (error) {
      case simdjson::SUCCESS:
        code = walk.document(doc, *type, static_cast<char*>(frame));
        break;
      case simdjson::UTF8_ERROR:
        code = walk.utf8();
        break;
      case simdjson::UNCLOSED_STRING:
        code = walk.malformed(padded + size, "a string is not closed");
        break;
      case simdjson::UNESCAPED_CHARS:
        code = walk.malformed(control_in_string(padded, padded + size), "a control character in a string");
        break;
      case simdjson::EMPTY:
        code = walk.malformed(padded, "nothing but white space");
        break;
      default:
        code = walk.malformed(padded, simdjson::error_message(error));
    }
  }
  if (code != 0) {
    const std::string_view text = walk.reason().view();
    auto* copy = static_cast<char*>(weir_scratch_take(worker, text.size()));
    std::memcpy(copy, text.data(), text.size());
    *detail = {copy, text.size()};
  }
  return code;
}

int32_t weir_utf8_valid(const char* data, uint64_t size) {
  return simdjson::validate_utf8(data, size) ? 1 : 0;
}

}  // extern "C"
