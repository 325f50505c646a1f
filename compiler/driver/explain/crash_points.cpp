#include "compiler/driver/explain/crash_points.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::driver::explain {
namespace {

bool follows(const flow::Source& source) {
  return std::any_of(source.arguments.begin(), source.arguments.end(), [](const flow::Argument& argument) {
    const auto* value = std::get_if<bool>(&argument.value->literal.value);
    return argument.name == "follow" && value != nullptr && *value;
  });
}

}  // namespace

crash::Features features_of(const flow::Program& program) {
  crash::Features out;
  out.words = {"again", "stop"};
  bool bounded = true;
  bool state = false;
  for (const flow::Node& node : program.nodes) {
    if (const auto* source = std::get_if<flow::Source>(&node.op)) bounded = bounded && !follows(*source);
    if (const auto* sink = std::get_if<flow::Sink>(&node.op); sink != nullptr && sink->connector == "file") {
      out.words.insert({"sink", "open", "pending", "rolled"});
    }
    state = state || std::holds_alternative<flow::Aggregate>(node.op);
  }
  if (bounded) out.words.insert("bounded");
  if (state) out.words.insert("state");
  if (state && program.settings.parallelism != 1) out.words.insert("exchange");
  return out;
}

std::string crash_points(const flow::Program& program) {
  const crash::Features features = features_of(program);
  std::size_t width = 0;
  std::size_t count = 0;
  for (const crash::Point& point : crash::points()) {
    if (!crash::reachable(point.needs, features)) continue;
    width = std::max(width, point.name.size());
    ++count;
  }
  std::string out =
      fmt::format("{} of {} crash points, in the order of a run\n", count, crash::points().size());
  std::string_view step;
  for (const crash::Point& point : crash::points()) {
    if (!crash::reachable(point.needs, features)) continue;
    if (point.step != step) out += fmt::format("\n{}\n", point.step);
    step = point.step;
    out += fmt::format("  {:<{}}  {}\n", point.name, width, point.when);
    out += fmt::format("  {:<{}}  then: {}\n", "", width, point.recovery);
  }
  return out;
}

}  // namespace weir::driver::explain
