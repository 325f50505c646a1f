#include <nlohmann/json.hpp>

#include "compiler/analyse/report/report.h"

namespace weir::analyse {
namespace {

using Json = nlohmann::ordered_json;

Json to_json_object(const SourceReport& source) {
  return {
      {"name", source.name},           {"reads", source.reads},       {"replayable", source.replayable},
      {"condition", source.condition}, {"identity", source.identity}, {"identity_note", source.identity_note},
      {"time", source.time},           {"late", source.late},         {"errors", source.errors},
      {"accepted", source.accepted}};
}

Json to_json_object(const StateReport& state) {
  return {{"name", state.name},       {"keys", state.keys},
          {"values", state.values},   {"guarantee", state.guarantee},
          {"closes", state.closes},   {"growth", state.growth},
          {"lineage", state.lineage}, {"reproducible", state.reproducible}};
}

Json to_json_object(const SinkReport& sink) {
  return {{"name", sink.name},
          {"writes", sink.writes},
          {"view", sink.view},
          {"guarantee", to_string(sink.guarantee)},
          {"required", to_string(sink.required)},
          {"condition", sink.condition},
          {"visible_after", sink.visible_after},
          {"boundary", sink.boundary},
          {"because", sink.because},
          {"identity", sink.identity},
          {"identity_note", sink.identity_note},
          {"accepted", sink.accepted},
          {"reproducible", sink.reproducible}};
}

template <class List>
Json to_json_array(const List& list) {
  Json out = Json::array();
  for (const auto& item : list) out.push_back(to_json_object(item));
  return out;
}

}  // namespace

std::string to_json(const Report& report) {
  const Json out = {
      {"pipeline", report.pipeline},
      {"determinism", report.determinism},
      {"protocol", report.protocol},
      {"rollback", report.rollback},
      {"checkpoint",
       {{"every", report.checkpoint_every}, {"dir", report.checkpoint_dir}, {"keep", report.keep}}},
      {"guarantee", to_string(least_guarantee(report))},
      {"sources", to_json_array(report.sources)},
      {"states", to_json_array(report.states)},
      {"sinks", to_json_array(report.sinks)}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weir::analyse
