// Weir's types. Immutable, interned by nobody: small trees shared by shared_ptr and compared structurally.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir::types {

enum class Kind : std::uint8_t {
  kError,  // poison: a mistake was already reported; compatible with everything
  kNull,   // the type of the literal `null` before it meets a T?
  kBool,
  kInt,
  kFloat,
  kDecimal,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,
  kMap,  // keys are strings
  kRecord,
  kOptional,
};

// How a timestamp is written in text formats. Belongs to the type where a source declares it; two timestamp
// types that differ only here are the same type in expressions.
struct TimeCodec {
  enum class Form : std::uint8_t { kRfc3339, kUnixS, kUnixMs, kUnixUs, kUnixNs, kPattern };
  Form form = Form::kRfc3339;
  bool floor = false;   // kUnixNs: digits below a microsecond are dropped instead of refused
  std::string pattern;  // kPattern: strptime pattern
  std::string zone;     // kPattern without %z: IANA zone name
  bool operator==(const TimeCodec&) const = default;
};

class Type;
using TypeRef = std::shared_ptr<const Type>;

struct Field {
  std::string name;       // in Weir
  std::string wire_name;  // in JSON and CSV
  TypeRef type;
};

class Type {
 public:
  Kind kind = Kind::kError;
  int precision = 0;          // kDecimal: 1..38
  int scale = 0;              // kDecimal: 0..precision
  TimeCodec codec;            // kTimestamp
  TypeRef element;            // kList, kMap: value; kOptional: inner
  std::string name;           // kRecord: declared name, empty for a structural record
  std::vector<Field> fields;  // kRecord
};

TypeRef error();
TypeRef null();
TypeRef boolean();
TypeRef integer();
TypeRef floating();
TypeRef decimal(int precision, int scale);
TypeRef string();
TypeRef bytes();
TypeRef timestamp(TimeCodec codec = {});
TypeRef duration();
TypeRef list(TypeRef element);
TypeRef map(TypeRef value);
TypeRef record(std::string name, std::vector<Field> fields);
// T? of T; of an optional or null type the type itself.
TypeRef optional(TypeRef inner);

// Equal in expressions: ignores time codecs, wire names and record names; fields by name, type and order.
bool same(const Type& a, const Type& b);
inline bool same(const TypeRef& a, const TypeRef& b) {
  return same(*a, *b);
}
// Equal in every respect, codecs and wire names included.
bool identical(const Type& a, const Type& b);

bool is_optional(const TypeRef& type);
// T of T?, else the type itself.
TypeRef strip_optional(const TypeRef& type);
const Field* find_field(const Type& record, const std::string& name);

// As written in a script: "decimal(12, 2)", "string?", "list<Order>", "{ start: timestamp, end: timestamp }".
std::string to_string(const Type& type);
inline std::string to_string(const TypeRef& type) {
  return to_string(*type);
}

// The type of `window` in a window's row.
TypeRef window_record();
// The type of `meta` on source rows: { path: string, position: int, received: timestamp }.
TypeRef meta_record();
// Rejected { source, stage, code, message, meta: { path: string, position: int }, raw: bytes }.
TypeRef rejected_record();
// Late<T> { record: T, behind: duration, meta: { path: string, position: int } }.
TypeRef late_record(const TypeRef& record);

}  // namespace weir::types
