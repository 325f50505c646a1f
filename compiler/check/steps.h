// The steps of a pipeline: each takes the row before it and gives the operators of flow that it is made of, and the row
// after it. One file per operator.
#pragma once

#include <string>
#include <vector>

#include "compiler/ast/operators.h"
#include "compiler/check/elaborator.h"

namespace weir::check {

// What a step sees of the stream before it.
struct Shape {
  TypeRef row;  // an error: unknown, a mistake has been reported
  bool timed = false;
  std::string untimed_why;                  // why not: "`orders` has no `time`"
  const ast::SourceDecl* origin = nullptr;  // the one source that its rows come from, if that is so
  bool meta = false;
  std::string no_meta_why;
  std::optional<flow::Tumbling> window;  // the one whose start and end are in the row's field `window`
};

class Steps {
 public:
  Steps(Context& context, std::string stream) : context_(context), stream_(std::move(stream)) {}

  // Appends nodes with op, row, timed, stage (the step's own word) and span; id, inputs and stream are the caller's.
  void check(const ast::Operator& step, Shape& shape, std::vector<flow::Node>& nodes);

 private:
  void check_step(const ast::Operator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void where(const ast::WhereOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void select(const ast::SelectOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void extend(const ast::ExtendOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void drop(const ast::DropOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void rename(const ast::RenameOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void flatten(const ast::FlattenOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  void aggregate(const ast::AggregateOperator& step, Shape& shape, std::vector<flow::Node>& nodes);
  // Forgets the window if one of the nodes from `first` on gives the row another field `window`.
  static void follow_window(int field, const std::vector<flow::Node>& nodes, std::size_t first, Shape& shape);
  void unsupported(const ast::Operator& step, Shape& shape);

  std::optional<flow::Tumbling> window(const ast::Window& window, const Shape& shape);
  void report_updating(Span span, std::string message);
  void report_untimed(const ast::Window& window, const Shape& shape);
  std::optional<flow::Aggregation> aggregation(const ast::AggregateItem& item, const Shape& shape);

  Elaborator elaborator(const Shape& shape) const;
  flow::Node node(const ast::Operator& step, std::string stage, const Shape& shape) const;
  // The field's place; -1 if there is none (reported), or if the row is not known.
  int find(const Shape& shape, const ast::Name& name);
  // The name of an item: its own, or that of the field it is. Empty if it has none (reported).
  std::string item_name(const ast::Item& item, const std::string& place);

  Context& context_;
  std::string stream_;
};

// A duration that stands in the script, in microseconds; nullopt if it is not one (reported).
std::optional<std::int64_t> constant_duration(Context& context, const ast::Expr& expr,
                                              const std::string& what);

}  // namespace weir::check
