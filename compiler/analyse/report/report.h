// The guarantee report: what each source, state and sink of a program promises, and under what condition. Printed by
// `weir check`, and carried by every built program.
#pragma once

#include <string>
#include <vector>

#include "compiler/analyse/delivery/delivery.h"

namespace weir::analyse {

struct SourceReport {
  std::string name;
  std::string reads;  // "file data/*.ndjson as json"
  bool replayable = true;
  std::string condition;  // of what is promised
  std::string identity;   // "(orders, split, byte)"
  std::string identity_note;
  std::string time;      // "placed, lateness 10s"; "none"
  std::string late;      // who tests lateness, and where late records go; empty without time
  std::string errors;    // "to rejected"
  std::string accepted;  // "timing (reason)"; empty
};

struct StateReport {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> values;
  std::string guarantee;
  std::string closes;
  std::string growth;
  std::vector<std::string> lineage;
  std::string reproducible;  // "yes", "no: …"
};

struct SinkReport {
  std::string name;
  std::string writes;
  bool view = false;
  Guarantee guarantee = Guarantee::exactly_once;
  Guarantee required = Guarantee::exactly_once;
  std::string condition;
  std::string visible_after;
  std::string boundary;
  std::string because;
  std::string identity;
  std::string identity_note;
  std::string accepted;  // "best effort (reason)"; empty
  std::string reproducible;
};

struct Report {
  std::string pipeline;
  std::string determinism;
  std::string protocol;
  std::string rollback;
  std::int64_t checkpoint_every = 0;  // microseconds
  std::string checkpoint_dir;
  int keep = 0;
  std::vector<std::string> parameters;  // "least", "folder (address only)"
  std::vector<SourceReport> sources;
  std::vector<StateReport> states;
  std::vector<SinkReport> sinks;
};

// The least guarantee of the sinks that deliver; exactly once if none does.
Guarantee least_guarantee(const Report& report);

// A block of lines each; ends with a newline.
std::string to_text(const Report& report);
// One JSON object; field names as in the structs.
std::string to_json(const Report& report);

}  // namespace weir::analyse
