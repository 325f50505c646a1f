#include "compiler/driver/test/program.h"

#include <fstream>
#include <map>
#include <set>

#include "compiler/check/make.h"
#include "compiler/driver/test/json.h"
#include "compiler/driver/test/values.h"

namespace weir::driver::test {
namespace {

namespace fs = std::filesystem;
using build_flow::TestStep;

// The type with plain codecs and its own names on the wire: given rows say what the values are, not how they arrive.
types::TypeRef plain(const types::TypeRef& type) {
  switch (type->kind) {
    case types::Kind::kTimestamp:
      return types::timestamp();
    case types::Kind::kList:
      return types::list(plain(type->element));
    case types::Kind::kMap:
      return types::map(plain(type->element));
    case types::Kind::kOptional:
      return types::optional(plain(type->element));
    case types::Kind::kRecord: {
      std::vector<types::Field> fields = type->fields;
      for (types::Field& field : fields) field = {field.name, field.name, plain(field.type)};
      return types::record(type->name, std::move(fields));
    }
    default:
      return type;
  }
}

flow::Argument path_argument(const fs::path& path) {
  return {"path", check::make_string(path.string(), {}), {}};
}

// Writes the steps of one source, a file for each split.
std::expected<void, std::string> write_given(const flow::Program& script, const build_flow::Test& test,
                                             const std::string& source, const fs::path& folder, bool& raw) {
  std::map<std::string, std::string> files;
  bool rows = false;
  TestValues values(script, test);
  for (const TestStep& step : test.steps) {
    if (step.name != source) continue;
    std::string& text = files[step.split];
    if (step.kind == TestStep::Kind::given_raw) {
      raw = true;
      for (const std::string& record : step.raw) text += record + "\n";
    }
    if (step.kind != TestStep::Kind::given_rows) continue;
    rows = true;
    for (const build_flow::TestRow& row : step.rows) {
      std::string line;
      for (const build_flow::TestRow::Field& field : row.fields) {
        const types::Field& declared = step.row->fields[static_cast<std::size_t>(field.index)];
        const auto value = values.of(*field.value);
        if (!value)
          return std::unexpected("the field `" + declared.name + "` of a row for `" + source +
                                 "` is not a constant");
        line += (line.empty() ? "{\"" : ",\"") + declared.name + "\":" + to_json(*value, *declared.type);
      }
      text += line + "}\n";
    }
  }
  if (raw && rows) return std::unexpected("`" + source + "` is given both rows and raw records");
  if (files.empty()) files[""] = "";
  fs::create_directories(folder);
  int number = 0;
  for (const auto& [split, text] : files) {
    std::ofstream out(folder / (std::to_string(++number) + ".ndjson"), std::ios::binary);
    out << text;
    if (!out.flush()) return std::unexpected("cannot write to " + folder.string());
  }
  return {};
}

}  // namespace

std::expected<flow::Program, std::string> make_program(const flow::Program& script,
                                                       const build_flow::Test& test, const fs::path& folder) {
  flow::Program program = script;
  program.settings.checkpoint_dir = (folder / "state").string();
  std::map<std::string, flow::NodeId> feeds;  // of sinks by name
  std::map<std::string, flow::NodeId> last;   // node of each stream
  std::map<flow::NodeId, flow::NodeId> ids;
  std::vector<flow::Node> nodes;
  for (flow::Node& node : program.nodes) {
    for (flow::NodeId& input : node.inputs) input = ids[input];
    if (std::holds_alternative<flow::Sink>(node.op)) {
      feeds[node.stream] = node.inputs[0];
      continue;
    }
    ids[node.id] = static_cast<flow::NodeId>(nodes.size());
    node.id = ids[node.id];
    last[node.stream] = node.id;
    if (auto* source = std::get_if<flow::Source>(&node.op)) {
      bool raw = false;
      const fs::path in = folder / "in" / node.stream;
      if (auto written = write_given(script, test, node.stream, in, raw); !written)
        return std::unexpected(written.error());
      source->connector = "file";
      source->replayable = true;
      source->arguments = {path_argument(in / "*.ndjson")};
      if (!raw) {
        source->format = {};
        source->declared = plain(source->declared);
      }
    }
    if (auto* rejected = std::get_if<flow::Rejected>(&node.op)) {
      for (flow::NodeId& source : rejected->sources) source = ids[source];
    }
    if (auto* late = std::get_if<flow::Late>(&node.op)) {
      for (flow::NodeId& source : late->sources) source = ids[source];
    }
    nodes.push_back(std::move(node));
  }

  std::set<std::string> expected;
  for (const TestStep& step : test.steps) {
    if (step.kind == TestStep::Kind::with_param) {
      for (flow::Param& param : program.params) {
        if (param.name == step.name) param.default_value = step.value;
      }
    }
    if (step.kind != TestStep::Kind::expect || !expected.insert(step.name).second) continue;
    flow::Node sink;
    sink.id = static_cast<flow::NodeId>(nodes.size());
    sink.stream = step.name;
    sink.stage = step.name + ".collected";
    sink.inputs = {feeds.count(step.name) != 0 ? feeds[step.name] : last[step.name]};
    sink.row = nodes[static_cast<std::size_t>(sink.inputs[0])].row;
    sink.timed = nodes[static_cast<std::size_t>(sink.inputs[0])].timed;
    flow::Sink op;
    op.connector = "file";
    op.arguments = {path_argument(folder / "out" / step.name)};
    sink.op = std::move(op);
    nodes.push_back(std::move(sink));
  }
  program.nodes = std::move(nodes);
  return program;
}

}  // namespace weir::driver::test
