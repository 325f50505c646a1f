#include "compiler/driver/explain/plan.h"

#include <string>

#include "compiler/analyse/delivery/delivery.h"
#include "compiler/analyse/graph.h"
#include "compiler/analyse/identity/identity.h"

namespace weir::driver::explain {
namespace {

class Planner {
 public:
  explicit Planner(const flow::Program& program) : program_(program), graph_(program) {}

  std::string all() {
    for (const flow::Node& node : program_.nodes) {
      if (node.inputs.empty()) write(node, 0);
    }
    return out_;
  }

 private:
  void write(const flow::Node& node, std::size_t depth) {
    out_ += std::string(2 * depth, ' ') + node.stage + "  " +
            std::visit([&](const auto& op) { return text(node, op); }, node.op) + "\n";
    for (flow::NodeId user : graph_.users(node.id))
      write(program_.nodes[static_cast<std::size_t>(user)], depth + 1);
  }

  std::string expr(const flow::ExprRef& expr, const flow::Node& node) const {
    const flow::TypeRef row =
        node.inputs.empty() ? node.row : program_.nodes[static_cast<std::size_t>(node.inputs[0])].row;
    return analyse::expr_text(*expr, program_, row);
  }
  std::string connector(const std::string& name, const std::vector<flow::Argument>& arguments,
                        const std::string& format) const {
    const std::string path = analyse::argument_text(arguments, "path", program_);
    return name + (path.empty() ? "" : " " + path) + " as " + format;
  }

  std::string text(const flow::Node& node, const flow::Source& source) const {
    std::string out = "read " + connector(source.connector, source.arguments, source.format.name);
    if (source.time != nullptr) {
      out += ", time " + expr(source.time, node) + ", lateness " + analyse::duration_text(source.lateness);
    }
    return out;
  }
  std::string text(const flow::Node&, const flow::Rejected&) const { return "records that failed"; }
  std::string text(const flow::Node&, const flow::Late&) const { return "records that were late"; }
  std::string text(const flow::Node& node, const flow::Where& where) const {
    return "keep where " + expr(where.condition, node) + ", in the same pass";
  }
  std::string text(const flow::Node& node, const flow::Project&) const {
    std::string out;
    for (const types::Field& field : node.row->fields) out += (out.empty() ? "" : ", ") + field.name;
    return "row { " + out + " }, in the same pass";
  }
  std::string text(const flow::Node& node, const flow::Flatten& flatten) const {
    return "a row per element of " + expr(flatten.value, node) + ", in the same pass";
  }
  std::string text(const flow::Node& node, const flow::Aggregate& aggregate) const {
    std::string keys;
    for (const flow::Key& key : aggregate.keys) keys += (keys.empty() ? "" : ", ") + expr(key.value, node);
    std::string out = keys.empty() ? "one group, on one worker" : "exchange by hash of " + keys;
    out += "; state of " + std::to_string(aggregate.aggregations.size()) +
           (aggregate.aggregations.size() == 1 ? " value" : " values") + " per group";
    if (aggregate.window.has_value())
      out += " and window of " + analyse::duration_text(aggregate.window->size);
    return out;
  }
  std::string text(const flow::Node&, const flow::Sink& sink) const {
    return "write " + connector(sink.connector, sink.arguments, sink.format);
  }

  const flow::Program& program_;
  analyse::Graph graph_;
  std::string out_;
};

}  // namespace

std::string plan(const flow::Program& program) {
  return Planner(program).all();
}

}  // namespace weir::driver::explain
