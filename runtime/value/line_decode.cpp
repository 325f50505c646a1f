// The formats text (a line is one string) and regex (its named groups are the fields), and the choice of a decoder.
#include <algorithm>
#include <cstring>

#include "runtime/value/columns.h"
#include "runtime/value/decoder.h"
#include "runtime/value/helpers.h"
#include "runtime/value/open_decoder.h"
#include "runtime/value/text_tables_access.h"

namespace weir::value {

namespace {

bool is_null_text(const std::vector<std::string>& nulls, std::string_view text) {
  return std::find(nulls.begin(), nulls.end(), text) != nulls.end();
}

class TextDecoder : public Decoder {
 public:
  TextDecoder(const weir_type& type, Column column, std::vector<std::string> nulls)
      : type_(type), column_(std::move(column)), nulls_(std::move(nulls)) {}
  std::uint32_t decode(weir_worker* worker, std::string_view record, char* frame,
                       weir_str* detail) const override {
    std::memset(frame, 0, type_.size);
    Reason reason;
    if (check_utf8(record, reason) != 0 ||
        fill_column(worker, column_, record, is_null_text(nulls_, record), 0, frame, reason) != 0) {
      return report(worker, reason, detail);
    }
    return 0;
  }

 private:
  const weir_type& type_;
  Column column_;
  std::vector<std::string> nulls_;
};

class RegexDecoder : public Decoder {
 public:
  RegexDecoder(const weir_type& type, std::vector<Column> columns, std::vector<std::size_t> groups,
               const Regex& regex, std::vector<std::string> nulls)
      : type_(type),
        columns_(std::move(columns)),
        groups_(std::move(groups)),
        regex_(regex),
        count_(groups_.empty() ? 1 : *std::max_element(groups_.begin(), groups_.end()) + 1),
        nulls_(std::move(nulls)) {}

  std::uint32_t decode(weir_worker* worker, std::string_view record, char* frame,
                       weir_str* detail) const override {
    std::memset(frame, 0, type_.size);
    Reason reason;
    if (check_utf8(record, reason) != 0) {
      return report(worker, reason, detail);
    }
    std::string_view found[64];
    if (!regex_.match_whole(record, found, count_)) {
      reason.set(5012, "the line does not match the pattern: {}", Shown{record});
      return report(worker, reason, detail);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view text = groups_[i] == 0 ? std::string_view() : found[groups_[i]];
      const bool absent = text.data() == nullptr || is_null_text(nulls_, text);
      const std::uint64_t at =
          text.data() == nullptr ? 0 : static_cast<std::uint64_t>(text.data() - record.data()) + 1;
      if (fill_column(worker, columns_[i], text, absent, at, frame, reason) != 0) {
        return report(worker, reason, detail);
      }
    }
    return 0;
  }

 private:
  const weir_type& type_;
  std::vector<Column> columns_;
  std::vector<std::size_t> groups_;  // per column: number of its group, 0 when the pattern has none
  const Regex& regex_;
  std::size_t count_;
  std::vector<std::string> nulls_;
};

using Opened = std::expected<std::unique_ptr<const Decoder>, std::string>;

Opened open_text(const DecoderOptions& options) {
  auto columns = columns_of(*options.type);
  if (!columns) {
    return std::unexpected(std::move(columns.error()));
  }
  if (columns->size() != 1 || columns->front().type->kind != WEIR_STRING) {
    return std::unexpected(
        std::string("the format text needs a type with exactly one field, of type string"));
  }
  return std::make_unique<TextDecoder>(*options.type, columns->front(), options.null_texts);
}

Opened open_regex(const DecoderOptions& options) {
  auto columns = columns_of(*options.type);
  if (!columns) {
    return std::unexpected(std::move(columns.error()));
  }
  const Regex& regex = regex_of(*options.texts, options.regex);
  std::vector<std::size_t> groups;
  for (const Column& column : *columns) {
    const auto& names = regex.groups();
    const auto place = std::find(names.begin(), names.end(), column.name);
    if (place == names.end() && !column.optional) {
      return std::unexpected("the pattern has no group (?<" + column.name + ">…), which is required");
    }
    groups.push_back(place == names.end() ? 0 : static_cast<std::size_t>(place - names.begin()) + 1);
  }
  return std::make_unique<RegexDecoder>(*options.type, std::move(*columns), std::move(groups), regex,
                                        options.null_texts);
}

std::uint32_t run(weir_worker* worker, const void* decoder, const char* data, std::uint64_t size, void* frame,
                  weir_str* detail) {
  return static_cast<const Decoder*>(decoder)->decode(worker, {data, size}, static_cast<char*>(frame),
                                                      detail);
}

}  // namespace

Opened open_decoder(const DecoderOptions& options) {
  if (options.format == "csv") {
    return open_csv(options);
  }
  if (options.format == "text") {
    return open_text(options);
  }
  if (options.format == "regex") {
    return open_regex(options);
  }
  return nullptr;
}

}  // namespace weir::value

extern "C" {

uint32_t weir_decode_csv(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                         void* frame, weir_str* detail) {
  return weir::value::run(worker, decoder, data, size, frame, detail);
}

uint32_t weir_decode_text(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                          void* frame, weir_str* detail) {
  return weir::value::run(worker, decoder, data, size, frame, detail);
}

uint32_t weir_decode_regex(weir_worker* worker, const void* decoder, const char* data, uint64_t size,
                           void* frame, weir_str* detail) {
  return weir::value::run(worker, decoder, data, size, frame, detail);
}

}  // extern "C"
