#include "compiler/analyse/determinism/names.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weir::analyse {
namespace {

using flow::Expr;
using flow::Op;
using types::Kind;

constexpr std::array<std::string_view, 14> kReserved = {
    "true", "false", "null", "and", "or", "not", "in", "is", "if", "then", "else", "let", "match", "try"};

std::string written(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto follows = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  const bool plain = !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), follows) &&
                     name != "capture" &&
                     std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
  return plain ? name : "`" + name + "`";
}

// The column that an expression is, -1 if it is more than one.
int column_of(const Expr& expr) {
  return expr.op == Op::kField && expr.args[0]->op == Op::kRow ? expr.index : -1;
}

bool can_be_text(const types::Type& type) {
  return type.kind == Kind::kString || type.kind == Kind::kInt || type.kind == Kind::kTimestamp;
}

// What is known of a row by column; -1: not there.
struct Columns {
  int time = -1;
  std::vector<int> identity;
  bool after_window = false;  // the time is window.end
  bool meta = false;          // meta is at hand, the position can be named
};

RowNames names(const Columns& columns, const flow::Node& node) {
  RowNames out;
  const auto& fields = node.row->fields;
  if (columns.time >= 0) {
    out.event_time = written(fields[static_cast<std::size_t>(columns.time)].name);
    if (columns.after_window) out.event_time += ".end";
  }
  for (int column : columns.identity) {
    const types::Field& field = fields[static_cast<std::size_t>(column)];
    const bool window = columns.after_window && column == columns.time;
    out.identity.push_back(written(field.name) + (window ? ".start" : ""));
    out.identity_types.push_back(window ? types::timestamp() : field.type);
  }
  if (out.identity.empty() && columns.meta) {
    out.identity = {"meta.path", "meta.position"};
    out.identity_types = {types::string(), types::integer()};
  }
  return out;
}

Columns of_source(const flow::Source& source) {
  Columns out;
  out.meta = true;
  if (source.time != nullptr) out.time = column_of(*source.time);
  for (const flow::ExprRef& part : source.identity) out.identity.push_back(column_of(*part));
  if (std::find(out.identity.begin(), out.identity.end(), -1) != out.identity.end()) out.identity.clear();
  return out;
}

// Where a column of the input went; -1 if it is gone.
int moved(const flow::Project& project, int column) {
  for (std::size_t i = 0; i < project.values.size(); ++i) {
    if (column >= 0 && column_of(*project.values[i]) == column) return static_cast<int>(i);
  }
  return -1;
}

Columns of_project(const flow::Project& project, Columns columns) {
  columns.time = moved(project, columns.time);
  std::vector<int> identity;
  for (int column : columns.identity) identity.push_back(moved(project, column));
  const bool whole = std::find(identity.begin(), identity.end(), -1) == identity.end();
  columns.identity = whole ? identity : std::vector<int>();
  return columns;
}

Columns of_aggregate(const flow::Aggregate& aggregate) {
  Columns out;
  for (std::size_t i = 0; i < aggregate.keys.size(); ++i) out.identity.push_back(static_cast<int>(i));
  if (aggregate.window.has_value()) {
    out.time = static_cast<int>(aggregate.keys.size());
    out.after_window = true;
    out.identity.push_back(out.time);
  }
  return out;
}

}  // namespace

std::vector<RowNames> row_names(const flow::Program& program) {
  std::vector<Columns> columns;
  std::vector<RowNames> out;
  for (const flow::Node& node : program.nodes) {
    Columns here;
    if (!node.inputs.empty()) here = columns[static_cast<std::size_t>(node.inputs[0])];
    if (const auto* source = std::get_if<flow::Source>(&node.op)) here = of_source(*source);
    if (const auto* project = std::get_if<flow::Project>(&node.op)) here = of_project(*project, here);
    if (const auto* aggregate = std::get_if<flow::Aggregate>(&node.op)) here = of_aggregate(*aggregate);
    if (std::holds_alternative<flow::Flatten>(node.op)) {
      here.identity.clear();  // several rows share it
      here.meta = false;
    }
    columns.push_back(here);
    out.push_back(names(here, node));
  }
  return out;
}

std::string column_text(const Expr& expr) {
  if (expr.op != Op::kField || expr.args[0]->type->kind != Kind::kRecord) return "";
  const std::string name = written(expr.args[0]->type->fields[static_cast<std::size_t>(expr.index)].name);
  if (expr.args[0]->op == Op::kRow) return name;
  const std::string outer = column_text(*expr.args[0]);
  return outer.empty() ? "" : outer + "." + name;
}

std::string identity_text(const RowNames& names) {
  if (names.identity.empty()) return "";
  for (const types::TypeRef& type : names.identity_types) {
    if (!can_be_text(*type)) return "";
  }
  if (names.identity.size() == 1 && names.identity_types[0]->kind == Kind::kString) return names.identity[0];
  std::string out = "\"";
  for (const std::string& part : names.identity) {
    if (out.size() > 1) out += "-";
    out += "${" + part + "}";
  }
  return out + "\"";
}

}  // namespace weir::analyse
