#include "compiler/ast/children.h"

#include <algorithm>
#include <vector>

namespace weir::ast {

namespace {

using Visit = std::function<void(Expr*)>;

void visit_args(const std::vector<Arg>& args, const Visit& visit) {
  for (const Arg& arg : args) visit(arg.value);
}

void visit_items(const std::vector<Item>& items, const Visit& visit) {
  for (const Item& item : items) visit(item.value);
}

void visit_optional(Expr* expr, const Visit& visit) {
  if (expr != nullptr) visit(expr);
}

void visit_pattern(const Pattern& pattern, const Visit& visit) {
  visit_optional(pattern.literal, visit);
  for (const Pattern* alternative : pattern.alternatives) visit_pattern(*alternative, visit);
}

}  // namespace

void for_each_child(const Expr& expr, const Visit& visit) {
  switch (expr.kind) {
    case ExprKind::error:
    case ExprKind::null_literal:
    case ExprKind::bool_literal:
    case ExprKind::int_literal:
    case ExprKind::decimal_literal:
    case ExprKind::float_literal:
    case ExprKind::string_literal:
    case ExprKind::duration_literal:
    case ExprKind::size_literal:
    case ExprKind::timestamp_literal:
    case ExprKind::date_literal:
    case ExprKind::name:
      return;
    case ExprKind::interpolation:
      for (Expr* part : as<InterpolationExpr>(expr).parts) visit(part);
      return;
    case ExprKind::list:
      for (Expr* element : as<ListExpr>(expr).elements) visit(element);
      return;
    case ExprKind::record:
      for (const RecordEntry& entry : as<RecordExpr>(expr).entries) visit(entry.value);
      return;
    case ExprKind::field:
      return visit(as<FieldExpr>(expr).object);
    case ExprKind::index:
      visit(as<IndexExpr>(expr).object);
      return visit(as<IndexExpr>(expr).index);
    case ExprKind::call:
      return visit_args(as<CallExpr>(expr).args, visit);
    case ExprKind::unary:
      return visit(as<UnaryExpr>(expr).operand);
    case ExprKind::binary:
      visit(as<BinaryExpr>(expr).left);
      return visit(as<BinaryExpr>(expr).right);
    case ExprKind::is_null:
      return visit(as<IsNullExpr>(expr).operand);
    case ExprKind::try_:
      return visit(as<TryExpr>(expr).operand);
    case ExprKind::capture:
      return visit(as<CaptureExpr>(expr).operand);
    case ExprKind::if_:
      visit(as<IfExpr>(expr).condition);
      visit(as<IfExpr>(expr).then_value);
      return visit(as<IfExpr>(expr).else_value);
    case ExprKind::let:
      visit(as<LetExpr>(expr).value);
      return visit(as<LetExpr>(expr).body);
    case ExprKind::match:
      visit(as<MatchExpr>(expr).subject);
      for (const MatchArm& arm : as<MatchExpr>(expr).arms) {
        visit_pattern(*arm.pattern, visit);
        visit_optional(arm.guard, visit);
        visit(arm.value);
      }
      return;
    case ExprKind::lambda:
      return visit(as<LambdaExpr>(expr).body);
  }
}

void for_each_expr(const Operator& step, const Visit& visit) {
  switch (step.kind) {
    case OperatorKind::error:
    case OperatorKind::drop:
    case OperatorKind::rename:
    case OperatorKind::union_:
    case OperatorKind::changes:
      return;
    case OperatorKind::where:
      return visit(as<WhereOperator>(step).condition);
    case OperatorKind::select:
      return visit_items(as<SelectOperator>(step).items, visit);
    case OperatorKind::extend:
      for (const Assignment& item : as<ExtendOperator>(step).items) visit(item.value);
      return;
    case OperatorKind::flatten:
      return visit(as<FlattenOperator>(step).value);
    case OperatorKind::aggregate: {
      const auto& aggregate = as<AggregateOperator>(step);
      for (const AggregateItem& item : aggregate.items) {
        visit(item.value);
        visit_optional(item.where, visit);
      }
      visit_items(aggregate.keys, visit);
      if (aggregate.window) visit_args(aggregate.window->args, visit);
      if (aggregate.emit) visit_optional(aggregate.emit->every, visit);
      return;
    }
    case OperatorKind::scan: {
      const auto& scan = as<ScanOperator>(step);
      visit_items(scan.keys, visit);
      visit(scan.init);
      visit(scan.step);
      return visit_optional(scan.expire, visit);
    }
    case OperatorKind::join: {
      const auto& join = as<JoinOperator>(step);
      visit(join.on);
      visit_optional(join.within, visit);
      visit_optional(join.within_end, visit);
      if (join.window) visit_args(join.window->args, visit);
      return;
    }
    case OperatorKind::sequence: {
      const auto& sequence = as<SequenceOperator>(step);
      visit_items(sequence.keys, visit);
      visit(sequence.within);
      for (const Assignment& item : sequence.steps) visit(item.value);
      return;
    }
    case OperatorKind::lookup:
      visit_args(as<LookupOperator>(step).connector.args, visit);
      return visit(as<LookupOperator>(step).on);
    case OperatorKind::dedup:
      visit_items(as<DedupOperator>(step).keys, visit);
      return visit_optional(as<DedupOperator>(step).within, visit);
    case OperatorKind::top: {
      const auto& top = as<TopOperator>(step);
      visit(top.count);
      for (const OrderItem& item : top.order) visit(item.value);
      return visit_items(top.per, visit);
    }
    case OperatorKind::latest:
      return visit_items(as<LatestOperator>(step).keys, visit);
    case OperatorKind::key_by:
      return visit_items(as<KeyByOperator>(step).keys, visit);
    case OperatorKind::assert_:
      return visit(as<AssertOperator>(step).condition);
  }
}

void walk(Expr* root, const Visit& visit) {
  std::vector<Expr*> open{root};
  while (!open.empty()) {
    Expr* expr = open.back();
    open.pop_back();
    visit(expr);
    const std::size_t first = open.size();
    for_each_child(*expr, [&](Expr* child) { open.push_back(child); });
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

}  // namespace weir::ast
