// What connectors and formats exist, and their arguments. Read-only tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::catalog {

enum class ArgumentKind {
  text,      // a string constant or a param
  flag,      // true | false
  word,      // one of `words`
  duration,  // a duration constant
  size,      // a size constant in bytes
  texts,     // a list of string constants
  format,    // a format: json, csv, regex(…)
};

struct ConnectorArgument {
  std::string name;
  ArgumentKind kind = ArgumentKind::text;
  bool required = false;
  std::vector<std::string> words;
  bool address = false;  // says where, not what: may change without being another program
};

struct Connector {
  std::string name;
  bool source = false;
  bool sink = false;
  std::vector<ConnectorArgument> source_arguments;
  std::vector<ConnectorArgument> sink_arguments;
  std::vector<std::string> source_formats;
  std::vector<std::string> sink_formats;
  bool replayable = true;  // as a source: can be read again from a position
};

// All connectors of this compiler.
const std::vector<Connector>& connectors();
const Connector* find_connector(std::string_view name);
// Connectors of the language that this compiler does not have yet.
const std::vector<std::string>& planned_connectors();
const std::vector<std::string>& planned_formats();

}  // namespace weir::catalog
