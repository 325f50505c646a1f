// json, sarif and github: the forms that programs read.
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "compiler/base/text.h"
#include "compiler/diagnostics/render.h"

namespace weir::diagnostics {

namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// {file, line, column, end_line, end_column}; {} without a place.
Json place(source::Span span, const source::Files& files) {
  Json out = Json::object();
  if (!span.is_known()) return out;
  const source::File& file = files.file(span.file);
  const source::Position start = file.position(span.offset);
  const source::Position end = file.position(span.end());
  out["file"] = file.path();
  out["line"] = start.line;
  out["column"] = start.column;
  out["end_line"] = end.line;
  out["end_column"] = end.column;
  out["offset"] = span.offset;
  out["length"] = span.length;
  return out;
}

Json with_text(Json place, std::string_view key, const std::string& text) {
  place[std::string(key)] = text;
  return place;
}

// Columns of SARIF count code points here (see columnKind).
std::size_t code_point_column(const source::File& file, source::Position position) {
  const std::string_view before = file.line_text(position.line).substr(0, position.column - 1);
  std::size_t count = 1;
  for (std::size_t at = 0; at < before.size(); at += base::decode_utf8(before, at).length) ++count;
  return count;
}

Json region(source::Span span, const source::Files& files) {
  const source::File& file = files.file(span.file);
  const source::Position start = file.position(span.offset);
  const source::Position end = file.position(span.end());
  return {{"startLine", start.line},   {"startColumn", code_point_column(file, start)},
          {"endLine", end.line},       {"endColumn", code_point_column(file, end)},
          {"byteOffset", span.offset}, {"byteLength", span.length}};
}

Json physical_location(source::Span span, const source::Files& files) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", files.file(span.file).path()}}}, {"region", region(span, files)}}}};
}

Json sarif_fix(const Suggestion& suggestion, const source::Files& files) {
  std::map<source::FileId, Json> replacements;
  for (const Edit& edit : suggestion.edits) {
    if (!edit.span.is_known()) continue;
    Json& list = replacements.try_emplace(edit.span.file, Json::array()).first->second;
    list.push_back({{"deletedRegion", region(edit.span, files)}, {"insertedContent", {{"text", edit.text}}}});
  }
  Json changes = Json::array();
  for (const auto& [id, list] : replacements) {
    changes.push_back({{"artifactLocation", {{"uri", files.file(id).path()}}}, {"replacements", list}});
  }
  return {{"description", {{"text", suggestion.message}}}, {"artifactChanges", changes}};
}

Json sarif_result(const Diagnostic& d, const source::Files& files) {
  std::string text = d.message;
  if (!d.primary.text.empty()) text += ": " + d.primary.text;
  for (const std::string& note : d.notes) text += "\n" + note;
  for (const std::string& help : d.helps) text += "\n" + help;
  Json result = {{"ruleId", to_string(d.code)},
                 {"level", std::string(to_string(d.severity))},
                 {"message", {{"text", text}}}};
  if (d.primary.span.is_known())
    result["locations"] = Json::array({physical_location(d.primary.span, files)});
  if (!d.secondary.empty()) {
    Json related = Json::array();
    for (const Label& label : d.secondary) {
      Json location = physical_location(label.span, files);
      location["message"] = {{"text", label.text}};
      related.push_back(location);
    }
    result["relatedLocations"] = related;
  }
  if (!d.suggestions.empty()) {
    Json fixes = Json::array();
    for (const Suggestion& suggestion : d.suggestions) fixes.push_back(sarif_fix(suggestion, files));
    result["fixes"] = fixes;
  }
  return result;
}

// Escapes of workflow commands; in properties also the separators.
std::string escape_github(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += property ? "%3A" : ":";
        break;
      case ',':
        out += property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string render_json(const Diagnostics& list, const source::Files& files) {
  Json out = Json::array();
  for (const Diagnostic& d : list.all()) {
    Json item = {{"code", to_string(d.code)},
                 {"severity", std::string(to_string(d.severity))},
                 {"title", std::string(info(d.code).title)},
                 {"message", d.message}};
    item.update(place(d.primary.span, files));
    item["label"] = d.primary.text;
    item["related"] = Json::array();
    for (const Label& label : d.secondary)
      item["related"].push_back(with_text(place(label.span, files), "label", label.text));
    item["notes"] = d.notes;
    item["helps"] = d.helps;
    item["suggestions"] = Json::array();
    for (const Suggestion& suggestion : d.suggestions) {
      Json edits = Json::array();
      for (const Edit& edit : suggestion.edits)
        edits.push_back(with_text(place(edit.span, files), "text", edit.text));
      item["suggestions"].push_back({{"message", suggestion.message}, {"edits", edits}});
    }
    out.push_back(item);
  }
  return dump(out);
}

std::string render_sarif(const Diagnostics& list, const source::Files& files) {
  std::map<Code, Json> rules;
  Json results = Json::array();
  for (const Diagnostic& d : list.all()) {
    rules.try_emplace(d.code, Json{{"id", to_string(d.code)},
                                   {"name", std::string(info(d.code).name)},
                                   {"shortDescription", {{"text", std::string(info(d.code).title)}}}});
    results.push_back(sarif_result(d, files));
  }
  Json rule_list = Json::array();
  for (const auto& [code, rule] : rules) rule_list.push_back(rule);
  const Json run = {{"tool", {{"driver", {{"name", "weir"}, {"rules", rule_list}}}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"results", results}};
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({run})}});
}

std::string render_github(const Diagnostics& list, const source::Files& files) {
  std::string out;
  for (const Diagnostic& d : list.all()) {
    const std::string_view level = d.severity == Severity::note ? "notice" : to_string(d.severity);
    std::string properties;
    if (d.primary.span.is_known()) {
      const source::File& file = files.file(d.primary.span.file);
      const source::Position start = file.position(d.primary.span.offset);
      const source::Position end = file.position(d.primary.span.end());
      properties =
          fmt::format("file={},line={},endLine={},col={},endColumn={},", escape_github(file.path(), true),
                      start.line, end.line, start.column, end.column);
    }
    std::string text = d.message;
    if (!d.primary.text.empty()) text += ": " + d.primary.text;
    for (const std::string& note : d.notes) text += "\n" + note;
    for (const std::string& help : d.helps) text += "\n" + help;
    for (const Suggestion& suggestion : d.suggestions) text += "\nhelp: " + suggestion.message;
    out += fmt::format("::{} {}title={}::{}\n", level, properties, escape_github(to_string(d.code), true),
                       escape_github(text, false));
  }
  return out;
}

}  // namespace weir::diagnostics
