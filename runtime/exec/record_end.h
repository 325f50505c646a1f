#pragma once

namespace weir::exec {

/// Finds the end of one record that comes in pieces, of which none has to be kept: the next line feed, for CSV the next
/// outside quotes (by the rules of weir_frame_csv).
class RecordEnd {
 public:
  explicit RecordEnd(bool csv) : csv_(csv) {}

  /// Behind the record's line feed, or null: it is not in [p, end), which the next piece continues.
  const char* find(const char* p, const char* end);

 private:
  enum class Place { field_begin, in_field, in_quotes, behind_quote };

  bool csv_;
  Place place_ = Place::field_begin;
};

}  // namespace weir::exec
