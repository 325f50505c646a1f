#include "runtime/exec/plan.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "runtime/abi/abi.h"

namespace weir::exec {
namespace {

using Json = nlohmann::json;

PlanText read_text(const Json& object, const char* field) {
  PlanText text;
  if (!object.contains(field)) return text;
  const Json& value = object.at(field);
  if (value.is_object())
    text.param = value.at("param").get<std::uint32_t>();
  else
    text.literal = value.get<std::string>();
  return text;
}

template <typename T>
T value_or(const Json& object, const char* field, T otherwise) {
  auto found = object.find(field);
  return found == object.end() || found->is_null() ? otherwise : found->get<T>();
}

using Strings = std::vector<std::string>;

std::vector<PlanInput> read_inputs(const Json& object) {
  std::vector<PlanInput> inputs;
  for (const Json& input : object.value("inputs", Json::array())) {
    bool is_operator = input.contains("operator");
    inputs.push_back({is_operator, input.at(is_operator ? "operator" : "source").get<std::uint32_t>()});
  }
  return inputs;
}

SourcePlan read_source(const Json& json) {
  SourcePlan source;
  source.name = json.at("name").get<std::string>();
  source.connector =
      json.at("connector") == "stdin" ? SourceConnector::standard_input : SourceConnector::file;
  source.path = read_text(json, "path");
  std::string format = json.at("format").get<std::string>();
  source.format = format == "csv"     ? SourceFormat::csv
                  : format == "text"  ? SourceFormat::text
                  : format == "regex" ? SourceFormat::regex
                                      : SourceFormat::json;
  source.regex = value_or<std::uint32_t>(json, "regex", 0);
  source.null_texts = value_or<Strings>(json, "null", {});
  source.files =
      value_or<std::string>(json, "files", "each") == "in_order" ? FileOrder::in_order : FileOrder::each;
  source.follow = value_or(json, "follow", false);
  source.timed = value_or(json, "timed", false);
  source.lateness = value_or<std::int64_t>(json, "lateness", 0);
  std::string policy = value_or<std::string>(json, "on_error", "fail");
  source.on_error = policy == "to"     ? ErrorPolicy::to_stream
                    : policy == "drop" ? ErrorPolicy::drop
                                       : ErrorPolicy::fail;
  source.fingerprint = value_or<std::string>(json, "fingerprint", "");
  return source;
}

OperatorPlan read_operator(const Json& json) {
  OperatorPlan op;
  op.name = json.at("name").get<std::string>();
  if (auto window = json.find("window"); window != json.end() && !window->is_null()) {
    op.window_size = window->at("size").get<std::int64_t>();
    op.window_offset = value_or<std::int64_t>(*window, "offset", 0);
  }
  op.inputs = read_inputs(json);
  op.state_size = json.at("state_size").get<std::uint32_t>();
  op.string_offsets = value_or<std::vector<std::uint32_t>>(json, "strings", {});
  op.key_columns = value_or<Strings>(json, "key_columns", {});
  op.state_columns = value_or<Strings>(json, "state_columns", {});
  op.fingerprint = value_or<std::string>(json, "fingerprint", "");
  op.lineage = value_or<Strings>(json, "lineage", {});
  return op;
}

SinkPlan read_sink(const Json& json) {
  SinkPlan sink;
  sink.name = json.at("name").get<std::string>();
  sink.connector = json.at("connector") == "stdout" ? SinkConnector::standard_output : SinkConnector::file;
  sink.path = read_text(json, "path");
  sink.format = value_or<std::string>(json, "format", "json") == "csv" ? SinkFormat::csv : SinkFormat::json;
  sink.header = value_or<std::string>(json, "header", "");
  sink.roll_size = value_or<std::uint64_t>(json, "roll_size", sink.roll_size);
  sink.roll_every = value_or<std::int64_t>(json, "roll_every", sink.roll_every);
  sink.inputs = read_inputs(json);
  sink.guarantee = value_or<std::string>(json, "guarantee", "");
  return sink;
}

Plan read(const Json& json) {
  Plan plan;
  plan.weir = value_or<std::string>(json, "weir", "");
  plan.pipeline = json.at("pipeline").get<std::string>();
  plan.fingerprint = value_or<std::string>(json, "fingerprint", "");
  plan.script = value_or<std::string>(json, "script", "");
  const Json checkpoint = json.value("checkpoint", Json::object());
  plan.checkpoint_every = value_or<std::int64_t>(checkpoint, "every", plan.checkpoint_every);
  plan.state_folder = value_or<std::string>(checkpoint, "dir", "state/" + plan.pipeline);
  plan.keep = value_or<std::uint32_t>(checkpoint, "keep", plan.keep);
  plan.parallelism = value_or<std::uint32_t>(json, "parallelism", 0);
  for (const Json& param : json.value("params", Json::array())) {
    const Json fallback = param.value("default", Json(""));
    plan.params.push_back({param.at("name").get<std::string>(),
                           value_or<std::string>(param, "type", "string"),
                           fallback.is_string() ? fallback.get<std::string>() : fallback.dump(),
                           value_or(param, "address", false)});
  }
  plan.regexes = value_or<Strings>(json, "regexes", {});
  for (const Json& pattern : json.value("time_patterns", Json::array()))
    plan.time_patterns.push_back(
        {pattern.at("pattern").get<std::string>(), value_or<std::string>(pattern, "zone", "UTC")});
  for (const Json& source : json.at("sources")) plan.sources.push_back(read_source(source));
  for (const Json& op : json.value("operators", Json::array())) plan.operators.push_back(read_operator(op));
  for (const Json& sink : json.value("sinks", Json::array())) plan.sinks.push_back(read_sink(sink));
  for (const Json& site : json.value("sites", Json::array()))
    plan.sites.push_back({site.at("code").get<std::uint32_t>(), value_or<std::string>(site, "stage", ""),
                          value_or<std::string>(site, "message", ""),
                          value_or<std::uint32_t>(site, "source", 0), value_or(site, "fatal", false)});
  plan.report = value_or<std::string>(json, "report", "");
  return plan;
}

}  // namespace

Result<Plan> read_plan(std::string_view text) {
  // nlohmann reports by exceptions; they end here.
  try {
    Json json = Json::parse(text);
    if (json.value("abi", 0u) != WEIR_ABI_VERSION)
      return fail(RunError::plan_invalid,
                  fmt::format("the program was made for runtime interface {}, this runtime has {}",
                              json.value("abi", 0u), WEIR_ABI_VERSION));
    return read(json);
  } catch (const std::exception& error) {
    return fail(RunError::plan_invalid, error.what());
  }
}

}  // namespace weir::exec
