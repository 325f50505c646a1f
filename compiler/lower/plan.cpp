#include "compiler/lower/plan.h"

#include <llvm/Support/xxhash.h>
#include <nlohmann/json.hpp>

#include "compiler/flow/text.h"
#include "compiler/lower/text_out.h"
#include "compiler/lower/unsupported.h"
#include "runtime/abi/abi.h"

namespace weir::lower {

using Json = nlohmann::ordered_json;
using flow::Policy;
using types::Kind;

namespace {

std::string decimal_text(flow::Int128 unscaled, int scale) {
  const bool negative = unscaled < 0;
  auto rest = negative ? -static_cast<unsigned __int128>(unscaled) : static_cast<unsigned __int128>(unscaled);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  while (static_cast<int>(digits.size()) <= scale) digits.insert(digits.begin(), '0');
  if (scale > 0) digits.insert(digits.end() - scale, '.');
  return (negative ? "-" : "") + digits;
}

// A constant as the runtime reads it: text for everything but numbers and booleans.
Json constant(const flow::Expr& expr) {
  if (expr.op == flow::Op::kParam) return Json{{"param", expr.index}};
  if (expr.op == flow::Op::kConvert) return constant(*expr.args[0]);
  if (expr.op == flow::Op::kList) {
    Json list = Json::array();
    for (const flow::ExprRef& arg : expr.args) list.push_back(constant(*arg));
    return list;
  }
  if (expr.op != flow::Op::kLiteral) throw Unsupported("an argument that is not a constant");
  const auto& value = expr.literal.value;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* unscaled = std::get_if<flow::Int128>(&value))
    return decimal_text(*unscaled, expr.type->scale);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

void put_arguments(Json& json, const std::vector<flow::Argument>& arguments) {
  for (const flow::Argument& argument : arguments) json[argument.name] = constant(*argument.value);
}

const char* policy_name(Policy policy) {
  switch (policy) {
    case Policy::kFail:
      return "fail";
    case Policy::kDrop:
      return "drop";
    case Policy::kTo:
      return "to";
  }
  return "fail";
}

Json inputs_of(const Graph& graph, flow::NodeId id) {
  Json list = Json::array();
  for (const Upstream& upstream : graph.inputs[static_cast<std::size_t>(id)]) {
    list.push_back(Json{{upstream.is_operator ? "operator" : "source", upstream.index}});
  }
  return list;
}

std::string with_codecs(const types::Type& type);

std::string fields_text(const types::Type& record) {
  std::string text;
  for (const types::Field& field : record.fields) {
    text += field.name + "\x1f" + field.wire_name + "\x1f" + with_codecs(*field.type) + "\n";
  }
  return text;
}

// A type with all that decides how it is read.
std::string with_codecs(const types::Type& type) {
  switch (type.kind) {
    case Kind::kRecord:
      return "{" + fields_text(type) + "}";
    case Kind::kList:
      return "list " + with_codecs(*type.element);
    case Kind::kMap:
      return "map " + with_codecs(*type.element);
    case Kind::kOptional:
      return "optional " + with_codecs(*type.element);
    case Kind::kTimestamp:
      return "timestamp " + std::to_string(static_cast<int>(type.codec.form)) +
             (type.codec.floor ? " floor " : " ") + type.codec.pattern + "\x1f" + type.codec.zone;
    default:
      return types::to_string(type);
  }
}

Json source_json(const PlanInputs& in, int index) {
  const flow::Node& node = in.graph.node(in.graph.sources[static_cast<std::size_t>(index)]);
  const auto& source = std::get<flow::Source>(node.op);
  Json json;
  json["name"] = node.stream;
  json["connector"] = source.connector;
  put_arguments(json, source.arguments);
  json["format"] = source.format.name;
  if (source.format.name == "regex") json["regex"] = in.unit.regex(source.format.regex);
  json["null"] = source.format.null_texts;
  json["timed"] = source.time != nullptr;
  json["lateness"] = source.lateness;
  json["on_error"] = policy_name(source.on_error);
  if (source.on_error == Policy::kTo) json["on_error_to"] = source.on_error_to;
  json["on_late"] = policy_name(source.on_late);
  if (source.on_late == Policy::kTo) json["on_late_to"] = source.on_late_to;

  const flow::PrintOptions plain{false, false};
  std::string text =
      source.format.name + "\n" + source.format.regex + "\n" + with_codecs(*source.declared) + "\n";
  for (const std::string& null_text : source.format.null_texts) text += null_text + "\x1f";
  for (const flow::ExprRef& part : source.identity)
    text += flow::print(*part, in.graph.program, node.row, plain) + "\n";
  if (source.time != nullptr) text += flow::print(*source.time, in.graph.program, node.row, plain);
  text += "\n" + std::to_string(source.lateness) + "\n" + source.connector + "\n" +
          json.value("files", "each");  // what a position means
  json["fingerprint"] = fingerprint(text);
  return json;
}

Json operator_json(const PlanInputs& in, int index) {
  const flow::Node& node = in.graph.node(in.graph.operators[static_cast<std::size_t>(index)]);
  const auto& op = std::get<flow::Aggregate>(node.op);
  const Accumulators& layout = in.accumulators[static_cast<std::size_t>(index)];
  Json json;
  json["name"] = in.graph.operator_name(index);
  json["kind"] = "aggregate";
  json["window"] = nullptr;
  if (op.window) json["window"] = Json{{"size", op.window->size}, {"offset", op.window->offset}};
  json["inputs"] = inputs_of(in.graph, node.id);
  json["state_size"] = layout.size;
  json["strings"] = layout.strings;
  std::string text =
      op.window ? std::to_string(op.window->size) + "/" + std::to_string(op.window->offset) : "none";
  Json keys = Json::array();
  const types::TypeRef& row = in.graph.node(node.inputs[0]).row;
  for (const flow::Key& key : op.keys) {
    const std::string made = flow::print(*key.value, in.graph.program, row, {false, false});
    std::string column = key.name + ": " + types::to_string(key.value->type);
    if (made != "row." + key.name) column += " = " + made;
    text += "\nby " + column;
    keys.push_back(std::move(column));
  }
  Json columns = Json::array();
  for (const flow::Aggregation& aggregation : op.aggregations) {
    columns.push_back(describe(aggregation));
    text += "\n" + describe(aggregation);
  }
  json["key_columns"] = std::move(keys);
  json["state_columns"] = std::move(columns);
  json["fingerprint"] = fingerprint(text);
  Json lineage = Json::array();
  for (int source : in.graph.lineage[static_cast<std::size_t>(node.id)]) {
    lineage.push_back(in.graph.node(in.graph.sources[static_cast<std::size_t>(source)]).stream);
  }
  json["lineage"] = std::move(lineage);
  return json;
}

Json sink_json(const PlanInputs& in, int index) {
  const flow::Node& node = in.graph.node(in.graph.sinks[static_cast<std::size_t>(index)]);
  const auto& sink = std::get<flow::Sink>(node.op);
  Json json;
  json["name"] = node.stream;
  json["connector"] = sink.connector;
  put_arguments(json, sink.arguments);
  json["format"] = sink.format;
  if (sink.format == "csv") json["header"] = csv_header(*node.row);
  json["inputs"] = inputs_of(in.graph, node.id);
  if (static_cast<std::size_t>(index) < in.guarantees.size()) {
    json["guarantee"] = in.guarantees[static_cast<std::size_t>(index)];
  }
  return json;
}

std::string program_text(const flow::Program& program) {
  flow::Program normal = program;
  normal.script.clear();
  normal.settings = {};
  normal.settings.name = program.settings.name;
  return flow::print(normal, {false, false});
}

}  // namespace

std::string fingerprint(const std::string& text) {
  const llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  static constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (std::uint64_t word : {hash.high64, hash.low64}) {
    for (int shift = 60; shift >= 0; shift -= 4) result += digits[(word >> shift) & 15];
  }
  return result;
}

std::string plan_json(const PlanInputs& in) {
  const flow::Program& program = in.graph.program;
  const flow::Settings& settings = program.settings;
  Json json;
  json["abi"] = WEIR_ABI_VERSION;
  json["weir"] = in.weir_version;
  json["pipeline"] = settings.name;
  json["fingerprint"] = fingerprint(program_text(program));
  json["script"] = program.script;
  json["cpu"] = in.cpu;
  json["checkpoint"] =
      Json{{"every", settings.checkpoint_every},
           {"dir", settings.checkpoint_dir.empty() ? "state/" + settings.name : settings.checkpoint_dir},
           {"keep", settings.keep}};
  json["parallelism"] = settings.parallelism;
  if (settings.memory > 0) json["memory"] = settings.memory;
  json["params"] = Json::array();
  for (const flow::Param& param : program.params) {
    json["params"].push_back(Json{{"name", param.name},
                                  {"type", types::to_string(param.type)},
                                  {"default", constant(*param.default_value)},
                                  {"address", param.address_only}});
  }
  json["sources"] = Json::array();
  for (std::size_t i = 0; i < in.graph.sources.size(); ++i)
    json["sources"].push_back(source_json(in, static_cast<int>(i)));
  json["operators"] = Json::array();
  for (std::size_t i = 0; i < in.graph.operators.size(); ++i) {
    json["operators"].push_back(operator_json(in, static_cast<int>(i)));
  }
  json["sinks"] = Json::array();
  for (std::size_t i = 0; i < in.graph.sinks.size(); ++i)
    json["sinks"].push_back(sink_json(in, static_cast<int>(i)));
  json["sites"] = Json::array();
  for (const Site& site : in.unit.sites()) {
    Json entry{
        {"code", site.code}, {"stage", site.stage}, {"message", site.message}, {"source", site.source}};
    if (site.fatal) entry["fatal"] = true;
    json["sites"].push_back(std::move(entry));
  }
  json["regexes"] = in.unit.regexes();
  json["time_patterns"] = Json::array();
  for (const auto& [pattern, zone] : in.unit.time_patterns()) {
    json["time_patterns"].push_back(Json{{"pattern", pattern}, {"zone", zone}});
  }
  json["report"] = in.report;
  if (!in.report_json.empty()) json["report_json"] = Json::parse(in.report_json, nullptr, false);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weir::lower
