#include "runtime/value/csv_fields.h"

#include <cstring>

#include "runtime/value/helpers.h"

namespace weir::value {

bool CsvFields::next(weir_worker* worker, CsvField* field) {
  if (done_ || error_ != nullptr) {
    return false;
  }
  field->at = at_;
  if (at_ < record_.size() && record_[at_] == '"') {
    return quoted(worker, field);
  }
  const std::size_t stop = record_.find_first_of(",\"", at_);
  if (stop != std::string_view::npos && record_[stop] == '"') {
    return fail(stop, "a quote inside a field that does not begin with one");
  }
  const std::size_t end = stop == std::string_view::npos ? record_.size() : stop;
  field->text = record_.substr(at_, end - at_);
  field->quoted = false;
  done_ = stop == std::string_view::npos;
  at_ = end + 1;
  return true;
}

bool CsvFields::quoted(weir_worker* worker, CsvField* field) {
  const std::uint64_t begin = at_ + 1;
  std::uint64_t at = begin;
  bool doubled = false;
  for (;;) {
    const std::size_t quote = record_.find('"', at);
    if (quote == std::string_view::npos) {
      return fail(at_, "a quote is not closed");
    }
    at = quote + 1;
    if (at == record_.size() || record_[at] != '"') {
      break;
    }
    doubled = true;
    ++at;
  }
  if (at != record_.size() && record_[at] != ',') {
    return fail(at, "text behind a closing quote");
  }
  std::string_view text = record_.substr(begin, at - 1 - begin);
  if (doubled) {
    auto* copy = static_cast<char*>(weir_scratch_take(worker, text.size()));
    char* p = copy;
    for (std::size_t i = 0; i < text.size(); ++i) {
      *p++ = text[i];
      i += text[i] == '"' ? 1 : 0;
    }
    text = {copy, static_cast<std::size_t>(p - copy)};
  }
  field->text = text;
  field->quoted = true;
  done_ = at == record_.size();
  at_ = at + 1;
  return true;
}

}  // namespace weir::value
