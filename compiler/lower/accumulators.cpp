#include "compiler/lower/accumulators.h"

#include "compiler/lower/layout.h"
#include "compiler/lower/unsupported.h"

namespace weir::lower {

using flow::AggregateKind;
using flow::Aggregation;
using types::Kind;

const types::Type& argument_type(const Aggregation& aggregation) {
  return *aggregation.argument->type;
}

namespace {

Accumulator::Sum sum_of(const types::Type& type) {
  if (type.kind == Kind::kInt || type.kind == Kind::kDuration) return Accumulator::Sum::k128;
  if (type.kind == Kind::kDecimal) return is_wide(type) ? Accumulator::Sum::k256 : Accumulator::Sum::k128;
  throw Unsupported("a sum of " + types::to_string(type));
}

const char* name_of(AggregateKind kind) {
  switch (kind) {
    case AggregateKind::kCount:
      return "count";
    case AggregateKind::kSum:
      return "sum";
    case AggregateKind::kMin:
      return "min";
    case AggregateKind::kMax:
      return "max";
    case AggregateKind::kAvg:
      return "avg";
  }
  return "";
}

}  // namespace

Accumulators::Accumulators(const flow::Aggregate& op) {
  std::vector<types::Field> fields;
  const auto reserve = [&](std::uint64_t bytes, std::uint64_t align) {
    const std::uint64_t offset = align_up(size, align);
    size = offset + bytes;
    return offset;
  };
  for (const Aggregation& aggregation : op.aggregations) {
    Accumulator part;
    if (aggregation.argument != nullptr) {
      const types::TypeRef& type = aggregation.argument->type;
      if (aggregation.where != nullptr && type->kind == Kind::kOptional) {
        throw Unsupported("an aggregate of an optional value");
      }
      part.argument = static_cast<int>(fields.size());
      const std::string name = "a" + std::to_string(fields.size());
      fields.push_back({name, name, aggregation.where == nullptr ? type : types::optional(type)});
    } else if (aggregation.where != nullptr) {
      part.argument = static_cast<int>(fields.size());
      const std::string name = "a" + std::to_string(fields.size());
      fields.push_back({name, name, types::boolean()});
    }
    switch (aggregation.kind) {
      case AggregateKind::kCount:
        part.value = reserve(8, 8);
        break;
      case AggregateKind::kSum:
      case AggregateKind::kAvg:
        part.sum = sum_of(argument_type(aggregation));
        part.value = reserve(part.sum == Accumulator::Sum::k256 ? 32 : 16, 16);
        if (aggregation.kind == AggregateKind::kAvg) part.count = reserve(8, 8);
        break;
      case AggregateKind::kMin:
      case AggregateKind::kMax: {
        const Layout layout = layout_of(*types::optional(aggregation.argument->type));
        part.value = reserve(layout.size, layout.align);
        const Kind kind = argument_type(aggregation).kind;
        if (kind == Kind::kString || kind == Kind::kBytes) strings.push_back(part.value);
        break;
      }
    }
    parts.push_back(part);
  }
  size = align_up(size, 16);
  arguments = types::record("", std::move(fields));
}

std::string describe(const Aggregation& aggregation) {
  std::string result = aggregation.name + ": " + name_of(aggregation.kind);
  if (aggregation.argument != nullptr) result += " " + types::to_string(aggregation.argument->type);
  if (aggregation.where != nullptr) result += " where";
  return result;
}

}  // namespace weir::lower
