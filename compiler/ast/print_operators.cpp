// Pipelines as Weir text, one step a line.
#include <fmt/core.h>

#include "compiler/ast/print.h"
#include "compiler/ast/print_parts.h"

namespace weir::ast {

namespace {

std::string print_items(const std::vector<Item>& items) {
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += ", ";
    if (item.name) out += print_name(item.name->text) + " = ";
    out += print(*item.value);
  }
  return out;
}

std::string print_assignments(const std::vector<Assignment>& items, const char* between) {
  std::string out;
  for (const Assignment& item : items) {
    out += (out.empty() ? "" : ", ") + print_name(item.name.text) + between + print(*item.value);
  }
  return out;
}

std::string print_window(const Window& window) {
  return print_name(window.kind.text) + "(" + print_args(window.args) + ")";
}

std::string print_aggregate(const AggregateOperator& step) {
  std::string out = "aggregate ";
  for (const AggregateItem& item : step.items) {
    if (&item != &step.items.front()) out += ", ";
    out += print_name(item.name.text) + " = " + print(*item.value);
    if (item.where != nullptr) out += " where " + print(*item.where);
  }
  if (!step.keys.empty()) out += " by " + print_items(step.keys);
  if (step.window) out += " over " + print_window(*step.window);
  if (step.emit) {
    switch (step.emit->kind) {
      case EmitKind::on_close:
        out += " emit on close";
        break;
      case EmitKind::on_change:
        out += " emit on change";
        break;
      case EmitKind::every:
        out += " emit every " + print(*step.emit->every);
        break;
    }
  }
  return out;
}

std::string print_join(const JoinOperator& step) {
  static constexpr const char* words[] = {"join ", "left join ", "semi join ", "anti join "};
  std::string out = words[static_cast<int>(step.join)] + print_name(step.right.text);
  if (step.alias) out += " as " + print_name(step.alias->text);
  out += " on " + print(*step.on);
  if (step.within != nullptr) out += " within " + print(*step.within);
  if (step.within_end != nullptr) out += ".." + print(*step.within_end);
  if (step.window) out += " over " + print_window(*step.window);
  if (step.as_of_time) out += " as of time";
  return out;
}

std::string print_sequence(const SequenceOperator& step) {
  std::string out = "sequence by " + print_items(step.keys) + " within " + print(*step.within) + " { " +
                    print_assignments(step.steps, ": ") + " }";
  static constexpr const char* words[] = {" emit complete", " emit timeout", " emit all"};
  if (step.emit) out += words[static_cast<int>(*step.emit)];
  return out;
}

std::string print_dedup(const DedupOperator& step) {
  std::string out = "dedup by " + print_items(step.keys);
  if (step.within != nullptr) out += " within " + print(*step.within);
  static constexpr const char* words[] = {" keep first", " keep last", " keep any"};
  if (step.keep) out += words[static_cast<int>(*step.keep)];
  return out;
}

std::string print_top(const TopOperator& step) {
  std::string out = "top " + print(*step.count) + " by ";
  for (const OrderItem& item : step.order) {
    if (&item != &step.order.front()) out += ", ";
    out += print(*item.value) + (item.descending ? " desc" : "");
  }
  if (!step.per.empty()) out += " per " + print_items(step.per);
  return out;
}

std::string print_renamings(const std::vector<Renaming>& items) {
  std::string out;
  for (const Renaming& item : items)
    out += (out.empty() ? "" : ", ") + print_name(item.to.text) + " = " + print_name(item.from.text);
  return out;
}

}  // namespace

std::string print_connector(const ConnectorCall& connector) {
  return print_name(connector.name.text) + "(" + print_args(connector.args) + ")";
}

std::string print_step(const Operator& step) {
  switch (step.kind) {
    case OperatorKind::error:
      return "`<error>`";
    case OperatorKind::where:
      return "where " + print(*as<WhereOperator>(step).condition);
    case OperatorKind::select:
      return "select " + print_items(as<SelectOperator>(step).items);
    case OperatorKind::extend:
      return "extend " + print_assignments(as<ExtendOperator>(step).items, " = ");
    case OperatorKind::drop:
      return "drop " + print_names(as<DropOperator>(step).names);
    case OperatorKind::rename:
      return "rename " + print_renamings(as<RenameOperator>(step).items);
    case OperatorKind::flatten:
      return "flatten " + print(*as<FlattenOperator>(step).value) + " as " +
             print_name(as<FlattenOperator>(step).name.text);
    case OperatorKind::aggregate:
      return print_aggregate(as<AggregateOperator>(step));
    case OperatorKind::scan: {
      const auto& scan = as<ScanOperator>(step);
      std::string out =
          "scan by " + print_items(scan.keys) + " from " + print(*scan.init) + " with " + print(*scan.step);
      return scan.expire == nullptr ? out : out + " expire " + print(*scan.expire);
    }
    case OperatorKind::join:
      return print_join(as<JoinOperator>(step));
    case OperatorKind::sequence:
      return print_sequence(as<SequenceOperator>(step));
    case OperatorKind::lookup: {
      const auto& lookup = as<LookupOperator>(step);
      std::string out =
          std::string(lookup.captured ? "capture " : "") + "lookup " + print_connector(lookup.connector);
      if (lookup.alias) out += " as " + print_name(lookup.alias->text);
      return out + " on " + print(*lookup.on);
    }
    case OperatorKind::union_:
      return "union " + print_names(as<UnionOperator>(step).inputs);
    case OperatorKind::dedup:
      return print_dedup(as<DedupOperator>(step));
    case OperatorKind::top:
      return print_top(as<TopOperator>(step));
    case OperatorKind::latest:
      return "latest by " + print_items(as<LatestOperator>(step).keys);
    case OperatorKind::changes:
      return "changes";
    case OperatorKind::key_by:
      return "key by " + print_items(as<KeyByOperator>(step).keys);
    case OperatorKind::assert_: {
      const auto& assertion = as<AssertOperator>(step);
      std::string out = "assert " + print(*assertion.condition);
      return assertion.message ? out + ", " + print_string(assertion.message->value) : out;
    }
  }
  return "";
}

std::string print(const Query& query) {
  std::string out = print_name(query.input.text);
  if (query.alias) out += " as " + print_name(query.alias->text);
  for (const Operator* step : query.steps) out += "\n  |> " + print_step(*step);
  return out;
}

}  // namespace weir::ast
