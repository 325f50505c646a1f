#include "compiler/catalog/connectors.h"

namespace weir::catalog {
namespace {

const ConnectorArgument kFormat{"format", ArgumentKind::format, true, {}, false};
const ConnectorArgument kNull{"null", ArgumentKind::texts, false, {}, false};

std::vector<Connector> table() {
  Connector file;
  file.name = "file";
  file.source = file.sink = true;
  file.source_arguments = {{"path", ArgumentKind::text, true, {}, true},
                           kFormat,
                           kNull,
                           {"files", ArgumentKind::word, false, {"each", "in_order"}, false},
                           {"follow", ArgumentKind::flag, false, {}, false}};
  file.sink_arguments = {{"path", ArgumentKind::text, true, {}, true},
                         kFormat,
                         {"roll_size", ArgumentKind::size, false, {}, false},
                         {"roll_every", ArgumentKind::duration, false, {}, false}};
  file.source_formats = {"json", "csv", "text", "regex"};
  file.sink_formats = {"json", "csv"};

  Connector standard_input;
  standard_input.name = "stdin";
  standard_input.source = true;
  standard_input.source_arguments = {kFormat, kNull};
  standard_input.source_formats = file.source_formats;
  standard_input.replayable = false;

  Connector standard_output;
  standard_output.name = "stdout";
  standard_output.sink = true;
  standard_output.sink_arguments = {{"format", ArgumentKind::format, false, {}, false}};
  standard_output.sink_formats = file.sink_formats;
  return {file, standard_input, standard_output};
}

}  // namespace

const std::vector<Connector>& connectors() {
  static const std::vector<Connector> all = table();
  return all;
}

const Connector* find_connector(std::string_view name) {
  for (const Connector& connector : connectors()) {
    if (connector.name == name) return &connector;
  }
  return nullptr;
}

const std::vector<std::string>& planned_connectors() {
  static const std::vector<std::string> names = {"kafka", "http",         "postgres", "sqlite",
                                                 "s3",    "postgres_cdc", "mqtt"};
  return names;
}

const std::vector<std::string>& planned_formats() {
  static const std::vector<std::string> names = {"avro", "protobuf"};
  return names;
}

}  // namespace weir::catalog
