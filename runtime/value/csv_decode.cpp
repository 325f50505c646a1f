// CSV (RFC 4180) by the header of its file.
#include <algorithm>
#include <cstring>

#include "runtime/value/columns.h"
#include "runtime/value/csv_fields.h"
#include "runtime/value/decoder.h"
#include "runtime/value/helpers.h"
#include "runtime/value/open_decoder.h"

namespace weir::value {

namespace {

constexpr std::int32_t kIgnored = -1;

class CsvDecoder : public Decoder {
 public:
  CsvDecoder(const weir_type& type, std::vector<Column> columns, std::vector<std::int32_t> order,
             std::vector<std::string> nulls)
      : type_(type), columns_(std::move(columns)), order_(std::move(order)), nulls_(std::move(nulls)) {}

  std::uint32_t decode(weir_worker* worker, std::string_view record, char* frame,
                       weir_str* detail) const override {
    std::memset(frame, 0, type_.size);
    Reason reason;
    const std::uint32_t code = decode(worker, record, frame, reason);
    return code == 0 ? 0 : report(worker, reason, detail);
  }

 private:
  std::uint32_t decode(weir_worker* worker, std::string_view record, char* frame, Reason& reason) const {
    if (check_utf8(record, reason) != 0) {
      return reason.code;
    }
    CsvFields fields(record);
    CsvField field;
    std::size_t index = 0;
    while (fields.next(worker, &field)) {
      if (index < order_.size() && order_[index] != kIgnored) {
        const Column& column = columns_[static_cast<std::size_t>(order_[index])];
        if (fill_column(worker, column, field.text, absent(column, field), field.at + 1, frame, reason) !=
            0) {
          return reason.code;
        }
      }
      ++index;
    }
    if (fields.error() != nullptr) {
      return reason.set(5001, "byte {}: {}", fields.error_at() + 1, fields.error());
    }
    if (index != order_.size()) {
      return reason.set(5011, "{} fields, but the header has {}", index, order_.size());
    }
    return 0;
  }

  bool absent(const Column& column, const CsvField& field) const {
    if (field.quoted) {
      return false;
    }
    if (field.text.empty()) {
      return column.optional || column.type->kind != WEIR_STRING;
    }
    return std::find(nulls_.begin(), nulls_.end(), field.text) != nulls_.end();
  }

  const weir_type& type_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> order_;  // per field of a line: index into columns_, or kIgnored
  std::vector<std::string> nulls_;
};

}  // namespace

std::expected<std::unique_ptr<const Decoder>, std::string> open_csv(const DecoderOptions& options) {
  auto columns = columns_of(*options.type);
  if (!columns) {
    return std::unexpected(std::move(columns.error()));
  }
  std::string_view header = options.header;
  if (header.starts_with("\xEF\xBB\xBF")) {
    header.remove_prefix(3);
  }
  if (header.ends_with('\n')) {
    header.remove_suffix(1);
  }
  if (header.ends_with('\r')) {
    header.remove_suffix(1);
  }
  weir_worker worker = {};
  const ScratchOwner owner(&worker);
  CsvFields fields(header);
  CsvField field;
  std::vector<std::int32_t> order;
  std::vector<bool> found(columns->size());
  while (fields.next(&worker, &field)) {
    std::int32_t match = kIgnored;
    for (std::size_t i = 0; i < columns->size(); ++i) {
      if ((*columns)[i].name == field.text) {
        if (found[i]) {
          return std::unexpected("the header has the column `" + (*columns)[i].name + "` twice");
        }
        found[i] = true;
        match = static_cast<std::int32_t>(i);
      }
    }
    order.push_back(match);
  }
  if (fields.error() != nullptr) {
    return std::unexpected(std::string("the header is malformed: ") + fields.error());
  }
  for (std::size_t i = 0; i < columns->size(); ++i) {
    if (!found[i] && !(*columns)[i].optional) {
      return std::unexpected("the header has no column `" + (*columns)[i].name + "`, which is required");
    }
  }
  return std::make_unique<CsvDecoder>(*options.type, std::move(*columns), std::move(order),
                                      options.null_texts);
}

}  // namespace weir::value
